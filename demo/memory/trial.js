// SPDX-License-Identifier: MIT
import { AssociativeMemory } from 'fastweights';
import { makeKeys, withNoise } from './keys.js';
import { makePicture, PICTURE_PIXELS } from './pictures.js';
import { RULES } from './rules.js';

/**
 * @import { MemoryOptions } from 'fastweights'
 *
 * @typedef {object} Settings
 * @property {number} keyDim
 * @property {'random' | 'orthonormal'} keys
 * @property {number} pairs how many there are to write
 * @property {number} kept of everything, at each write of the rules that fade
 * @property {number} noise on a key when it is used to recall
 *
 * @typedef {{ pair: number, version: number }} Write
 *
 * What a rule recalls under each key, how wrong that is, and what the rule holds.
 * @typedef {object} Result
 * @property {Float32Array[]} recalled
 * @property {number[]} errors
 * @property {{ values: Float32Array | number[], columns: number, grows: boolean }} matrix
 * @property {number} bytes
 */

/**
 * Length of the difference of two arrays over that of the first: 0 is perfect, 1 knows nothing.
 * @type {(right: Float32Array, got: Float32Array) => number}
 */
function relativeError(right, got) {
  let difference = 0;
  let length = 0;
  for (let i = 0; i < right.length; i++) {
    difference += (right[i] - got[i]) ** 2;
    length += right[i] ** 2;
  }
  return Math.sqrt(difference / length);
}

/** @param {number[]} values */
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The same pairs in one memory of each rule. */
export class Trial {
  /**
   * What was written, in order: the number of a pair, and which picture of it.
   * @type {Write[]}
   */
  writes = [];
  /**
   * Mean error of each rule by the number of pairs stored.
   * @type {number[][]}
   */
  history = [];
  #settings;
  #keys;
  #queries;
  #memories;

  /** @param {Settings} settings */
  static async create(settings) {
    const { keyDim, kept } = settings;
    const made = await Promise.allSettled(
      RULES.map(({ rule, settings: own = () => ({}) }) =>
        AssociativeMemory.create(
          /** @type {MemoryOptions} */ ({ rule, keyDim, valueDim: PICTURE_PIXELS, ...own(kept) }),
        ),
      ),
    );
    const memories = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const failed = made.find((one) => one.status === 'rejected');
    if (!failed) return new Trial(settings, memories);
    for (const memory of memories) memory.dispose();
    throw failed.reason;
  }

  /**
   * @param {Settings} settings
   * @param {AssociativeMemory[]} memories
   */
  constructor(settings, memories) {
    this.#settings = settings;
    this.#keys = makeKeys(settings.keys, settings.pairs, settings.keyDim);
    this.#queries = this.#keys.map((key, i) => withNoise(key, i, settings.noise));
    this.#memories = memories;
  }

  get settings() {
    return this.#settings;
  }

  /** The picture that was last written under each key. */
  get pictures() {
    /** @type {Float32Array[]} */
    const pictures = [];
    for (const { pair, version } of this.writes) pictures[pair] = makePicture(pair, version);
    return pictures;
  }

  /** Whether another pair is left to write. */
  get unfinished() {
    return this.pictures.length < this.#settings.pairs;
  }

  /** Writes the next pair. */
  next() {
    this.write({ pair: this.pictures.length, version: 0 });
  }

  /**
   * Writes another picture under a key.
   * @param {number} pair
   */
  overwrite(pair) {
    const version =
      1 + Math.max(...this.writes.map((one) => (one.pair === pair ? one.version : 0)));
    this.write({ pair, version });
  }

  /** @param {Write} write */
  write({ pair, version }) {
    const key = this.#keys[pair];
    const value = makePicture(pair, version);
    for (const [i, memory] of this.#memories.entries()) {
      memory.write({ key, value, ...RULES[i].inputs?.(this.#settings.kept) });
    }
    this.writes.push({ pair, version });
    this.#measure();
  }

  /**
   * Writes what another trial did, as far as there are pairs for it.
   * @param {Write[]} writes
   */
  repeat(writes) {
    for (const write of writes) if (write.pair < this.#settings.pairs) this.write(write);
  }

  /**
   * Uses other queries, for the past as well.
   * @param {number} noise
   */
  setNoise(noise) {
    this.#settings = { ...this.#settings, noise };
    this.#queries = this.#keys.map((key, i) => withNoise(key, i, noise));
    const { writes } = this;
    this.reset();
    this.repeat(writes);
  }

  reset() {
    for (const memory of this.#memories) memory.reset();
    this.writes = [];
    this.history = [];
  }

  /** @returns {Result[]} */
  results() {
    const { pictures } = this;
    return this.#memories.map((memory, i) => {
      const recalled = this.#recall(memory, pictures.length);
      const errors = pictures.map((picture, pair) => relativeError(picture, recalled[pair]));
      const matrix = this.#matrix(i);
      // Rows are set aside 64 at a time: what grows is what is in them.
      const bytes = matrix.grows ? 4 * matrix.values.length : memory.stateBytes;
      return { recalled, errors, matrix, bytes };
    });
  }

  /** Gives the memories back. */
  dispose() {
    for (const memory of this.#memories) memory.dispose();
  }

  // The state of a rule; of one that has none the keys and values that it keeps, a row for each.
  /** @param {number} rule */
  #matrix(rule) {
    const { keyDim } = this.#settings;
    if (RULES[rule].rule !== 'softmax') {
      return { values: this.#memories[rule].state, columns: PICTURE_PIXELS, grows: false };
    }
    const values = this.writes.flatMap(({ pair, version }) => [
      ...this.#keys[pair],
      ...makePicture(pair, version),
    ]);
    return { values, columns: keyDim + PICTURE_PIXELS, grows: true };
  }

  #measure() {
    const { pictures } = this;
    this.history[pictures.length] = this.#memories.map((memory) => {
      const recalled = this.#recall(memory, pictures.length);
      return mean(pictures.map((picture, pair) => relativeError(picture, recalled[pair])));
    });
  }

  /** @type {(memory: AssociativeMemory, count: number) => Float32Array[]} */
  #recall(memory, count) {
    if (count === 0) return [];
    const { keyDim } = this.#settings;
    const queries = new Float32Array(count * keyDim);
    for (let i = 0; i < count; i++) queries.set(this.#queries[i], i * keyDim);
    const values = memory.read(queries);
    return Array.from({ length: count }, (_, i) =>
      values.subarray(i * PICTURE_PIXELS, (i + 1) * PICTURE_PIXELS),
    );
  }
}
