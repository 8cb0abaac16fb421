// SPDX-License-Identifier: MIT
// WebAssembly modules with one instruction changed for another that takes and gives as many vectors:
// what an engine that compiles it wrongly would run.

// As it stands in the file, and v128.bitselect or i16x8.mul in as many bytes.
const CHANGES = [
  { from: [0xfd, 0x93, 0x02], to: [0xfd, 0xd2, 0x00] }, // i32x4.relaxed_dot_i8x16_i7x16_add_s
  { from: [0xfd, 0x92, 0x02], to: [0xfd, 0x95, 0x01] }, // i16x8.relaxed_dot_i8x16_i7x16_s
  { from: [0xfd, 0xba, 0x01], to: [0xfd, 0x95, 0x01] }, // i32x4.dot_i16x8_s
];
// i32x4.extract_lane: what follows a dot product by which the engine is asked for its meaning.
const EXTRACT = [0xfd, 0x1b];

/** @typedef {{ body: number, change: { at: number, to: number[] } }} Site in which function it lies */

/**
 * Every int8 and int16 dot product.
 *
 * @param {Uint8Array} wasm
 * @returns {Site[]}
 */
export function dotProducts(wasm) {
  const sites = [];
  for (const [body, [start, end]] of functionBodies(wasm).entries()) {
    for (let at = start; at < end - 3; at++) {
      const found = CHANGES.find(({ from }) => from.every((byte, i) => wasm[at + i] === byte));
      if (!found || EXTRACT.every((byte, i) => wasm[at + 3 + i] === byte)) continue;
      sites.push({ body, change: { at, to: found.to } });
    }
  }
  return sites;
}

/** A copy with the instructions changed. */
export function changed(wasm, ...sites) {
  const copy = new Uint8Array(wasm);
  for (const { change } of sites) copy.set(change.to, change.at);
  return copy;
}

// Where each function of the code section begins and ends.
function functionBodies(wasm) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < wasm.length) {
    const section = wasm[at++];
    const bytes = number();
    if (section !== 10) {
      at += bytes;
      continue;
    }
    return Array.from({ length: number() }, () => {
      const length = number();
      at += length;
      return [at - length, at];
    });
  }
  throw new Error('the module has no code');
}
