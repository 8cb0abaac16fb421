// SPDX-License-Identifier: MIT
// Safetensors files for tests.
import { safetensors as fileOf } from '../../tools/story/safetensors.mjs';

export { withHeader } from '../../tools/story/safetensors.mjs';

/** A file of these tensors by name; `change` is of its header before it is written. */
export const safetensors = (tensors, change) => fileOf(Object.entries(tensors), change);

/** A tensor of values, as F32 or in their upper halves as BF16. */
export function tensorOf(shape, values, dtype = 'F32') {
  const wide = Float32Array.from(values);
  if (dtype === 'F32') return { shape, dtype, bytes: new Uint8Array(wide.buffer) };
  const halves = Uint16Array.from(new Uint32Array(wide.buffer), (bits) => bits >>> 16);
  return { shape, dtype, bytes: new Uint8Array(halves.buffer) };
}
