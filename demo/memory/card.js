// SPDX-License-Identifier: MIT
import { count } from '../count.js';
import { element } from '../element.js';
import { drawAlbum, drawMatrix, drawPicture, largestOf } from './pixels.js';
import { mean } from './trial.js';

/**
 * @import { Rule } from './rules.js'
 * @import { Result } from './trial.js'
 */

const ALBUM_COLUMNS = 16;
// The error at which a bar is full; half of it is that of recalling nothing.
const LONGEST_BAR = 2;

/** @param {number} value */
export const number = (value) => value.toFixed(2);
/** @param {number} value */
const bytes = (value) => `${count(value)} bytes`;

/**
 * What a template makes, its parts found by their data-part.
 * @param {string} id
 */
function fromTemplate(id) {
  const { firstElementChild } = element(id, HTMLTemplateElement).content;
  const root = /** @type {HTMLElement} */ (firstElementChild?.cloneNode(true));
  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (root.querySelector(`[data-part=${name}]`));
  /** @param {string} name */
  const canvas = (name) => /** @type {HTMLCanvasElement} */ (part(name));
  return { root, part, canvas };
}

/** One rule with its state, what it recalls, how wrong that is and what it costs. */
export class Card {
  #part;
  #canvas;

  /** @param {Rule} rule */
  constructor({ rule, name, maths, words }) {
    const { root, part, canvas } = fromTemplate('rule-card');
    this.root = root;
    this.#part = part;
    this.#canvas = canvas;
    root.dataset.rule = rule;
    root.id = `rule-${rule}`;
    part('name').textContent = name;
    part('maths').textContent = maths;
    part('words').textContent = words;
  }

  /**
   * @param {Result} result of the rule
   * @param {object} shown
   * @param {number} shown.chosen pair
   * @param {Float32Array[]} shown.pictures that should be recalled
   * @param {number} shown.pairs there are to write
   * @param {number} shown.keyDim
   * @param {number} shown.scale what the fullest colour of every card stands for
   */
  show({ recalled, errors, matrix, bytes: size }, { chosen, pictures, pairs, keyDim, scale }) {
    const part = this.#part;
    const canvas = this.#canvas;
    drawPicture(canvas('stored'), pictures[chosen]);
    drawPicture(canvas('recalled'), recalled[chosen]);
    this.#error('chosen', errors[chosen]);
    this.#error('mean', errors.length ? mean(errors) : undefined);
    drawAlbum(canvas('album'), recalled, { columns: ALBUM_COLUMNS, count: pairs, chosen });
    part('album').ariaLabel = `What it recalls under each of ${errors.length} keys`;
    drawMatrix(canvas('state'), matrix.values, { columns: matrix.columns, scale });
    const rows = matrix.values.length / matrix.columns;
    const what = matrix.grows
      ? `${rows} ${rows === 1 ? 'row' : 'rows'} of a key and a value`
      : `S, ${keyDim} × ${matrix.columns}`;
    part('state').ariaLabel = `Heat map: ${what}`;
    part('size').textContent = `${what}, largest number ${number(largestOf(matrix.values))}`;
    part('bytes').textContent = bytes(size);
  }

  /** @type {(name: string, error: number | undefined) => void} */
  #error(name, error) {
    this.#part(`${name}-error`).textContent = error === undefined ? '–' : number(error);
    this.#part(`${name}-bar`).style.setProperty(
      '--share',
      String(Math.min(1, (error ?? 0) / LONGEST_BAR)),
    );
  }
}
