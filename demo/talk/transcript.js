// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { AnswerView } from './answer-view.js';
import { QuestionView } from './question-view.js';
import { button, make } from './words.js';

/**
 * @import { Actions } from './answer-view.js'
 * @import { Turn } from './tree.js'
 */

const MARGIN_PX = 16;
/** Somebody whose place is further away than this is not following. */
const NEAR_PX = 220;

/** The text of the branch that the conversation stands in. */
export class Transcript {
  #section = element('texts');
  #actions;
  #following = 0;
  /** @type {WeakMap<Turn, AnswerView | QuestionView>} */
  #views = new WeakMap();

  /** @param {Actions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /**
   * Shows the text up to a turn.
   *
   * @param {Turn} turn
   * @param {Turn[]} abreast answers to it, side by side, none of which has been chosen
   */
  show(turn, abreast = []) {
    const articles = turn.path.map((said) => this.#viewOf(said).element);
    if (abreast.length > 0) articles.push(this.#abreast(abreast));
    if (articles.length === 0) articles.push(make('p', 'empty', 'What is said appears here.'));
    // What is there already stays where it is: replacing it would take the focus away.
    const section = this.#section;
    for (const [i, article] of articles.entries()) {
      if (section.children[i] !== article)
        section.insertBefore(article, section.children[i] ?? null);
    }
    while (section.children.length > articles.length) section.lastElementChild?.remove();
    for (const said of [...turn.path, ...abreast]) this.#viewOf(said).update();
  }

  /** Shows what has been written of a turn. @param {Turn} turn */
  grow(turn) {
    this.#viewOf(turn).grow();
  }

  /** Shows what a turn has become. @param {Turn} turn */
  update(turn) {
    this.#viewOf(turn).update();
  }

  /** Scrolls to an answer that begins. @param {Turn} turn */
  reveal(turn) {
    const { element: article } = this.#viewOf(turn);
    const { top } = article.getBoundingClientRect();
    if (top > 0 && top < 0.7 * innerHeight) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    article.scrollIntoView({ block: 'center', behavior: calm ? 'instant' : 'smooth' });
  }

  /** Keeps the last words of an answer in view, unless somebody reads elsewhere. @param {Turn} turn */
  follow(turn) {
    this.#following ||= requestAnimationFrame(() => {
      this.#following = 0;
      const { bottom } = this.#viewOf(turn).element.getBoundingClientRect();
      // The composer may lie over the end of the page.
      const end = Math.min(innerHeight, element('composer').getBoundingClientRect().top);
      const below = bottom + MARGIN_PX - end;
      if (below > 0 && below < NEAR_PX) scrollBy({ top: below, behavior: 'instant' });
    });
  }

  /** @param {Turn} turn */
  #viewOf(turn) {
    let view = this.#views.get(turn);
    if (!view) {
      const Kind = turn.role === 'assistant' ? AnswerView : QuestionView;
      view = new Kind(turn, this.#actions);
      this.#views.set(turn, view);
    }
    return view;
  }

  /** @param {Turn[]} answers */
  #abreast(answers) {
    const columns = answers.map((answer) => {
      const choose = button('Go on with this one', 'choose', () => this.#actions.goTo(answer));
      return make('div', 'column', this.#viewOf(answer).element, choose);
    });
    return make('div', 'abreast', ...columns);
  }
}
