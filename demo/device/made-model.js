// SPDX-License-Identifier: MIT

/** @import { Answer, Question, Wish } from './weights-worker.js' */

/** Models with random weights, made in a worker. One question at a time. */
export class ModelMaker {
  #worker = new Worker(new URL('./weights-worker.js', import.meta.url), { type: 'module' });
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {Wish} wish @returns {Promise<number>} bytes of its weights; nothing is made */
  async bytes(wish) {
    const said = await this.#ask({ describe: wish });
    return 'bytes' in said ? said.bytes : 0;
  }

  /**
   * The file, made as it is read: only the piece that is under way is held.
   *
   * @param {Wish} wish
   * @returns {ReadableStream<Uint8Array>}
   */
  stream(wish) {
    let begun = false;
    return new ReadableStream(
      {
        pull: async (controller) => {
          const said = await this.#ask(begun ? { next: true } : { begin: wish });
          begun = true;
          const piece = 'piece' in said ? said.piece : undefined;
          if (piece) controller.enqueue(piece);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  close() {
    this.#worker.terminate();
  }

  /** @param {Question} question @returns {Promise<Answer>} */
  #ask(question) {
    const answer = this.#last.then(() => this.#exchange(question));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** @param {Question} question @returns {Promise<Answer>} */
  #exchange(question) {
    return new Promise((resolve, reject) => {
      this.#worker.onmessage = ({ data }) => {
        if ('error' in data) reject(new Error(`the weights cannot be made: ${data.error}`));
        else resolve(data);
      };
      this.#worker.onerror = ({ message }) =>
        reject(new Error(`the worker that makes weights failed: ${message || 'no reason given'}`));
      this.#worker.postMessage(question);
    });
  }
}
