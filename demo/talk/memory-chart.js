// SPDX-License-Identifier: MIT
import { count } from '../count.js';
import { sizeOf } from '../size.js';

/** @typedef {{ tokens: number, bytes: number }} Sample */

const HEIGHT = 190;
const MARGIN = { left: 8, right: 8, top: 30, bottom: 24 };
/** More points than this are not told apart. */
const MOST_SAMPLES = 240;

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 */
function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Bytes by tokens: those measured, and those that a key and a value for each token would be. */
export class MemoryChart {
  #place;
  /** @type {Sample[]} */
  #samples = [];
  #perToken = 0;
  #drawn = 0;
  #width = 0;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#place = place;
    // Drawn at the width that it has, so that its text keeps its size on a narrow screen.
    new ResizeObserver(([{ contentRect }]) => {
      this.#width = Math.floor(contentRect.width);
      this.#draw();
    }).observe(place);
  }

  /** Another text. @param {number} perToken bytes of a token's keys and values in all layers */
  start(perToken) {
    this.#perToken = perToken;
    this.#samples = [];
    this.#draw();
  }

  /** @param {Sample} sample */
  add(sample) {
    this.#samples.push(sample);
    if (this.#samples.length > MOST_SAMPLES) {
      const last = this.#samples.length - 1;
      this.#samples = this.#samples.filter((_, i) => i % 2 === 0 || i === last);
    }
    if (this.#drawn === 0) this.#drawn = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#drawn = 0;
    const width = this.#width;
    const last = this.#samples.at(-1);
    if (width === 0) return;
    if (!last) {
      this.#place.replaceChildren();
      return;
    }
    const mostTokens = Math.max(50, last.tokens);
    const would = this.#perToken * mostTokens;
    const mostBytes = Math.max(would, ...this.#samples.map(({ bytes }) => bytes));
    const x = (/** @type {number} */ tokens) =>
      MARGIN.left + (tokens / mostTokens) * (width - MARGIN.left - MARGIN.right);
    const y = (/** @type {number} */ bytes) =>
      HEIGHT - MARGIN.bottom - (bytes / mostBytes) * (HEIGHT - MARGIN.top - MARGIN.bottom);
    const [left, right] = [x(0), x(mostTokens)];
    // From its first sample back to the beginning it was as large: a session's state is made whole.
    const points = [{ ...this.#samples[0], tokens: 0 }, ...this.#samples];
    const line = points.map(
      ({ tokens, bytes }) => `${x(tokens).toFixed(1)},${y(bytes).toFixed(1)}`,
    );
    const end = Math.min(Math.max(x(last.tokens), left + 40), right);
    const low = y(last.bytes) > HEIGHT - MARGIN.bottom - 24;
    this.#place.replaceChildren(
      svg(
        'svg',
        { width, height: HEIGHT, 'aria-hidden': 'true' },
        svg('line', { class: 'axis', x1: left, x2: right, y1: y(0), y2: y(0) }),
        svg('line', { class: 'would', x1: left, y1: y(0), x2: right, y2: y(would) }),
        svg('polyline', { class: 'holds', points: line.join(' ') }),
        svg('circle', { class: 'holds', cx: x(last.tokens), cy: y(last.bytes), r: 3.5 }),
        svg(
          'text',
          { class: 'would', x: right, y: y(would) - 10, 'text-anchor': 'end' },
          `softmax: ${sizeOf(would)}`,
        ),
        svg(
          'text',
          { class: 'holds', x: end, y: y(last.bytes) + (low ? -9 : 18), 'text-anchor': 'end' },
          `this: ${sizeOf(last.bytes)}`,
        ),
        svg('text', { class: 'soft', x: left, y: HEIGHT - 6 }, '0 tokens'),
        svg(
          'text',
          { class: 'soft', x: right, y: HEIGHT - 6, 'text-anchor': 'end' },
          `${count(mostTokens)} tokens`,
        ),
      ),
    );
  }
}
