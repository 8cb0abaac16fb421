// SPDX-License-Identifier: MIT
import { randomNumbers, seedOf } from './random.js';

export const PICTURE_SIDE = 8;
export const PICTURE_PIXELS = PICTURE_SIDE ** 2;

// One byte a row, the leftmost pixel in its highest bit.
/** @type {Record<string, string>} */
const DRAWN = {
  heart: '66ffffff7e3c1800',
  key: '3048483010181c18',
  house: '183c7eff7e666666',
  fish: '00327bdfff7b3200',
  tree: '183c7e3c7eff1818',
  smile: '3c42a581a599423c',
  boat: '080c0e0f08ff7e3c',
  sun: '995a3ce7e73c5a99',
  cat: '81c3ffdbffe77e3c',
  note: '0e0a080808387830',
  moon: '1e38706060703e1e',
  cup: '00fcfffdfffc7800',
  ghost: '3c7edbdbffffffa5',
  arrow: '183c7eff18181818',
  umbrella: '183c7eff08082810',
  flag: '607c7f7c60606060',
  anchor: '1824187e1899db7e',
  ring: '3c7ee7c3c3e77e3c',
  lightning: '0e1c387e0c183040',
  letter: 'ffc3a5998181ff00',
  mushroom: '3c7edbffff18183c',
  cross: '181818ffff181818',
  star: '1010107c38384482',
  diamond: '183c7effff7e3c18',
};

// A new picture of a key comes from elsewhere in the list, so that the two do not look alike.
const STRIDE = 11;
const names = Object.keys(DRAWN);
/** @type {Map<string, Float32Array>} */
const made = new Map();

/**
 * The picture of a pair and, for a key that is overwritten, of a later version: pixels of 1 and -1,
 * row by row. Pairs beyond the drawn ones get small symmetrical creatures, each its own.
 * @param {number} pair
 * @param {number} version
 * @returns {Float32Array}
 */
export function makePicture(pair, version) {
  const name = `${pair}/${version}`;
  const known = made.get(name);
  if (known) return known;
  const drawn = pair < names.length && version * STRIDE < names.length;
  const which = names[(pair + version * STRIDE) % names.length];
  const picture = drawn ? unpack(DRAWN[which]) : creature(seedOf(2, pair, version));
  made.set(name, picture);
  return picture;
}

/** @param {string} rows */
function unpack(rows) {
  return Float32Array.from({ length: PICTURE_PIXELS }, (_, i) => {
    const row = Number.parseInt(rows.slice(2 * (i >> 3), 2 * (i >> 3) + 2), 16);
    return (row >> (7 - (i & 7))) & 1 ? 1 : -1;
  });
}

/** @param {number} seed */
function creature(seed) {
  const random = randomNumbers(seed);
  const half = PICTURE_SIDE / 2;
  const picture = new Float32Array(PICTURE_PIXELS).fill(-1);
  for (let y = 0; y < PICTURE_SIDE; y++) {
    for (let x = 0; x < half; x++) {
      // Fuller towards the middle, which makes a body of it.
      const lit = random() < 0.2 + 0.15 * x + (y === 0 || y === PICTURE_SIDE - 1 ? -0.1 : 0.1);
      if (!lit) continue;
      picture[y * PICTURE_SIDE + x] = 1;
      picture[y * PICTURE_SIDE + PICTURE_SIDE - 1 - x] = 1;
    }
  }
  return picture;
}
