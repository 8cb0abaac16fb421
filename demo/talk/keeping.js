// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { forgetTalk, isTalkKept, keepTalk, keepTexts, resumeTalk } from './kept-talk.js';
import { saveTalk } from './saved-talk.js';

/**
 * @import { Model } from 'fastweights'
 * @import { Talk } from './talk.js'
 *
 * @typedef {object} Surroundings
 * @property {() => Talk | undefined} talk
 * @property {() => boolean} embedded whether the site's own model runs
 * @property {() => void} onForgotten
 * @property {(error: unknown) => void} onFailure
 */

const SURE_MS = 5000;
const SOON_MS = 400;

/** The conversation in this browser after each answer, and in a file when somebody wants it. */
export class Keeping {
  #words = element('kept');
  #forget = element('forget', HTMLButtonElement);
  #surroundings;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #beingKept = 0;

  /** @param {Surroundings} surroundings */
  constructor(surroundings) {
    this.#surroundings = surroundings;
    element('save').addEventListener('click', () => this.#save());
    this.#forget.addEventListener('click', () => this.#startOver());
    // A page that comes back as it was goes on with its answer itself.
    addEventListener('pagehide', ({ persisted }) => {
      if (!persisted) this.#keepAtLast();
    });
  }

  get isKept() {
    return isTalkKept();
  }

  /** @param {Model} model */
  async resume(model) {
    const resumed = await resumeTalk(model, this.#surroundings.embedded());
    const turns = [...resumed.talk.tree.turns()].length;
    this.#words.textContent =
      turns > 0
        ? 'Gone on with what this browser had kept.'
        : 'Kept in this browser after each answer, and nowhere else.';
    return resumed;
  }

  /** Somebody has gone to another place, and may go further. */
  keepSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keep(), SOON_MS);
  }

  /** Keeps what has been said and the state after the last answer; until then the words about it are busy. */
  async keep() {
    const talk = this.#surroundings.talk();
    if (!talk) return;
    clearTimeout(this.#timer);
    this.#beingKept += 1;
    this.#words.setAttribute('aria-busy', 'true');
    try {
      await keepTalk(talk, this.#surroundings.embedded());
      this.#words.textContent = 'Kept in this browser: after a reload it goes on from here.';
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      this.#words.textContent = `This browser could not keep it (${message}): save it to a file.`;
    } finally {
      this.#beingKept -= 1;
      if (this.#beingKept === 0) this.#words.removeAttribute('aria-busy');
    }
  }

  // The page goes: there is no time for a state, but for what an answer has come to.
  #keepAtLast() {
    const talk = this.#surroundings.talk();
    if (!talk || talk.tree.root.children.length === 0) return;
    try {
      keepTexts(talk, this.#surroundings.embedded(), { unfinished: true });
    } catch {
      // Nobody is left to be told.
    }
  }

  async #save() {
    const talk = this.#surroundings.talk();
    if (!talk) return;
    try {
      const url = URL.createObjectURL(await saveTalk(talk, this.#surroundings.embedded()));
      const link = document.createElement('a');
      link.href = url;
      link.download = 'conversation.fwtalk';
      link.click();
      // The browser has taken hold of it by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch (error) {
      this.#surroundings.onFailure(error);
    }
  }

  // All branches are lost: the second press means it.
  async #startOver() {
    const talk = this.#surroundings.talk();
    if (!talk) return;
    if (this.#forget.dataset.sure !== 'yes') {
      this.#forget.dataset.sure = 'yes';
      this.#forget.textContent = 'Forget all branches?';
      setTimeout(() => this.#calm(), SURE_MS);
      return;
    }
    this.#calm();
    try {
      await forgetTalk(talk.model, this.#surroundings.embedded());
      this.#words.textContent = 'Forgotten.';
    } catch (error) {
      this.#surroundings.onFailure(error);
    }
    this.#surroundings.onForgotten();
  }

  #calm() {
    this.#forget.dataset.sure = 'no';
    this.#forget.textContent = 'Start over';
  }
}
