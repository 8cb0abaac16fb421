// SPDX-License-Identifier: MIT
import { noteResult, readAll, settled } from './writing.js';

/**
 * @import { Model } from 'fastweights'
 * @import { Listener, Plan } from './writing.js'
 */

/** For a model without a chat template: everything is one text, read anew for each way that it goes on. */
export class TextWriting {
  #model;
  #plan;
  #stopped = false;
  /** @type {Set<ReadableStreamDefaultReader<string>>} */
  #readers = new Set();

  /**
   * @param {Model} model
   * @param {Plan} plan
   */
  constructor(model, plan) {
    this.#model = model;
    this.#plan = plan;
  }

  get stopped() {
    return this.#stopped;
  }

  stop() {
    this.#stopped = true;
    for (const reader of this.#readers) reader.cancel().catch(() => {});
  }

  /** @param {Listener} listener */
  async run({ onBegin, onRead, onPiece, onEnd }) {
    const { question, answers, options } = this.#plan;
    const started = performance.now();
    const given = question.path.map(({ text }) => text).join('');
    const prompt = given + answers[0].text;
    // What somebody has just typed has not been read before.
    const isNew = question.children.every((child) => answers.includes(child));
    const fresh = isNew ? (await this.#model.tokenize(question.text + answers[0].text)).length : 0;
    onBegin((await this.#model.tokenize(prompt)).length);
    const asked = { ...options, onPrefill: onRead };
    const streams =
      answers.length > 1
        ? await this.#model.alternatives(prompt, answers.length, asked)
        : [this.#model.generate(prompt, asked)];
    const ends = streams.map(async (stream, i) => {
      const turn = answers[i];
      turn.cost = { backMs: 0, again: 0 };
      await readAll(stream, this.#readers, this.#stopped, (piece) => {
        if (turn.cost) turn.cost.firstMs ??= performance.now() - started;
        turn.add(piece);
        onPiece(turn, piece);
      });
      const result = await stream.result;
      const rereadTokens = Math.max(0, result.promptTokens.length - fresh);
      noteResult(turn, { ...result, rereadTokens });
      onEnd(turn, result);
    });
    await settled(ends);
  }
}
