// SPDX-License-Identifier: MIT
// Changes model files for tests: metadata, tensors, and splitting one file into several.
import { ByteBuilder } from '../../tools/gguf/metadata.mjs';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { tensorType } from '../../tools/gguf/types.mjs';

const ALIGNMENT = 32;
const padding = (length) => new Uint8Array((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT);

function assemble(entries, tensors) {
  const out = new ByteBuilder();
  out.append(new TextEncoder().encode('GGUF'));
  out.number('uint32', 3);
  out.number('uint64', tensors.length);
  out.number('uint64', entries.length);
  for (const entry of entries) out.append(entry);
  let offset = 0;
  for (const { name, shape, typeId, bytes } of tensors) {
    out.string(name);
    out.number('uint32', shape.length);
    for (const length of shape) out.number('uint64', length);
    out.number('uint32', typeId);
    out.number('uint64', offset);
    offset += bytes.length + padding(bytes.length).length;
  }
  out.append(padding(out.length));
  for (const { bytes } of tensors) {
    out.append(bytes);
    out.append(padding(bytes.length));
  }
  return out.join();
}

function encode(key, [type, value, elementType]) {
  const out = new ByteBuilder();
  out.keyValue(key, { type, value, elementType });
  return out.join();
}

function partsOf(model) {
  const file = openGguf(model);
  return {
    metadata: new Map([...file.metadata].map(([key, entry]) => [key, entry.encoded()])),
    tensors: file.tensors.map(({ name, shape, type, ...rest }) => ({
      name,
      shape,
      typeId: tensorType(type).id,
      bytes: file.read({ name, shape, type, ...rest }),
    })),
  };
}

/**
 * @param {Uint8Array} model
 * @param {{ set?: Record<string, [type: string, value: any, elementType?: string]>, drop?: string[],
 *   tensor?: (tensor: { name: string, shape: number[], typeId: number, bytes: Uint8Array }) => any }} changes
 *   `tensor` gives what each tensor becomes; nothing drops it
 */
export function editModel(model, { set = {}, drop = [], tensor = (same) => same }) {
  const { metadata, tensors } = partsOf(model);
  for (const key of drop) {
    if (!metadata.delete(key)) throw new Error(`there is no ${key}`);
  }
  for (const [key, value] of Object.entries(set)) metadata.set(key, encode(key, value));
  return assemble([...metadata.values()], tensors.map(tensor).filter(Boolean));
}

/** The files of the same model in `count` parts, as splitting tools write them. */
export function splitModel(model, count) {
  const { metadata, tensors } = partsOf(model);
  const each = Math.ceil(tensors.length / count);
  return Array.from({ length: count }, (_, part) =>
    assemble(
      [
        ...(part === 0 ? metadata.values() : []),
        encode('split.no', ['uint16', part]),
        encode('split.count', ['uint16', count]),
        encode('split.tensors.count', ['int32', tensors.length]),
      ],
      tensors.slice(part * each, (part + 1) * each),
    ),
  );
}
