// SPDX-License-Identifier: MIT

import type { Config } from './config.js';
import { mapDeltaNet } from './families/delta_net.js';
import { mapFalconH1 } from './families/falcon_h1.js';
import { mapGatedDeltaNet } from './families/gated_deltanet.js';
import { mapGla, mapRetNet } from './families/gla.js';
import { mapGraniteHybrid } from './families/granitemoehybrid.js';
import { mapHgrn2 } from './families/hgrn2.js';
import { mapJamba } from './families/jamba.js';
import { mapKda } from './families/kda.js';
import { mapLfm2 } from './families/lfm2.js';
import { mapMamba } from './families/mamba.js';
import { mapMamba2Model } from './families/mamba2.js';
import { mapNemotronH } from './families/nemotron_h.js';
import { mapOlmoHybrid } from './families/olmo_hybrid.js';
import { mapQwen35 } from './families/qwen3_5.js';
import { mapRwkv6 } from './families/rwkv6.js';
import { mapRwkv7 } from './families/rwkv7.js';
import type { Mapping } from './mapping.js';

/** How checkpoints of a `model_type` are read. */
export interface Family {
  /** What a GGUF calls it. */
  architecture: string;
  /** Reads config.json and says where each tensor comes from. */
  map(config: Config, mapping: Mapping): void;
}

/** By config.json's `model_type`. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  mamba: { architecture: 'mamba', map: mapMamba },
  falcon_mamba: { architecture: 'mamba', map: mapMamba },
  mamba2: { architecture: 'mamba2', map: mapMamba2Model },
  granitemoehybrid: { architecture: 'granitehybrid', map: mapGraniteHybrid },
  jamba: { architecture: 'jamba', map: mapJamba },
  nemotron_h: { architecture: 'nemotron_h', map: mapNemotronH },
  lfm2: { architecture: 'lfm2', map: mapLfm2 },
  falcon_h1: { architecture: 'falcon-h1', map: mapFalconH1 },
  qwen3_5: { architecture: 'qwen35', map: mapQwen35 },
  qwen3_5_text: { architecture: 'qwen35', map: mapQwen35 },
  olmo_hybrid: { architecture: 'olmo_hybrid', map: mapOlmoHybrid },
  rwkv7: { architecture: 'rwkv7', map: mapRwkv7 },
  rwkv6: { architecture: 'rwkv6', map: mapRwkv6 },
  gated_deltanet: { architecture: 'gated_deltanet', map: mapGatedDeltaNet },
  delta_net: { architecture: 'delta_net', map: mapDeltaNet },
  kda: { architecture: 'kda', map: mapKda },
  gla: { architecture: 'gla', map: mapGla },
  retnet: { architecture: 'retnet', map: mapRetNet },
  hgrn2: { architecture: 'hgrn2', map: mapHgrn2 },
};
