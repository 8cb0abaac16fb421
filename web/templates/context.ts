// SPDX-License-Identifier: MIT
// JavaScript's values as Python's: what a template is given.
import { LimitError, MAX_DEPTH } from './budget.js';
import { Float, type Value } from './values.js';

/** Counts what it takes over. */
export class Context {
  /** Of all texts. */
  letters = 0;
  values = 0;

  /**
   * A value as JSON has it; whole numbers within 2^53 become ints. What is undefined in an object is
   * left out.
   *
   * @throws TypeError for what JSON has not; LimitError when it nests too deep
   */
  value(given: unknown, depth = 0): Value {
    if (depth > MAX_DEPTH) throw new LimitError(`a value nests deeper than ${MAX_DEPTH}`);
    this.values++;
    if (given === null || typeof given === 'boolean') return given;
    if (typeof given === 'string') {
      this.letters += given.length;
      return given;
    }
    if (typeof given === 'number') {
      return Number.isSafeInteger(given) ? given + 0 : new Float(given);
    }
    if (Array.isArray(given)) return given.map((item) => this.value(item ?? null, depth + 1));
    if (typeof given !== 'object')
      throw new TypeError(`a template cannot be given a ${typeof given}`);
    const dict = new Map<Value, Value>();
    for (const [name, item] of Object.entries(given)) {
      this.letters += name.length;
      if (item !== undefined) dict.set(name, this.value(item, depth + 1));
    }
    return dict;
  }
}
