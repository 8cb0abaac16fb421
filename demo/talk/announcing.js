// SPDX-License-Identifier: MIT
import { element } from '../element.js';

/** Tells screen readers what is written, in whole paragraphs: token by token they would stumble. */
export class Announcing {
  #announcer = element('announcer');
  #unsaid = '';

  /** @param {string} piece */
  add(piece) {
    this.#unsaid += piece;
    const end = this.#unsaid.lastIndexOf('\n');
    if (end < 0) return;
    this.say(this.#unsaid.slice(0, end));
    this.#unsaid = this.#unsaid.slice(end + 1);
  }

  /** What is left, and how it ended. @param {string} end */
  finish(end) {
    this.say(`${this.#unsaid} (${end})`);
    this.#unsaid = '';
  }

  /** @param {string} text */
  say(text) {
    if (text.trim() !== '') this.#announcer.textContent = text.trim();
  }
}
