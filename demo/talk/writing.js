// SPDX-License-Identifier: MIT

/**
 * @import { GenerationOptions, GenerationResult, GenerationStream, PrefillProgress, Session } from 'fastweights'
 * @import { HeldSessions } from './held-sessions.js'
 * @import { Turn } from './tree.js'
 *
 * What is to be written: one answer or several, all with the same beginning as their text, which may be
 * empty.
 * @typedef {{ question: Turn, answers: Turn[], options: GenerationOptions }} Plan
 *
 * @typedef {object} Listener
 * @property {(tokens: number, session?: Session) => void} onBegin how many tokens the text has where
 *     answers begin, and the session of the first, if they have any
 * @property {(read: PrefillProgress) => void} onRead
 * @property {(turn: Turn, piece: string) => void} onPiece
 * @property {(turn: Turn, result: GenerationResult) => void} onEnd
 */

/** Answers being written in sessions, each a clone that stays as it is after its answer. */
export class Writing {
  #held;
  #plan;
  #aborter = new AbortController();
  /** @type {Set<ReadableStreamDefaultReader<string>>} */
  #readers = new Set();

  /**
   * @param {HeldSessions} held
   * @param {Plan} plan
   */
  constructor(held, plan) {
    this.#held = held;
    this.#plan = plan;
  }

  get stopped() {
    return this.#aborter.signal.aborted;
  }

  /** Ends it within one token; what is there stays. */
  stop() {
    this.#aborter.abort();
    for (const reader of this.#readers) reader.cancel().catch(() => {});
  }

  /** @param {Listener} listener */
  async run(listener) {
    const { question, answers, options } = this.#plan;
    const started = performance.now();
    const { session, missing } = await this.#held.towards(question.path);
    const backMs = performance.now() - started;
    /** @type {{ session: Session, stream: GenerationStream }[]} */
    let branches = [];
    try {
      const again = await this.#read(session, missing, listener);
      this.#aborter.signal.throwIfAborted();
      for (const answer of answers) answer.cost = { backMs, again };
      branches = await this.#begin(session, answers, options, listener);
      listener.onBegin(session.contextUsage, branches[0].session);
      if (!branches.some((branch) => branch.session === session)) session.destroy();
    } catch (error) {
      session.destroy();
      if (this.stopped) return;
      throw error;
    }
    const ends = branches.map((branch, i) => this.#follow(branch, answers[i], started, listener));
    await settled(ends);
  }

  // How many tokens were read again: those read beyond what the last message adds.
  /** @type {(session: Session, missing: Turn[], listener: Listener) => Promise<number>} */
  async #read(session, missing, { onRead }) {
    if (missing.length === 0) return 0;
    let read = 0;
    const before = missing.at(-1)?.parent?.usage;
    const from = missing.length > 1 && before !== undefined ? before : session.contextUsage;
    const messages = missing.map(({ message }) => message);
    await session.append(messages, {
      signal: this.#aborter.signal,
      onPrefill: (progress) => {
        read = progress.tokens;
        onRead(progress);
      },
    });
    return Math.max(0, read - (session.contextUsage - from));
  }

  /** @type {(session: Session, answers: Turn[], options: GenerationOptions, listener: Listener) => Promise<{ session: Session, stream: GenerationStream }[]>} */
  async #begin(session, answers, options, { onRead }) {
    const [{ text }] = answers;
    const begun = text === '' ? [] : [{ role: 'assistant', content: text, prefix: true }];
    const messages = /** @type {import('fastweights').Message[]} */ (begun);
    const asked = { ...options, onPrefill: onRead };
    if (answers.length > 1) return session.alternatives(messages, answers.length, asked);
    return [{ session, stream: session.promptStreaming(messages, asked) }];
  }

  /** @type {(branch: { session: Session, stream: GenerationStream }, turn: Turn, started: number, listener: Listener) => Promise<void>} */
  async #follow({ session, stream }, turn, started, { onPiece, onEnd }) {
    try {
      await readAll(stream, this.#readers, this.stopped, (piece) => {
        if (turn.cost) turn.cost.firstMs ??= performance.now() - started;
        turn.add(piece);
        onPiece(turn, piece);
      });
      const result = await stream.result;
      noteResult(turn, result);
      turn.usage = session.contextUsage;
      this.#held.hold(turn, session);
      onEnd(turn, result);
    } catch (error) {
      session.destroy();
      if (!this.stopped) throw error;
    }
  }
}

/**
 * Reads a stream to its end, or until its reader is cancelled.
 *
 * @param {ReadableStream<string>} stream
 * @param {Set<ReadableStreamDefaultReader<string>>} readers those that a stop cancels
 * @param {boolean} stopped
 * @param {(piece: string) => void} onPiece
 */
export async function readAll(stream, readers, stopped, onPiece) {
  const reader = stream.getReader();
  readers.add(reader);
  if (stopped) await reader.cancel();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onPiece(value);
    }
  } finally {
    readers.delete(reader);
  }
}

/**
 * What is known of an answer when it is over.
 *
 * @param {Turn} turn
 * @param {GenerationResult} result
 */
export function noteResult(turn, { rereadTokens, tokens, timings, seed, finishReason }) {
  const { backMs = 0, again = 0, firstMs } = turn.cost ?? {};
  turn.cost = {
    ...{ backMs, again: again + rereadTokens, firstMs, tokens: tokens.length, seed, finishReason },
    ...(tokens.length > 1 ? { perSecond: timings.decodeTokensPerSecond } : {}),
  };
}

/** Waits for all, so that nothing goes on behind an error, and then throws the first. @param {Promise<void>[]} ends */
export async function settled(ends) {
  for (const end of await Promise.allSettled(ends)) {
    if (end.status === 'rejected') throw end.reason;
  }
}
