// SPDX-License-Identifier: MIT
import type { ModelSource } from './byte-source.js';
import type { Inspection } from './inspect.js';
import { openModelFiles } from './model-files.js';
import { ModelLoader } from './model-loader.js';
import { Wasm, type WasmSource } from './wasm.js';

/** What `inspectModel` does, with all that it takes. */
export async function inspectFiles(
  source: ModelSource,
  wasmSource: WasmSource,
  signal?: AbortSignal,
): Promise<Inspection> {
  const files = await openModelFiles(source, { signal });
  try {
    const { metadata, tensors } = files.header;
    const loader = new ModelLoader(await Wasm.instantiate(wasmSource), files.header);
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
