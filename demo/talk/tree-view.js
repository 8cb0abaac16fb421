// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { difference, shortCost } from './cost-words.js';
import { make } from './words.js';

/**
 * @import { HeldSessions } from './held-sessions.js'
 * @import { Tree, Turn } from './tree.js'
 *
 * A row of the picture: how many branches it lies in from the first.
 * @typedef {{ turn: Turn, lane: number }} Row
 */

/**
 * The branches as rows, as histories of programs are drawn: what follows a turn first stays in its
 * lane, each other way begins one further to the right.
 *
 * @param {Turn} turn
 * @returns {Generator<Row>}
 */
export function* rowsOf(turn, lane = 0) {
  for (const [index, child] of turn.children.entries()) {
    const own = lane + Math.min(index, 1);
    yield { turn: child, lane: own };
    yield* rowsOf(child, own);
  }
}

/** All branches, each turn a button that goes there. */
export class TreeView {
  #list = element('branches');
  #onPick;

  /** @param {(turn: Turn) => void} onPick */
  constructor(onPick) {
    this.#onPick = onPick;
  }

  /**
   * @param {Tree} tree
   * @param {HeldSessions} [held]
   */
  show(tree, held) {
    const path = new Set(tree.current.path);
    const focused = document.activeElement?.closest('#branches li');
    const index = focused ? [...this.#list.children].indexOf(focused) : -1;
    const rows = [...rowsOf(tree.root)].map(({ turn, lane }) =>
      this.#row(turn, lane, path, tree, held),
    );
    this.#list.replaceChildren(...rows);
    element('no-branches').hidden = rows.length > 0;
    if (index >= 0) rows[index]?.querySelector('button')?.focus({ preventScroll: true });
    this.#reveal(rows.find((row) => row.querySelector('[aria-current]')));
  }

  // Within the list alone: the page stays where it is.
  /** @param {HTMLLIElement | undefined} row */
  #reveal(row) {
    if (!row) return;
    const list = this.#list;
    const top = row.offsetTop;
    const bottom = top + row.offsetHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }

  /** @type {(turn: Turn, lane: number, path: Set<Turn>, tree: Tree, held: HeldSessions | undefined) => HTMLLIElement} */
  #row(turn, lane, path, tree, held) {
    const asks = turn.role !== 'assistant';
    const words = turn.busy ? 'being written' : difference(turn) || 'no words';
    const pick = make('button', '', make('span', 'says', asks || turn.busy ? words : `“${words}”`));
    pick.type = 'button';
    if (turn.from) pick.append(make('span', 'fork', `parts after token ${sharedPieces(turn)}`));
    if (turn.cost) pick.append(make('span', 'cost', shortCost(turn.cost)));
    if (turn === tree.current) pick.setAttribute('aria-current', 'true');
    pick.addEventListener('click', () => this.#onPick(turn));
    const row = make('li', asks ? 'asks' : 'answers', pick);
    row.style.setProperty('--lane', String(Math.min(lane, 6)));
    row.classList.toggle('way', path.has(turn));
    row.classList.toggle('held', held?.has(turn) === true);
    row.classList.toggle('busy', turn.busy);
    return row;
  }
}

/** @param {Turn} turn */
const sharedPieces = ({ ends, given }) => ends.filter((end) => end <= given).length;
