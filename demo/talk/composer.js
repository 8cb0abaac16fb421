// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { button } from './words.js';

/**
 * @import { GenerationOptions } from 'fastweights'
 *
 * @typedef {{ ask: string, begin?: string }} Example
 *
 * What somebody wants to be written: an answer to a message, with a beginning perhaps.
 * @typedef {{ text: string, begin: string, count: number, options: GenerationOptions }} Wish
 */

/** Where messages are written, and how answers are to be. */
export class Composer {
  #form = element('composer', HTMLFormElement);
  #prompt = element('prompt', HTMLTextAreaElement);
  #begin = element('begin', HTMLInputElement);
  #temperature = element('temperature', HTMLInputElement);
  #seed = element('seed', HTMLInputElement);
  #maxTokens = element('max-tokens', HTMLInputElement);
  #details = element('how', HTMLDetailsElement);

  /** @param {(wish: Wish) => void} onWish */
  constructor(onWish) {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      const count = event.submitter?.id === 'four' ? 4 : 1;
      const wish = { text: this.#prompt.value, begin: this.#begin.value, count };
      if (wish.text.trim() === '') this.#prompt.focus();
      else onWish({ ...wish, options: this.options });
    });
    // What is wrong with a setting must be seen.
    this.#form.addEventListener('invalid', () => this.#details.setAttribute('open', ''), true);
    this.#temperature.addEventListener('input', () => {
      const value = Number(this.#temperature.value).toFixed(2).replace(/0$/, '');
      element('temperature-value').textContent = value;
    });
    this.#prompt.addEventListener('keydown', (event) => {
      // Enter that ends a composition, as in Japanese, is not meant for us.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#form.requestSubmit(element('write'));
    });
  }

  /**
   * Going back takes back the draws as well: without a seed of its own another answer would be the same.
   *
   * @returns {GenerationOptions}
   */
  get options() {
    const seed = this.#seed.value;
    return {
      temperature: Number(this.#temperature.value),
      maxTokens: Number(this.#maxTokens.value),
      seed: seed === '' ? crypto.getRandomValues(new Uint32Array(1))[0] : Number(seed),
    };
  }

  /**
   * Another model: what one might begin with.
   * @type {(examples: Example[], label: string, isBeginning: boolean) => void}
   */
  start(examples, label, isBeginning) {
    element('prompt-label').textContent = label;
    this.#prompt.placeholder = label;
    const chips = examples.map((example) => {
      const words = example.begin ? `${example.ask} “${example.begin}…”` : example.ask;
      return button(words, '', () => this.fill(example));
    });
    element('chips').replaceChildren(...chips);
    this.#form.hidden = false;
    this.fill(isBeginning ? examples[0] : { ask: '' });
  }

  /** @param {Example} example */
  fill({ ask, begin = '' }) {
    this.#prompt.value = ask;
    this.#begin.value = begin;
    if (begin !== '') this.#details.open = true;
    this.#prompt.focus({ preventScroll: true });
    this.#prompt.setSelectionRange(ask.length, ask.length);
  }

  /** Nothing is to be sent twice. */
  clear() {
    this.#prompt.value = '';
    this.#begin.value = '';
  }

  /** @param {number} seed */
  takeSeed(seed) {
    this.#seed.value = String(seed);
    this.#details.open = true;
    this.#seed.focus();
  }

  /** Examples are for beginnings. @param {boolean} isBeginning */
  showExamples(isBeginning) {
    element('chips').hidden = !isBeginning;
  }
}
