// SPDX-License-Identifier: MIT
import { element } from '../element.js';

/** @import { GenerationStream, Model, Session } from 'fastweights' */

/** A few sentences with a model: a conversation, or a text to go on with where it knows no other. */
export class Trial {
  #answer = element('answer');
  #figures = element('figures');
  #model;
  /** @type {Session | undefined} */
  #session;
  /** @type {AbortController | undefined} */
  #writing;

  /** @param {Model} model */
  constructor(model) {
    this.#model = model;
    this.#answer.textContent = '';
    this.#figures.textContent = '';
  }

  get busy() {
    return this.#writing !== undefined;
  }

  stop() {
    this.#writing?.abort();
  }

  /** @param {string} prompt */
  async write(prompt) {
    const writing = new AbortController();
    this.#writing = writing;
    this.#answer.textContent = '';
    this.#answer.setAttribute('aria-busy', 'true');
    try {
      const stream = await this.#begin(prompt, writing.signal);
      for await (const piece of stream) this.#answer.append(piece);
      const { tokens, timings, finishReason } = await stream.result;
      const cut = finishReason === 'length' ? ', cut at the limit' : '';
      this.#figures.textContent =
        `${tokens.length} tokens${cut}, ${timings.decodeTokensPerSecond.toFixed(1)} a second; ` +
        `the first after ${Math.round(timings.timeToFirstTokenMs)} ms.`;
    } catch (error) {
      if (!writing.signal.aborted) throw error;
      this.#figures.textContent = 'Stopped.';
    } finally {
      this.#answer.removeAttribute('aria-busy');
      this.#writing = undefined;
    }
  }

  /** @type {(prompt: string, signal: AbortSignal) => Promise<GenerationStream>} */
  async #begin(prompt, signal) {
    const options = { maxTokens: 500, signal };
    try {
      this.#session ??= await this.#model.createSession({ thinking: false });
      await this.#session.countTokens(prompt);
      return this.#session.promptStreaming(prompt, options);
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error).code !== 'chat_template') throw error;
      this.#answer.textContent = prompt;
      return this.#model.generate(prompt, options);
    }
  }
}
