// SPDX-License-Identifier: MIT

import type { Inspection, TensorFacts } from './engine/inspection.js';
import { fetchError } from './errors.js';
import { checkNames } from './option-names.js';
import { type KvType, kvType, type WeightForm, weightForm } from './options.js';
import type { ModelSource } from './sources/byte-source.js';
import { resolveWasm, type WasmOptions } from './wasm/builds.js';

export type { Inspection, TensorFacts };

/**
 * Reads the header of a model file, checks it as a load would, and says what the model would take.
 * Reads no weights.
 *
 * @throws as `loadModel` does for a header that is damaged or of no known model
 */
export async function inspectModel(
  source: ModelSource,
  options: { signal?: AbortSignal; wasm?: WasmOptions; weights?: WeightForm; kv?: KvType } = {},
): Promise<Inspection> {
  checkNames(options, { signal: true, wasm: true, weights: true, kv: true });
  const weights = weightForm(options.weights);
  const kv = kvType(options.kv);
  const wasm = resolveWasm(options.wasm);
  const { inspectFiles } = await import('./engine/inspection.js').catch((cause: unknown) => {
    throw fetchError(cause, 'inspecting files');
  });
  return inspectFiles(source, wasm, weights, kv, options.signal);
}
