// SPDX-License-Identifier: MIT
import { RandomStream } from './gguf/random.mjs';

export { hostileHeaders } from './gguf/hostile-headers.mjs';

/**
 * A damaged file. Loaders must answer each with an error or, where the damage does no harm, load it.
 * @typedef {{ name: string, bytes: Uint8Array }} DamagedFile
 */

/**
 * The file, cut at `count` places: half of them evenly spread, half spread by ratio, which is mostly in the header.
 * The pieces are views of `bytes`.
 * @param {Uint8Array} bytes
 * @param {number} count at least 2
 * @returns {Generator<DamagedFile>} fewer than `count` where two cuts fall on one place
 */
export function* truncations(bytes, count) {
  const half = Math.floor(count / 2);
  /** @type {Set<number>} */
  const lengths = new Set();
  for (let i = 0; i < half; i++) lengths.add(Math.floor((bytes.length * i) / half));
  for (let i = 0; i < count - half; i++) {
    lengths.add(Math.floor(bytes.length ** ((i + 1) / (count - half + 1))));
  }
  for (const length of lengths) {
    yield {
      name: `cut after ${length} of ${bytes.length} bytes`,
      bytes: bytes.subarray(0, length),
    };
  }
}

/**
 * Copies of the file with one byte of the header changed.
 * @param {Uint8Array} bytes
 * @param {number} headerEnd
 * @param {number} count
 * @param {number | string} seed
 * @returns {Generator<DamagedFile>}
 */
export function* headerFlips(bytes, headerEnd, count, seed) {
  const random = new RandomStream(seed, 'header flips');
  const places = random.uniform(count, 0, headerEnd);
  const changes = random.uniform(count, 1, 256);
  for (let i = 0; i < count; i++) {
    const place = Math.floor(places[i]);
    const flipped = bytes.slice();
    flipped[place] ^= Math.floor(changes[i]);
    yield { name: `byte ${place} is ${flipped[place]}, not ${bytes[place]}`, bytes: flipped };
  }
}
