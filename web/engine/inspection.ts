// SPDX-License-Identifier: MIT

import type { Metadata } from '../gguf/types.js';
import type { KvType, WeightForm } from '../options.js';
import type { WasmSource } from '../wasm/builds.js';
import { Wasm } from '../wasm/wasm.js';
import { ModelLoader, type ModelPlan } from './model-loader.js';
import { type GivenSource, openSource } from './model-source.js';

/** A tensor as the file declares it. */
export interface TensorFacts {
  name: string;
  /** ggml's name of the type, as in `Q4_K`. */
  type: string;
  /** The contiguous dimension first. */
  shape: number[];
  bytes: number;
}

/** What a model file holds and what the model would take; can be posted to a page. */
export interface Inspected {
  architecture: string | undefined;
  metadata: Metadata;
  tensors: TensorFacts[];
  /** What loading would take, in bytes. */
  memory: ModelPlan;
}

/** A header is asked for in parts, so that at most one of them has weights. */
const RANGE_BYTES = 1 << 20;

/** What would be loaded, and how; can be posted to a worker. */
export interface InspectionSettings {
  wasm: WasmSource;
  batchTokens: number;
  weights: WeightForm;
  kv: KvType | undefined;
}

/** What `inspectModel` does, with all that it takes. */
export async function inspectFiles(
  source: GivenSource,
  { wasm: wasmSource, batchTokens, weights, kv }: InspectionSettings,
  signal?: AbortSignal,
): Promise<Inspected> {
  const files = await openSource(source, { signal, rangeBytes: RANGE_BYTES });
  try {
    const { metadata, tensors } = files.header;
    const wasm = await Wasm.instantiate(wasmSource, batchTokens);
    const loader = new ModelLoader(wasm, files.header, { weights, kv, guesses: false });
    const architecture = metadata.get('general.architecture');
    try {
      return {
        architecture: typeof architecture === 'string' ? architecture : undefined,
        metadata,
        tensors: tensors.map(({ name, typeName, shape, bytes }) => ({
          name,
          type: typeName,
          shape,
          bytes,
        })),
        memory: loader.plan,
      };
    } finally {
      loader.dispose();
    }
  } finally {
    await files.close();
  }
}
