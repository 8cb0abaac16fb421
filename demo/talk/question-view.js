// SPDX-License-Identifier: MIT
import { siblings } from './siblings.js';
import { button, make } from './words.js';

/**
 * @import { Actions } from './answer-view.js'
 * @import { Turn } from './tree.js'
 */

const SPEAKERS = { system: 'Instructions', user: 'You', assistant: 'Answer', tool: 'A tool' };

/** A message that is not the model's, and what can be done with it. */
export class QuestionView {
  #turn;
  #actions;
  #ways = make('span', 'ways');

  /**
   * @param {Turn} turn
   * @param {Actions} actions
   */
  constructor(turn, actions) {
    this.#turn = turn;
    this.#actions = actions;
    const bar = make('div', 'places', this.#ways);
    bar.append(
      button('Edit', 'edit', () => actions.edit(turn)),
      button('Another answer', 'another', () => actions.again(turn, 1)),
      button('Four side by side', 'again-four', () => actions.again(turn, 4)),
    );
    this.element = make('article', 'question', make('h3', '', SPEAKERS[turn.role]));
    this.element.append(make('p', 'body', turn.text), bar);
    this.update();
  }

  /** Nothing of it is written by degrees. */
  grow() {}

  update() {
    this.#ways.replaceChildren(...siblings(this.#turn, this.#actions.goTo));
  }
}
