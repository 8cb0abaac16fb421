// SPDX-License-Identifier: MIT
import { roomHere } from '../room.js';

// (result v128): i8x16.popcnt of a splat.
const SIMD128 = new Uint8Array([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 0, 1, 0x7b],
  ...[3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 0x41, 0, 0xfd, 0x0f, 0xfd, 0x62, 0x0b],
]);

// A memory "m" and a function "f": i32x4.relaxed_dot_i8x16_i7x16_add_s of the 16 bytes at 0, those at 16
// and the zeros at 48, to the 16 bytes at 32.
const RELAXED_DOT = new Uint8Array([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[3, 2, 1, 0],
  ...[5, 3, 1, 0, 1],
  ...[7, 9, 2, 1, 0x6d, 2, 0, 1, 0x66, 0, 0],
  ...[10, 31, 1, 29, 0],
  ...[0x41, 32, 0x41, 0, 0xfd, 0, 4, 0, 0x41, 16, 0xfd, 0, 4, 0, 0x41, 48, 0xfd, 0, 4, 0],
  ...[0xfd, 0x93, 2, 0xfd, 0x0b, 4, 0],
  0x0b,
]);

/** @typedef {'none' | 'unsigned' | 'signed' | 'saturates'} Int8Dot */

/**
 * What stands behind the relaxed int8 dot product: what it makes of an operand beyond seven bits tells.
 *
 * @returns {Promise<Int8Dot>}
 */
async function int8Dot() {
  if (!WebAssembly.validate(RELAXED_DOT)) return 'none';
  const { instance } = await WebAssembly.instantiate(RELAXED_DOT);
  const { m, f } = /** @type {{ m: WebAssembly.Memory, f: () => void }} */ (
    /** @type {unknown} */ (instance.exports)
  );
  new Int8Array(m.buffer, 0, 16).fill(127);
  new Int8Array(m.buffer, 16, 16).fill(-1);
  f();
  const [lane] = new Int32Array(m.buffer, 32, 1);
  return lane === 4 * 127 * 255 ? 'unsigned' : lane === -4 * 127 ? 'signed' : 'saturates';
}

/** @typedef {Awaited<ReturnType<typeof probe>>} Device */

/** What this browser has on this device. */
export async function probe() {
  const { hardwareConcurrency = 1, userAgent } = navigator;
  const isolated = globalThis.crossOriginIsolated === true;
  return {
    userAgent,
    simd128: WebAssembly.validate(SIMD128),
    relaxedSimd: WebAssembly.validate(RELAXED_DOT),
    int8Dot: await int8Dot(),
    crossOriginIsolated: isolated,
    sharedMemory: isolated && typeof SharedArrayBuffer === 'function',
    logicalCores: hardwareConcurrency,
    ...roomHere(),
  };
}

const DOTS = {
  none: 'not there; sums of 16-bit products are used',
  unsigned: 'four products an instruction, as on x86 with VNNI',
  signed: 'four products an instruction, as on ARM with the dot product',
  saturates:
    'in steps that can overflow, as on x86 without VNNI: 8-bit weights use 16-bit products',
};

/** @type {(device: Device) => [name: string, value: string][]} */
export function tell(device) {
  const { simd128, relaxedSimd, logicalCores, deviceMemoryGiB, memoryRoomBytes } = device;
  /** @param {boolean} has */
  const yes = (has) => (has ? 'yes' : 'no');
  const build = relaxedSimd ? 'relaxed' : simd128 ? 'simd128' : 'none: WebAssembly SIMD is missing';
  return [
    ['Build that runs', build],
    ['SIMD128', yes(simd128)],
    ['Relaxed SIMD', yes(relaxedSimd)],
    ['Int8 dot product', DOTS[device.int8Dot]],
    [
      'Cross-origin isolated',
      device.crossOriginIsolated
        ? 'yes'
        : 'no: the server sends no such headers, so there is one thread',
    ],
    ['Shared memory for threads', yes(device.sharedMemory)],
    ['Logical cores', String(logicalCores)],
    [
      'Most that one model can take',
      memoryRoomBytes ? gigabytes(memoryRoomBytes) : 'less than 0.27 GB',
    ],
    [
      'Memory of the device',
      deviceMemoryGiB === undefined
        ? 'this browser does not say'
        : `${deviceMemoryGiB} GiB or more, rounded by the browser`,
    ],
  ];
}

/** @param {number} bytes */
export const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(2)} GB`;
