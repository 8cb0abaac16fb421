// SPDX-License-Identifier: MIT
import { PICTURE_PIXELS } from './pictures.js';
import { drawAlbum, drawMatrix, drawPicture } from './pixels.js';

export const ALBUM_COLUMNS = 16;

export const number = (value) => value.toFixed(2);
const bytes = (count) => `${count.toLocaleString('en')} bytes`;

/** What a template makes, its parts found by their data-part. */
function fromTemplate(id) {
  const root = document.getElementById(id).content.firstElementChild.cloneNode(true);
  const part = (name) => root.querySelector(`[data-part=${name}]`);
  return { root, part };
}

/** One rule with its state, what it recalls, how wrong that is and what it costs. */
export class Card {
  #part;

  constructor({ rule, name, maths, words }) {
    const { root, part } = fromTemplate('rule-card');
    this.root = root;
    this.#part = part;
    root.dataset.rule = rule;
    root.id = `rule-${rule}`;
    part('name').textContent = name;
    part('maths').textContent = maths;
    part('words').textContent = words;
  }

  /**
   * @param {object} result of the rule, by `Trial.results`
   * @param {object} shown
   * @param {number} shown.chosen pair
   * @param {Float32Array[]} shown.pictures that should be recalled
   * @param {number[][]} shown.rows what a rule without state keeps
   * @param {number} shown.pairs there are to write
   * @param {number} shown.keyDim
   */
  show({ recalled, errors, state, bytes: size }, { chosen, pictures, rows, pairs, keyDim }) {
    const part = this.#part;
    drawPicture(part('stored'), pictures[chosen]);
    drawPicture(part('recalled'), recalled[chosen]);
    this.#error('chosen', errors[chosen]);
    this.#error(
      'mean',
      errors.length ? errors.reduce((sum, error) => sum + error, 0) / errors.length : undefined,
    );
    drawAlbum(part('album'), recalled, { columns: ALBUM_COLUMNS, count: pairs, chosen });
    part('album').ariaLabel = `What it recalls under each of ${errors.length} keys`;
    this.#showState(state, rows, keyDim);
    part('bytes').textContent = bytes(size);
  }

  #showState(state, rows, keyDim) {
    const columns = state ? PICTURE_PIXELS : keyDim + PICTURE_PIXELS;
    const largest = drawMatrix(this.#part('state'), state ?? rows.flat(), columns);
    const size = state
      ? `S, ${keyDim} × ${columns}`
      : `${rows.length} ${rows.length === 1 ? 'row' : 'rows'} of a key and a value`;
    this.#part('state').ariaLabel = `Heat map: ${size}`;
    this.#part('size').textContent = `${size}; strongest colour: ±${number(largest)}`;
  }

  #error(name, error) {
    this.#part(`${name}-error`).textContent = error === undefined ? '–' : number(error);
    this.#part(`${name}-bar`).style.setProperty('--share', Math.min(1, error ?? 0));
  }
}
