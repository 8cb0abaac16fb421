// SPDX-License-Identifier: MIT

/** What a page holds of a worker whose side `answers` each of its messages, by `reply`. */
export class FakeWorker extends EventTarget {
  sent = [];
  terminated = false;
  #answers;

  constructor(answers = () => {}) {
    super();
    this.#answers = answers;
  }

  postMessage(message) {
    this.sent.push(structuredClone(message));
    this.#answers(message, (reply) => this.say({ fastweights: 1, ...reply }));
  }

  say(data) {
    this.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) }));
  }

  fail(facts) {
    this.dispatchEvent(Object.assign(new Event('error'), facts));
  }

  terminate() {
    this.terminated = true;
  }
}
