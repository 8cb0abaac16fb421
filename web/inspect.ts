// SPDX-License-Identifier: MIT

import type { ModelPlan } from './engine/model-loader.js';
import type { MetadataValue } from './gguf/header.js';
import { type WeightForm, weightForm } from './options.js';
import type { ModelSource } from './sources/open-part.js';
import { resolveWasm, type WasmOptions } from './wasm/builds.js';

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

/**
 * Reads the header of a model file, checks it as a load would, and says what the model would take.
 * Reads no weights.
 *
 * @throws as `loadModel` does for a header that is damaged or of no known model
 */
export async function inspectModel(
  source: ModelSource,
  options: { signal?: AbortSignal; wasm?: WasmOptions; weights?: WeightForm } = {},
): Promise<Inspection> {
  const weights = weightForm(options.weights);
  const wasm = await resolveWasm(options.wasm);
  const { inspectFiles } = await import('./engine/engine.js');
  return inspectFiles(source, wasm, weights, options.signal);
}
