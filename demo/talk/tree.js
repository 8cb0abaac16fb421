// SPDX-License-Identifier: MIT

/**
 * @import { Message } from 'fastweights'
 *
 * What it took to begin an answer, as measured.
 * @typedef {object} Cost
 * @property {number} backMs going back: copying the state, and cutting it to the place
 * @property {number} again tokens read that had been read, or written, before
 * @property {number} [firstMs] from the press on the button to the first token
 * @property {number} [tokens] written
 * @property {number} [perSecond]
 * @property {number} [seed]
 * @property {import('fastweights').FinishReason} [finishReason]
 */

/** A message of a conversation, and what has been said after it, in several ways perhaps. */
export class Turn {
  /** @type {Turn[]} */
  children = [];
  /** @type {Cost | undefined} */
  cost;
  /** Tokens that the state has read after it. @type {number | undefined} */
  usage;
  /** Which answer it shares its beginning with. @type {Turn | undefined} */
  from;
  /** Being written. */
  busy = false;
  /** Where each piece ends that the model wrote, a token but for characters of several. @type {number[]} */
  ends = [];

  /**
   * @param {number} id
   * @param {Turn | undefined} parent none: the beginning of everything, which has no words
   * @param {Message['role']} role
   * @param {string} text
   */
  constructor(id, parent, role, text) {
    this.id = id;
    this.parent = parent;
    this.role = role;
    this.text = text;
    /** How much of the text was there before this answer: given, or another answer's. */
    this.given = text.length;
    /** How much of it no model wrote: what comes before the first piece. */
    this.lead = text.length;
  }

  /** @param {string} piece */
  add(piece) {
    this.text += piece;
    this.ends.push(this.text.length);
  }

  /** The text up to a number of pieces. @param {number} pieces */
  upTo(pieces) {
    return this.text.slice(0, pieces === 0 ? this.lead : this.ends[pieces - 1]);
  }

  /** All turns from the first to this one. @returns {Turn[]} */
  get path() {
    return this.parent ? [...this.parent.path, this] : [];
  }

  /** @returns {Message} */
  get message() {
    return { role: this.role, content: this.text };
  }
}

/** Everything that has been said, and in which order: a tree, of which one path is read. */
export class Tree {
  root = new Turn(0, undefined, 'system', '');
  /** Where the conversation stands. */
  current = this.root;
  #next = 1;

  /**
   * @param {Turn} parent
   * @param {Message['role']} role
   * @param {string} text
   */
  add(parent, role, text) {
    const turn = new Turn(this.#next++, parent, role, text);
    parent.children.push(turn);
    return turn;
  }

  /**
   * An answer that begins as another one does.
   *
   * @param {Turn} answer
   * @param {number} pieces
   */
  fork(answer, pieces) {
    const turn = this.add(/** @type {Turn} */ (answer.parent), 'assistant', answer.upTo(pieces));
    turn.ends = answer.ends.slice(0, pieces);
    turn.lead = answer.lead;
    if (pieces > 0) turn.from = answer;
    return turn;
  }

  /**
   * A question, or the one that is there in the same words.
   *
   * @param {Turn} parent
   * @param {string} text
   */
  ask(parent, text) {
    const same = parent.children.find((turn) => turn.role === 'user' && turn.text === text);
    return same ?? this.add(parent, 'user', text);
  }

  /** Where the next question goes: after an answer, the latest one if none has been chosen. */
  get end() {
    const { current, root } = this;
    if (current === root || current.role === 'assistant') return current;
    return current.children.at(-1) ?? current.parent ?? root;
  }

  /** Takes back what came to nothing. @param {Turn} turn */
  remove(turn) {
    const { parent } = turn;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== turn);
    if (this.current.path.includes(turn)) this.current = parent;
  }

  /** Every turn, a turn before what came after it. @returns {Generator<Turn>} */
  *turns(from = this.root) {
    for (const child of from.children) {
      yield child;
      yield* this.turns(child);
    }
  }

  /**
   * Takes over another tree's turns, but for those that it has, and goes where that one stands.
   *
   * @param {Tree} other
   */
  merge(other) {
    const own = new Map([[other.root, this.root]]);
    for (const turn of other.turns()) {
      const { role, text, ends, given, lead, usage, cost, from } = turn;
      const parent = own.get(/** @type {Turn} */ (turn.parent)) ?? this.root;
      const same = parent.children.find((child) => child.role === role && child.text === text);
      own.set(turn, same ?? this.add(parent, role, text));
      if (same) continue;
      const made = /** @type {Turn} */ (parent.children.at(-1));
      Object.assign(made, { ends, given, lead, usage, cost, from: from && own.get(from) });
    }
    this.current = own.get(other.current) ?? this.current;
  }

  /**
   * Makes a conversation part of the tree, where it is not yet, and goes there.
   *
   * @param {readonly Message[]} messages
   */
  adopt(messages) {
    let turn = this.root;
    for (const { role, content } of messages) {
      const known = turn.children.find((child) => child.role === role && child.text === content);
      turn = known ?? this.add(turn, role, content);
    }
    this.current = turn;
    return turn;
  }
}
