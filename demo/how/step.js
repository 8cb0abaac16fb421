// SPDX-License-Identifier: MIT
// What the steps of the page have in common.
import { AssociativeMemory } from 'fastweights';
import { makeKeys } from '../memory/keys.js';
import { makePicture, PICTURE_PIXELS, PICTURE_SIDE } from '../memory/pictures.js';
import { drawHeat } from './heat.js';

export const KEY_DIM = 16;

/** @import { MemoryRule } from 'fastweights' */

/** The parts of a step's section, found by their data-part. */
export class Step {
  /** @param {string} id */
  constructor(id) {
    this.section = /** @type {HTMLElement} */ (document.getElementById(id));
  }

  /**
   * @template {HTMLElement} Kind
   * @param {string} name
   * @returns {Kind}
   */
  part(name) {
    return /** @type {any} */ (this.section.querySelector(`[data-part=${name}]`));
  }

  /** @param {string} name */
  canvas(name) {
    return /** @type {HTMLCanvasElement} */ (this.part(name));
  }

  /** @param {string} text */
  tell(text) {
    this.part('told').textContent = text;
  }

  /** What a canvas shows, for whoever does not see it: its caption, and more. */
  /** @type {(name: string, what: string) => void} */
  describe(name, what) {
    const canvas = this.canvas(name);
    canvas.ariaLabel = `${canvas.parentElement?.querySelector('figcaption')?.textContent}: ${what}`;
  }

  /**
   * A slider's number, and what becomes of it while it moves.
   * @param {string} name
   * @param {(value: number) => void} onChange
   */
  slider(name, onChange) {
    const input = /** @type {HTMLInputElement} */ (this.part(name));
    const told = () => {
      const value = Number(input.value);
      this.part(`${name}-value`).textContent = value.toFixed(2);
      return value;
    };
    input.addEventListener('input', () => onChange(told()));
    return told;
  }

  /**
   * @param {string} name
   * @param {() => void} onPress
   */
  press(name, onPress) {
    this.part(name).addEventListener('click', onPress);
  }
}

/**
 * A memory of pictures.
 * @template {MemoryRule} Rule
 * @param {Rule} rule
 * @returns {Promise<AssociativeMemory<Rule>>}
 */
export function pictureMemory(rule) {
  const size = { keyDim: KEY_DIM, valueDim: PICTURE_PIXELS };
  return AssociativeMemory.create(/** @type {any} */ ({ rule, ...size }));
}

/** @param {number} count */
export const randomKeys = (count) => makeKeys('random', count, KEY_DIM);
/** @param {number} count */
export const orthonormalKeys = (count) => makeKeys('orthonormal', count, KEY_DIM);

/**
 * A key of length 1 that resembles the first of two orthonormal ones as much as is said.
 * @type {(keys: Float32Array[], cosine: number) => Float32Array}
 */
export const resembling = ([along, across], cosine) =>
  along.map((x, i) => cosine * x + Math.sqrt(1 - cosine ** 2) * across[i]);

/** @type {(a: ArrayLike<number>, b: ArrayLike<number>) => number} */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * Length of the difference over that of what is right.
 * @type {(right: Float32Array, got: Float32Array) => number}
 */
export function errorOf(right, got) {
  const difference = right.map((x, i) => x - got[i]);
  return Math.sqrt(dot(difference, difference) / dot(right, right));
}

/** @param {number} pair */
export const picture = (pair) => makePicture(pair, 0);

/**
 * A picture in the colours of matrices, so that one that is read in reverse shows as such.
 * @type {(canvas: HTMLCanvasElement, values: ArrayLike<number>) => void}
 */
export const drawPicture = (canvas, values) =>
  drawHeat(canvas, values, { columns: PICTURE_SIDE, scale: 1 });
