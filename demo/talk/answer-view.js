// SPDX-License-Identifier: MIT
import { costOfBeginning, costOfWriting } from './cost-words.js';
import { siblings } from './siblings.js';
import { button, make } from './words.js';

/**
 * @import { Turn } from './tree.js'
 *
 * What can be asked for in a text.
 * @typedef {object} Actions
 * @property {(answer: Turn, pieces: number, count: number) => void} goOn from a place in an answer
 * @property {(question: Turn, count: number) => void} again other answers to a question
 * @property {(question: Turn) => void} edit
 * @property {(turn: Turn) => void} goTo
 * @property {(seed: number) => void} takeSeed
 */

/** An answer: its text, every piece of which is a place to go on from, and what it took. */
export class AnswerView {
  #turn;
  #actions;
  #body = make('p', 'body');
  #given = make('span', 'given');
  #note = make('p', 'aside note');
  #bar = make('div', 'places');
  #ways = make('span', 'ways');
  #tools = make('span', 'tools');
  #range = make('input', '');
  #told = make('output', '');
  #goOn = button('Go on from here', 'go-on', () => this.#act(1));
  #four = button('Four ways from here', 'four-ways', () => this.#act(4));
  #here = make('span', 'here', this.#goOn, this.#four);
  /** @type {HTMLSpanElement[]} */
  #pieces = [];

  /**
   * @param {Turn} turn
   * @param {Actions} actions
   */
  constructor(turn, actions) {
    this.#turn = turn;
    this.#actions = actions;
    this.element = make('article', 'answer', make('h3', 'unseen', 'Answer'), this.#body);
    this.#body.append(this.#given);
    this.#body.addEventListener('click', (event) => this.#pick(event));
    this.#range.type = 'range';
    this.#range.min = '0';
    this.#range.addEventListener('input', () => this.#place(Number(this.#range.value)));
    const label = make('label', '', make('span', '', 'Click any word, or move'), this.#range);
    this.#tools.append(label, this.#told, this.#here);
    this.#bar.append(this.#ways, this.#tools);
    this.element.append(this.#note, this.#bar);
    this.update();
  }

  /** Shows what has been written since it was last asked to. */
  grow() {
    const { ends } = this.#turn;
    while (this.#pieces.length < ends.length) this.#addPiece(this.#pieces.length);
  }

  /** Shows what the turn has become. */
  update() {
    const { ends, text, lead, busy, cost } = this.#turn;
    this.#given.textContent = text.slice(0, lead);
    this.grow();
    if (busy) this.element.setAttribute('aria-busy', 'true');
    else this.element.removeAttribute('aria-busy');
    this.#bar.hidden = busy;
    this.#tools.hidden = ends.length === 0;
    this.#ways.replaceChildren(...siblings(this.#turn, this.#actions.goTo));
    if (!busy && this.#range.max !== String(ends.length)) {
      this.#range.max = String(ends.length);
      this.#range.value = this.#range.max;
      this.#place(ends.length);
    }
    this.#showNote(cost);
  }

  /** @param {number} i */
  #addPiece(i) {
    const { text, ends, given, lead } = this.#turn;
    const start = i === 0 ? lead : ends[i - 1];
    const piece = make(
      'span',
      ends[i] <= given ? 'piece given' : 'piece',
      text.slice(start, ends[i]),
    );
    this.#pieces.push(piece);
    this.#body.append(piece);
  }

  /** @param {Turn['cost']} cost */
  #showNote(cost) {
    this.#note.hidden = cost === undefined;
    if (!cost) return;
    const [read, ...others] = [...costOfBeginning(cost), ...costOfWriting(cost)];
    this.#note.replaceChildren(make('strong', '', read), `${['', ...others].join(', ')}. `);
    const { seed } = cost;
    if (seed === undefined) return;
    const again = button(String(seed), 'link seed', () => this.#actions.takeSeed(seed));
    again.title = 'Write with this seed again';
    this.#note.append('Seed ', again);
  }

  /** @param {MouseEvent} event */
  #pick({ target }) {
    if (this.#bar.hidden || !(target instanceof HTMLElement)) return;
    // Somebody who selects text wants the text.
    if (!target.classList.contains('piece') || !getSelection()?.isCollapsed) return;
    const pieces = this.#pieces.indexOf(target) + 1;
    // The same word again takes it back.
    this.#range.value = this.#range.value === String(pieces) ? this.#range.max : String(pieces);
    this.#place(Number(this.#range.value));
  }

  /** Shows how much of the answer stays. @param {number} pieces */
  #place(pieces) {
    const all = this.#turn.ends.length;
    for (const [i, span] of this.#pieces.entries()) span.classList.toggle('leaves', i >= pieces);
    // What can be done stands where it would be done.
    if (pieces === all) this.#tools.append(this.#here);
    else (this.#pieces[pieces - 1] ?? this.#given).after(this.#here);
    const words = pieces === all ? 'at the end' : `after token ${pieces} of ${all}`;
    this.#told.textContent = words;
    this.#range.setAttribute('aria-valuetext', words);
    // An answer that came to its end by itself has nothing to go on with.
    const over = pieces === all && this.#turn.cost?.finishReason === 'stop';
    this.#goOn.disabled = over;
    this.#four.disabled = over;
  }

  /** @param {number} count */
  #act(count) {
    const pieces = Number(this.#range.value);
    this.#range.value = this.#range.max;
    this.#place(this.#turn.ends.length);
    this.#actions.goOn(this.#turn, pieces, count);
  }
}
