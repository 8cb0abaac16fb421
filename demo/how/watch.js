// SPDX-License-Identifier: MIT
import { StatePicture } from './state-picture.js';

/** @import { Session, SessionState } from 'fastweights' */

// 30 pictures a second, each in a frame of a display that has 60.
const FRAME_MS = 33;
const DISPLAY_MS = 16;
// A cell of a state takes 4 to 5 ns to look at where the norm of its head is wanted (Node, one thread).
// So often are all of them looked at that it takes one part in a hundred of the engine's time.
const MS_PER_CELL = 5e-6;
const SHARE = 0.01;

/** @type {WeakMap<HTMLElement, StatePicture>} */
const pictures = new WeakMap();

/**
 * Shows a session's state in `host` while an answer is written. Looks at one head in every frame and
 * at the norms of all as often as costs nothing that one could see.
 *
 * @param {Session} session
 * @param {HTMLElement} host
 * @returns {() => Promise<void>} ends it, with a last look
 */
export function watch(session, host) {
  const picture = pictures.get(host) ?? new StatePicture(host);
  pictures.set(host, picture);
  picture.forget();
  const watching = new Watching(session, picture);
  return () => watching.end();
}

class Watching {
  #session;
  #picture;
  #over = false;
  #frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #lastAt = Number.NEGATIVE_INFINITY;
  #wholeAt = Number.NEGATIVE_INFINITY;
  #wholeMs = 0;
  /** @type {number | undefined} tokens of the last look */
  #tokens;
  #looking = Promise.resolve();
  /** @type {SessionState[]} seen since the last frame */
  #seen = [];

  /**
   * @param {Session} session
   * @param {StatePicture} picture
   */
  constructor(session, picture) {
    this.#session = session;
    this.#picture = picture;
    picture.onfocus = () => {
      this.#tokens = undefined;
      // After the end, too, somebody may choose another head.
      if (this.#over) void this.#look((state) => this.#picture.update(state));
    };
    this.#next();
  }

  async end() {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    await this.#looking;
    this.#wholeAt = Number.NEGATIVE_INFINITY;
    this.#picture.hurry();
    await this.#look((state) => this.#picture.update(state));
  }

  // A frame in which nothing is drawn costs as much of the page's time as a small picture does. So what
  // was seen is drawn in the next one, which is asked for when it is due: half as many frames as when
  // each look is drawn as it comes.
  #next() {
    if (this.#over) return;
    const sooner = FRAME_MS - DISPLAY_MS / 2 - (performance.now() - this.#lastAt);
    const frame = () => {
      this.#lastAt = performance.now();
      for (const state of this.#seen.splice(0)) this.#picture.update(state);
      // One look after the other: an engine that is busy with a long prompt is not asked again.
      this.#looking = this.#look((state) => this.#seen.push(state)).then(() => this.#next());
    };
    this.#timer = setTimeout(
      () => {
        this.#frame = requestAnimationFrame(frame);
      },
      Math.max(0, sooner),
    );
  }

  /** @param {(state: SessionState) => void} use */
  async #look(use) {
    try {
      const now = performance.now();
      if (now - this.#wholeAt >= this.#wholeMs) {
        this.#wholeAt = now;
        const whole = await this.#session.state({ values: false });
        this.#wholeMs = Math.max(FRAME_MS, (cells(whole) * MS_PER_CELL) / SHARE);
        use(whole);
      }
      const { focus } = this.#picture;
      if (!focus) return;
      const state = await this.#session.state(focus);
      // Nothing has changed.
      if (state.tokens === this.#tokens && !this.#over) return;
      this.#tokens = state.tokens;
      use(state);
    } catch (error) {
      this.#over = true;
      // A session that was destroyed is no failure: what was seen last stays. Only another head of it
      // cannot be shown any more.
      const { code, message } = /** @type {import('fastweights').ModelError} */ (error);
      if (code !== 'disposed' || this.#tokens === undefined) this.#picture.fail(message);
    }
  }
}

/** @param {SessionState} state */
const cells = ({ layers }) =>
  layers.reduce((sum, { heads, keyDim, valueDim }) => sum + heads * keyDim * valueDim, 0);
