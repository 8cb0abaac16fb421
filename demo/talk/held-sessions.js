// SPDX-License-Identifier: MIT

/**
 * @import { Session } from 'fastweights'
 * @import { Turn } from './tree.js'
 */

/** Of states that wait to be gone back to. What has to give way is read again when it is wanted. */
const MOST_BYTES = 128e6;

/** @param {Session} session */
function bytesOf({ memory }) {
  return memory.stateBytes + memory.kvBytes + memory.checkpointBytes;
}

/**
 * Sessions, each as it is after one turn of the tree. All places of the tree are reached from them: by
 * a copy of the one that shares most with the way there, which goes back to where that way leaves it.
 */
export class HeldSessions {
  /** The latest used last. @type {Map<Turn, Session>} */
  #held = new Map();

  /** @param {Session} root in which nothing has been said */
  constructor(root) {
    this.root = root;
  }

  /** What they hold, without the places that they can go back to. */
  get bytes() {
    return [this.root, ...this.#held.values()].reduce(
      (sum, { memory }) => sum + memory.stateBytes + memory.kvBytes,
      0,
    );
  }

  /** @param {Turn} turn */
  has(turn) {
    return this.#held.has(turn);
  }

  /** @param {Turn} turn */
  get(turn) {
    return this.#held.get(turn);
  }

  /**
   * Keeps a session for a turn; those that were used least recently give way.
   *
   * @param {Turn} turn
   * @param {Session} session
   */
  hold(turn, session) {
    this.#held.get(turn)?.destroy();
    this.#held.set(turn, session);
    let bytes = [...this.#held.values()].reduce((sum, held) => sum + bytesOf(held), 0);
    for (const [other, held] of this.#held) {
      if (bytes <= MOST_BYTES || other === turn) return;
      bytes -= bytesOf(held);
      this.#held.delete(other);
      held.destroy();
    }
  }

  /**
   * A session of the caller's own that stands as far along a way as any that is held.
   *
   * @param {Turn[]} path
   * @returns {Promise<{ session: Session, missing: Turn[] }>} and the turns that it has not read
   */
  async towards(path) {
    const { turn, shared } = this.#nearest(path);
    const held = (turn && this.#held.get(turn)) ?? this.root;
    if (turn) {
      this.#held.delete(turn);
      this.#held.set(turn, held);
    }
    const session = await held.clone();
    try {
      await session.rewind(shared);
      return { session, missing: path.slice(shared) };
    } catch (error) {
      session.destroy();
      throw error;
    }
  }

  destroy() {
    for (const session of this.#held.values()) session.destroy();
    this.#held.clear();
    this.root.destroy();
  }

  // Of those that share as much, the one with the least to go back over.
  /** @param {Turn[]} path */
  #nearest(path) {
    let best = { shared: 0, beyond: 0, turn: /** @type {Turn | undefined} */ (undefined) };
    for (const turn of this.#held.keys()) {
      const way = turn.path;
      let shared = 0;
      while (shared < path.length && way[shared] === path[shared]) shared++;
      const beyond = way.length - shared;
      if (shared > best.shared || (shared === best.shared && shared > 0 && beyond < best.beyond)) {
        best = { shared, beyond, turn };
      }
    }
    return best;
  }
}
