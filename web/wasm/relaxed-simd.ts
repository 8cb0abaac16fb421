// SPDX-License-Identifier: MIT

// (param v128 v128 v128) (result v128): i8x16.relaxed_swizzle of the first two, then with the others
// i32x4.relaxed_dot_i8x16_i7x16_add_s and f32x4.relaxed_madd: every relaxed instruction that the
// build has. JavaScriptCore, behind a flag, has the first and refuses the second.
const MODULE = new Uint8Array([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b],
  ...[3, 2, 1, 0],
  ...[10, 25, 1, 23, 0],
  ...[0x20, 0, 0x20, 1, 0xfd, 0x80, 2],
  ...[0x20, 1, 0x20, 2, 0xfd, 0x93, 2],
  ...[0x20, 1, 0x20, 2, 0xfd, 0x85, 2],
  0x0b,
]);

/** Whether the engine compiles what the build `relaxed` is made of. */
export function hasRelaxedSimd(): boolean {
  return WebAssembly.validate(MODULE);
}
