// SPDX-License-Identifier: MIT

/**
 * @import { GenerationResult, GenerationStream } from 'fastweights'
 *
 * @typedef {object} Run
 * @property {number} tokens written so far, but for those that end a story and show nothing: 3 in 1000
 * @property {number} perSecond
 * @property {string} words the last ones
 */

const LAST_WORDS = 120;

/** A text of a million tokens, written in the background for what it takes, not for what it says. */
export class LongRun {
  static TOKENS = 1_000_000;
  #begin;
  #stopped = false;
  /** @type {ReadableStreamDefaultReader<string> | undefined} */
  #reader;

  /** @param {(options: { maxTokens: number, ignoreEos: boolean }) => Promise<GenerationStream>} begin */
  constructor(begin) {
    this.#begin = begin;
  }

  stop() {
    this.#stopped = true;
    this.#reader?.cancel().catch(() => {});
  }

  /**
   * @param {(run: Run) => void} onToken
   * @returns {Promise<GenerationResult>}
   */
  async run(onToken) {
    const stream = await this.#begin({ maxTokens: LongRun.TOKENS, ignoreEos: true });
    this.#reader = stream.getReader();
    if (this.#stopped) await this.#reader.cancel();
    const started = performance.now();
    let pieces = 0;
    let words = '';
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      pieces += 1;
      words = (words + value).slice(-LAST_WORDS);
      onToken({
        tokens: pieces,
        perSecond: (1000 * pieces) / (performance.now() - started),
        words,
      });
    }
    return stream.result;
  }
}
