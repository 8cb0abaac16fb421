// SPDX-License-Identifier: MIT

// FNV-1a, spread by the finaliser of MurmurHash3.
/** @param {string} text */
function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return scramble(h);
}

/** @param {number} x */
function scramble(x) {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Seeded xoshiro128**: the same seed and stream name give the same numbers on every machine. */
export class RandomStream {
  #state = new Int32Array(4);

  /**
   * @param {number | string} seed
   * @param {string} [name] streams of different names are independent
   */
  constructor(seed, name = '') {
    let x = hash(`${seed}/${name}`);
    for (let i = 0; i < 4; i++) {
      x = (x + 0x9e3779b9) | 0;
      this.#state[i] = scramble(x);
    }
    if (this.#state.every((word) => word === 0)) this.#state[0] = 1;
  }

  /** @param {Uint32Array} words overwritten with random bits */
  fill(words) {
    let [a, b, c, d] = this.#state;
    for (let i = 0; i < words.length; i++) {
      const x = Math.imul(b, 5);
      words[i] = Math.imul((x << 7) | (x >>> 25), 9);
      const t = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= t;
      d = (d << 11) | (d >>> 21);
    }
    this.#state.set([a, b, c, d]);
  }

  /**
   * @param {number} count
   * @returns {Uint8Array}
   */
  bytes(count) {
    const words = new Uint32Array(Math.ceil(count / 4));
    this.fill(words);
    return new Uint8Array(words.buffer, 0, count);
  }

  /**
   * @param {number} count
   * @param {number} low
   * @param {number} high
   * @returns {Float64Array} uniform in [low, high)
   */
  uniform(count, low, high) {
    const words = new Uint32Array(count);
    this.fill(words);
    const numbers = new Float64Array(count);
    const step = (high - low) / 4294967296;
    for (let i = 0; i < count; i++) numbers[i] = low + step * words[i];
    return numbers;
  }

  /**
   * @param {number} count
   * @param {number} [deviation]
   * @returns {Float64Array} normal, mean 0
   */
  normal(count, deviation = 1) {
    const radii = this.uniform(count, 0, 1);
    const angles = this.uniform(count, 0, 2 * Math.PI);
    return radii.map((u, i) => deviation * Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(angles[i]));
  }
}
