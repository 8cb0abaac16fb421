// SPDX-License-Identifier: MIT

import { TextColumn } from '../gguf/text-column.js';
import type { HeaderValue, MetadataValue } from '../gguf/types.js';
import { DEFAULT_BATCH_TOKENS, type KvType, type WeightForm } from '../options.js';
import type { ModelSource } from '../sources/byte-source.js';
import type { WasmSource } from '../wasm/builds.js';
import { Wasm } from '../wasm/wasm.js';
import { ModelLoader, type ModelPlan } from './model-loader.js';
import { openSource } from './model-source.js';

/** A tensor as the file declares it. */
export interface TensorFacts {
  name: string;
  /** ggml's name of the type, as in `Q4_K`. */
  type: string;
  /** The contiguous dimension first. */
  shape: number[];
  bytes: number;
}

/** What a model file holds and what the model would take. */
export interface Inspection {
  architecture: string | undefined;
  metadata: Map<string, MetadataValue>;
  tensors: TensorFacts[];
  /** What loading would take, in bytes. */
  memory: ModelPlan;
}

/** A header is asked for in parts, so that at most one of them has weights. */
const RANGE_BYTES = 1 << 20;

/** What `inspectModel` does, with all that it takes. */
export async function inspectFiles(
  source: ModelSource,
  wasmSource: WasmSource,
  weights: WeightForm,
  kv: KvType | undefined,
  signal?: AbortSignal,
): Promise<Inspection> {
  const files = await openSource(source, { signal, rangeBytes: RANGE_BYTES });
  try {
    const { metadata, tensors } = files.header;
    const wasm = await Wasm.instantiate(wasmSource, DEFAULT_BATCH_TOKENS);
    const loader = new ModelLoader(wasm, files.header, { weights, kv, guesses: false });
    const architecture = metadata.get('general.architecture');
    try {
      return {
        architecture: typeof architecture === 'string' ? architecture : undefined,
        metadata: new Map([...metadata].map(([key, value]) => [key, plain(value)])),
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

const plain = (value: HeaderValue): MetadataValue =>
  value instanceof TextColumn ? [...value] : value;
