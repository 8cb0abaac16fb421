// SPDX-License-Identifier: MIT
import { RULES } from './rules.js';

/**
 * @typedef {{ keyDim: number, pairs: number }} Settings
 * @typedef {[x: number, y: number]} Point
 *
 * Where a number of pairs and an error are drawn, and what the axes end at.
 * @typedef {object} Scale
 * @property {(pairs: number) => number} x
 * @property {(error: number) => number} y
 * @property {number} top
 * @property {number} last
 * @property {number} width
 */

const HEIGHT = 240;
const MARGIN = { left: 44, right: 14, top: 26, bottom: 44 };
// Errors beyond this are drawn at the edge: one rule off the scale must not flatten the others.
const HIGHEST = 2;

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

/** Mean error of recall by the number of pairs stored, a line for each rule. */
export class Chart {
  #place;
  /** @type {{ history: number[][], settings: Settings } | undefined} */
  #shown;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#place = place;
    // Drawn at the width that it has, so that its text keeps its size on a narrow screen.
    new ResizeObserver(() => this.#draw()).observe(place);
  }

  /**
   * @param {number[][]} history errors of the rules, by the number of pairs
   * @param {Settings} settings
   */
  show(history, settings) {
    this.#shown = { history, settings };
    this.#draw();
  }

  #draw() {
    const width = Math.floor(this.#place.clientWidth);
    if (!this.#shown || width === 0) return;
    const { history, settings } = this.#shown;
    const errors = history.flat().filter((error) => error <= HIGHEST);
    const top = Math.max(1, Math.ceil(Math.max(0, ...errors) / 0.25) * 0.25);
    const last = Math.max(2, settings.pairs);
    const inner = { x: width - MARGIN.left - MARGIN.right, y: HEIGHT - MARGIN.top - MARGIN.bottom };
    /** @param {number} pairs */
    const x = (pairs) => MARGIN.left + ((pairs - 1) / (last - 1)) * inner.x;
    /** @param {number} error */
    const y = (error) => MARGIN.top + (1 - Math.min(error, top) / top) * inner.y;
    const scale = { x, y, top, last, width };
    this.#place.replaceChildren(
      svg(
        'svg',
        {
          viewBox: `0 0 ${width} ${HEIGHT}`,
          height: HEIGHT,
          role: 'img',
          'aria-label': 'Mean error by pairs stored; the table below has the numbers',
        },
        ...this.#axes(scale, settings),
        ...RULES.map(({ rule }, i) => line(rule, points(history, i, scale))),
      ),
    );
  }

  /** @type {(scale: Scale, settings: Settings) => SVGElement[]} */
  #axes({ x, y, top, last, width }, { keyDim }) {
    /** @type {SVGElement[]} */
    const axes = [];
    const right = width - MARGIN.right;
    for (let error = 0; error <= top; error += top > 1 ? 0.5 : 0.25) {
      const height = y(error);
      axes.push(
        svg('line', { class: 'grid', x1: MARGIN.left, x2: right, y1: height, y2: height }),
        svg('text', { x: MARGIN.left - 8, y: height + 4, 'text-anchor': 'end' }, error.toFixed(2)),
      );
    }
    const step =
      [1, 2, 4, 8, 16, 32].find((every) => last / every <= Math.max(4, width / 70)) ?? 32;
    for (let pairs = step; pairs <= last; pairs += step) {
      axes.push(
        svg('text', { x: x(pairs), y: HEIGHT - 26, 'text-anchor': 'middle' }, String(pairs)),
      );
    }
    axes.push(svg('text', { x: x(1), y: HEIGHT - 6 }, 'pairs stored'));
    if (keyDim <= last) {
      const limit = x(keyDim);
      const anchor = limit > width / 2 ? 'end' : 'start';
      axes.push(
        svg('line', { class: 'limit', x1: limit, x2: limit, y1: 16, y2: y(0) }),
        svg(
          'text',
          { x: limit + (anchor === 'end' ? -6 : 6), y: 12, 'text-anchor': anchor },
          `${keyDim}: numbers in a key`,
        ),
      );
    }
    return axes;
  }
}

/** @type {(history: number[][], rule: number, scale: Scale) => Point[]} */
function points(history, rule, { x, y }) {
  return history.flatMap((errors, pairs) => [[x(pairs), y(errors[rule])]]);
}

/** @type {(rule: string, places: Point[]) => SVGElement} */
function line(rule, places) {
  const group = svg('g', { class: 'rule', 'data-rule': rule });
  const list = places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  group.append(svg('polyline', { points: list }));
  const end = places.at(-1);
  if (end) group.append(svg('circle', { cx: end[0], cy: end[1], r: 3.5 }));
  return group;
}
