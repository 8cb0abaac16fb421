// SPDX-License-Identifier: MIT
// Between callers' arrays, [tokens, floats], and a memory's places for them in the WebAssembly heap.
import type { InputFacts } from '../wasm/memory-glue.js';
import type { Numbers } from './rules.js';

/** Whether all arrays lie in the heap already. */
export function areIn({ buffer }: Float32Array, arrays: readonly (Numbers | undefined)[]): boolean {
  return arrays.every((array) => array instanceof Float32Array && array.buffer === buffer);
}

/**
 * Copies `count` tokens of an input, from `first` on, to the heap, unless they are there.
 *
 * @param address in bytes
 * @param value undefined: what the rule takes in its place
 */
export function putTokens(
  heap: Float32Array,
  address: number,
  { floats, absent }: InputFacts,
  value: Numbers | undefined,
  first: number,
  count: number,
): void {
  const start = address >>> 2;
  if (value === undefined) {
    heap.fill(absent, start, start + count * floats);
    return;
  }
  if (isAt(heap, address, value, first)) return;
  const whole = first === 0 && value.length === count * floats;
  const part = whole
    ? value
    : value instanceof Float32Array
      ? value.subarray(first * floats, (first + count) * floats)
      : value.slice(first * floats, (first + count) * floats);
  heap.set(part, start);
}

/** Copies `count` tokens from the heap to their places in `out`, unless they are there. */
export function takeTokens(
  heap: Float32Array,
  address: number,
  floats: number,
  out: Float32Array,
  first: number,
  count: number,
): void {
  if (isAt(heap, address, out, first)) return;
  const start = address >>> 2;
  out.set(heap.subarray(start, start + count * floats), first * floats);
}

function isAt(heap: Float32Array, address: number, array: Numbers, first: number): boolean {
  if (!(array instanceof Float32Array) || array.buffer !== heap.buffer) return false;
  return array.byteOffset >>> 2 === address >>> 2 && first === 0;
}
