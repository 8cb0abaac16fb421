// SPDX-License-Identifier: MIT

import type { Inspection } from '../inspect.js';
import { DEFAULT_BATCH_TOKENS, type WeightForm } from '../options.js';
import { openModelFiles } from '../sources/model-files.js';
import type { ModelSource } from '../sources/open-part.js';
import type { WasmSource } from '../wasm/builds.js';
import { Wasm } from '../wasm/wasm.js';
import { ModelLoader } from './model-loader.js';

/** What `inspectModel` does, with all that it takes. */
export async function inspectFiles(
  source: ModelSource,
  wasmSource: WasmSource,
  weights: WeightForm,
  signal?: AbortSignal,
): Promise<Inspection> {
  const files = await openModelFiles(source, { signal });
  try {
    const { metadata, tensors } = files.header;
    const wasm = await Wasm.instantiate(wasmSource, DEFAULT_BATCH_TOKENS);
    const loader = new ModelLoader(wasm, files.header, weights);
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
