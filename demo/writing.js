// SPDX-License-Identifier: MIT

const SAMPLE_MS = 250;

/**
 * @import { GenerationOptions, GenerationResult, MemoryUse, Model } from 'fastweights'
 *
 * @typedef {{ mode: 'continue' | 'ask', prompt: string, options: GenerationOptions }} Request
 *
 * What is known of a text while it is written. A piece is a token, but for characters of several.
 * @typedef {object} Live
 * @property {number} pieces
 * @property {number} [perSecond]
 * @property {number} timeToFirstTokenMs
 * @property {MemoryUse} [memory]
 *
 * Memory at the first token and at the last, and how many tokens there were between the two.
 * @typedef {{ first?: MemoryUse, last?: MemoryUse, tokens: number }} Samples
 *
 * @typedef {{ result: GenerationResult, memory: Samples }} Outcome
 */

/** One text being written: hands out its pieces and measures while it does. */
export class Writing {
  #model;
  #request;
  #stopped = false;
  /** @type {ReadableStreamDefaultReader<string> | undefined} */
  #reader;

  /**
   * @param {Model} model
   * @param {Request} request
   */
  constructor(model, request) {
    this.#model = model;
    this.#request = request;
  }

  /**
   * @param {(piece: string, live: Live) => void} onPiece gets each piece with what is known so far
   * @returns {Promise<Outcome | undefined>} undefined when it was stopped before the prompt was read
   */
  async run(onPiece) {
    const { mode, prompt, options } = this.#request;
    const started = performance.now();
    const session =
      mode === 'ask' ? await this.#model.createSession({ thinking: false }) : undefined;
    try {
      if (this.#stopped) return undefined;
      const stream = session
        ? session.promptStreaming(prompt, options)
        : this.#model.generate(prompt, options);
      this.#reader = stream.getReader();
      const memory = await this.#read(this.#reader, onPiece, started);
      const result = await stream.result;
      return { result, memory };
    } catch (error) {
      if (this.#stopped) return undefined;
      throw error;
    } finally {
      session?.destroy();
    }
  }

  /** Ends the text within one token; what is there stays. */
  stop() {
    this.#stopped = true;
    this.#reader?.cancel().catch(() => {});
  }

  /**
   * Memory is asked for between tokens, for as long as the text's state exists.
   *
   * @param {ReadableStreamDefaultReader<string>} reader
   * @param {(piece: string, live: Live) => void} onPiece
   * @param {number} started
   */
  async #read(reader, onPiece, started) {
    /** @type {Samples} */
    const memory = { tokens: 0 };
    let pieces = 0;
    let firstAt = 0;
    let sampledAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#stopped) return memory;
      const now = performance.now();
      pieces += 1;
      if (pieces === 1) firstAt = now;
      if (now - sampledAt >= SAMPLE_MS) {
        sampledAt = now;
        memory.last = await this.#model.memory();
        memory.first ??= memory.last;
        memory.tokens = pieces - 1;
      }
      onPiece(value, {
        pieces,
        perSecond: pieces > 1 ? (1000 * (pieces - 1)) / (now - firstAt) : undefined,
        timeToFirstTokenMs: firstAt - started,
        memory: memory.last,
      });
    }
  }
}
