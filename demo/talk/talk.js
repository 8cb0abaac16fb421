// SPDX-License-Identifier: MIT
import { HeldSessions } from './held-sessions.js';
import { TextWriting } from './text-writing.js';
import { Tree } from './tree.js';
import { Writing } from './writing.js';

/**
 * @import { GenerationOptions, Model, Session } from 'fastweights'
 * @import { Plan } from './writing.js'
 */

/** How its sessions are kept: each token of an answer is a place to return to. */
export const PLACES = { answerPlaces: true };

/** A conversation with a model: what has been said, and the sessions that remember it. */
export class Talk {
  /** @type {HeldSessions | undefined} none for a model that only goes on with texts */
  held;

  /**
   * @param {Model} model
   * @param {Tree} tree
   */
  constructor(model, tree = new Tree()) {
    this.model = model;
    this.tree = tree;
  }

  /**
   * @param {Model} model
   * @param {Tree} [tree] that has been stored
   */
  static async begin(model, tree) {
    const talk = new Talk(model, tree);
    const root = await model.createSession({ thinking: false, ...PLACES });
    if (await talksTurns(root)) talk.held = new HeldSessions(root);
    else root.destroy();
    return talk;
  }

  /** @param {Plan} plan */
  writing(plan) {
    return this.held ? new Writing(this.held, plan) : new TextWriting(this.model, plan);
  }

  /** A session of the caller's own that stands where the conversation does; none for texts. */
  async standing() {
    if (!this.held) return undefined;
    const { session, missing } = await this.held.towards(this.tree.current.path);
    try {
      if (missing.length > 0) await session.append(missing.map(({ message }) => message));
      return session;
    } catch (error) {
      session.destroy();
      throw error;
    }
  }

  /**
   * Goes on with a session that was stored, whose messages become part of the tree.
   *
   * @param {Session} session
   */
  async adopt(session) {
    const { tree } = this;
    const { current } = tree;
    const turn = tree.adopt(await session.messages());
    turn.usage = session.contextUsage;
    if (current !== tree.root) tree.current = current;
    this.held?.hold(turn, session);
  }

  /** A text beside the conversation. @param {GenerationOptions} options */
  async writeLong(options) {
    if (!this.held) return this.model.generate('Once upon a time', options);
    // Without places, of which it would take all.
    const session = await this.model.createSession({ thinking: false });
    const stream = session.promptStreaming('Tell me a long story.', options);
    const free = () => session.destroy();
    stream.result.then(free, free);
    return stream;
  }

  end() {
    this.held?.destroy();
  }
}

/** Whether the file says how turns of a conversation are written. @param {Session} session */
async function talksTurns(session) {
  try {
    await session.countTokens('?');
    return true;
  } catch (error) {
    const { code } = /** @type {import('fastweights').ModelError} */ (error);
    if (code === 'chat_template') return false;
    throw error;
  }
}
