// SPDX-License-Identifier: MIT

const SAMPLE_MS = 250;

/** One text being written: hands out its pieces and measures while it does. */
export class Writing {
  #model;
  #request;
  #stopped = false;
  #reader;

  /**
   * @param {import('fastweights').Model} model
   * @param {{ mode: 'continue' | 'ask', prompt: string, options: object }} request
   */
  constructor(model, request) {
    this.#model = model;
    this.#request = request;
  }

  /**
   * @param {(piece: string, live: object) => void} onPiece gets each piece with what is known so far
   * @returns {Promise<object | undefined>} result and memory; undefined when it was stopped before
   *     the prompt was read
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
      const memory = await this.#read(onPiece, started);
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

  // Memory is asked for between tokens, for as long as the text's state exists.
  async #read(onPiece, started) {
    const memory = { first: undefined, last: undefined, tokens: 0 };
    let pieces = 0;
    let firstAt = 0;
    let sampledAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      const { done, value } = await this.#reader.read();
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
