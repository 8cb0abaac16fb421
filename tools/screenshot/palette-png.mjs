// SPDX-License-Identifier: MIT
//
// A picture of a page as a PNG with a palette: a third of the bytes of one in full colour, which text
// on plain grounds does not need.

import { crc32, deflateSync } from 'node:zlib';

const kColours = 128;

/**
 * @param {Uint8Array} rgba
 * @param {number} width
 * @param {number} height
 * @returns {Buffer} a PNG of the most frequent colours; others become the nearest of them
 */
export function palettePng(rgba, width, height) {
  const colours = Uint32Array.from(
    { length: width * height },
    (_, i) => (rgba[4 * i] << 16) | (rgba[4 * i + 1] << 8) | rgba[4 * i + 2],
  );
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts.keys()]
    .sort((a, b) => Number(counts.get(b)) - Number(counts.get(a)))
    .slice(0, kColours);
  /** @type {Map<number, number>} */
  const places = new Map();
  for (const colour of counts.keys()) places.set(colour, nearest(palette, colour));

  // Each row begins with the name of its filter: none, the best for pictures with a palette.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * (width + 1) + 1 + x] = Number(places.get(colours[y * width + x]));
    }
  }
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 3, 0, 0, 0], 8); // 8 bits, a palette, the one compression, the one filter set, whole
  const table = Buffer.from(palette.flatMap((colour) => channels(colour)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', size),
    chunk('PLTE', table),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @type {(colour: number) => [red: number, green: number, blue: number]} */
const channels = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** @type {(palette: number[], colour: number) => number} */
function nearest(palette, colour) {
  const [red, green, blue] = channels(colour);
  let place = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [i, other] of palette.entries()) {
    const [r, g, b] = channels(other);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [place, least] = [i, distance];
  }
  return place;
}

/** @type {(name: string, content: Buffer) => Buffer} */
function chunk(name, content) {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
