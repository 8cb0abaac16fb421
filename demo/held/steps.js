// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { Step, visible } from './step.js';

/** @import { TokenLogprob, ToolCall } from 'fastweights' */

/** The tokens of an answer, each with what it was chosen from. */
export class Steps {
  #place = element('answer');
  #step = new Step();
  /** @type {HTMLElement} where tokens go */
  #line = this.#place;
  /** @type {TokenLogprob[]} */
  #entries = [];
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  #vocabSize = 0;
  #chosen = -1;
  // Follows the newest token until somebody chooses one.
  #follows = true;
  /** @type {number | undefined} a frame that is waited for */
  #frame;

  constructor() {
    this.#place.addEventListener('click', ({ target }) => {
      const index = this.#buttons.indexOf(/** @type {HTMLButtonElement} */ (target));
      if (index >= 0) this.#choose(index, true);
    });
    this.#place.addEventListener('keydown', (event) => this.#move(event));
  }

  /** @param {number} vocabSize */
  begin(vocabSize) {
    this.#vocabSize = vocabSize;
    this.#entries = [];
    this.#buttons = [];
    this.#chosen = -1;
    this.#follows = true;
    this.#place.replaceChildren();
    this.#step.hide();
    element('empty').hidden = true;
    element('key').hidden = false;
    this.#place.setAttribute('aria-busy', 'true');
  }

  /** @param {TokenLogprob} entry */
  add(entry) {
    const { text, allowed } = entry;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'token';
    button.classList.toggle('forced', allowed?.count === 1);
    button.textContent = visible(text);
    // One stop of the tab key for all of them, arrows from there.
    button.tabIndex = this.#buttons.length === 0 ? 0 : -1;
    const count = allowed?.count ?? this.#vocabSize;
    button.ariaLabel = `${JSON.stringify(text)}, ${count} allowed`;
    button.style.setProperty('--room', String(Math.log(count) / Math.log(this.#vocabSize)));
    this.#buttons.push(button);
    this.#entries.push(entry);
    if (this.#line !== this.#place.lastElementChild) this.#newLine();
    this.#line.append(button);
    if (this.#follows) this.#follow();
  }

  /** A tool was run: what follows is another answer. @type {(call: ToolCall, result: string) => void} */
  called({ name, arguments: given }, result) {
    const card = document.createElement('p');
    card.className = 'called';
    const call = document.createElement('code');
    call.textContent = `${name}(${JSON.stringify(given)})`;
    const gave = document.createElement('code');
    gave.textContent = result;
    card.append('This page ran ', call, ', which gave ', gave, '. The model reads that next.');
    this.#place.append(card);
  }

  /** @returns {{ tokens: number, forced: number, text: string }} what has been written */
  finish() {
    this.#place.removeAttribute('aria-busy');
    const forced = this.#entries.filter(({ allowed }) => allowed?.count === 1).length;
    const text = this.#entries.map((entry) => entry.text).join('');
    return { tokens: this.#entries.length, forced, text };
  }

  // Once a frame: tokens come faster than that.
  #follow() {
    if (this.#frame !== undefined) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      if (!this.#follows || this.#buttons.length === 0) return;
      this.#choose(this.#buttons.length - 1, false);
      this.#place.scrollTop = this.#place.scrollHeight;
    });
  }

  #newLine() {
    this.#line = document.createElement('p');
    this.#line.className = 'line';
    this.#place.append(this.#line);
  }

  /** @type {(index: number, byHand: boolean) => void} */
  #choose(index, byHand) {
    if (byHand) this.#follows = false;
    const before = this.#buttons[this.#chosen];
    if (before) {
      before.tabIndex = -1;
      before.ariaPressed = 'false';
    }
    this.#chosen = index;
    const button = this.#buttons[index];
    button.tabIndex = 0;
    button.ariaPressed = 'true';
    this.#step.show(this.#entries[index], index, this.#vocabSize);
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
    if (by === undefined || this.#buttons.length === 0) return;
    event.preventDefault();
    const last = this.#buttons.length - 1;
    const index = Math.min(last, Math.max(0, this.#chosen + by));
    this.#choose(index, true);
    this.#buttons[index].focus();
  }
}
