// SPDX-License-Identifier: MIT
// Matrices as colours: nothing is the card's colour, positive and negative numbers fade to one each.

const STEPS = 256;

/** @typedef {[red: number, green: number, blue: number]} Colour */

/** @type {Map<string, Colour>} */
const known = new Map();
/** @type {Uint32Array | undefined} */
let table;

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  known.clear();
  table = undefined;
});

/**
 * A colour of the page's style sheet.
 * @param {string} name as in '--card'
 */
export function pageColour(name) {
  const read = () => {
    const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const part = (/** @type {number} */ at) => Number.parseInt(hex.slice(at, at + 2), 16);
    return /** @type {Colour} */ ([part(1), part(3), part(5)]);
  };
  const colour = known.get(name) ?? read();
  known.set(name, colour);
  return colour;
}

/**
 * Between two colours.
 * @type {(from: Colour, to: Colour, share: number) => Colour}
 */
export const mix = (from, to, share) =>
  /** @type {Colour} */ (from.map((part, i) => Math.round(part + (to[i] - part) * share)));

/** @param {Colour} colour */
export const css = (colour) => `rgb(${colour.join(' ')})`;

// Pixels of -1 to 1, in 2 * STEPS + 1 steps. 4096 cells take 0.02 ms by it, and 0.7 ms without.
function pixels() {
  if (table) return table;
  const made = new Uint32Array(2 * STEPS + 1);
  const bytes = new Uint8ClampedArray(made.buffer);
  const [card, up, down] = ['--card', '--positive', '--negative'].map(pageColour);
  for (let i = 0; i < made.length; i++) {
    const share = (i - STEPS) / STEPS;
    // The root shows small numbers, too, of which most matrices have most.
    bytes.set(mix(card, share > 0 ? up : down, Math.sqrt(Math.abs(share))), 4 * i);
    bytes[4 * i + 3] = 255;
  }
  table = made;
  return made;
}

/**
 * A matrix [rows, columns], a pixel for each number.
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} values
 * @param {{ columns: number, scale: number }} look `scale` is what the fullest colour stands for
 */
export function drawHeat(canvas, values, { columns, scale }) {
  const rows = Math.max(1, Math.floor(values.length / columns));
  if (canvas.width !== columns || canvas.height !== rows) {
    Object.assign(canvas, { width: columns, height: rows });
  }
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const image = context.createImageData(columns, rows);
  const cells = new Uint32Array(image.data.buffer);
  const colours = pixels();
  const factor = STEPS / (scale || 1);
  for (let i = 0; i < values.length; i++) {
    const step = Math.round(values[i] * factor);
    cells[i] = colours[Math.max(0, Math.min(2 * STEPS, step + STEPS))];
  }
  context.putImageData(image, 0, 0);
}

/**
 * The largest number, whatever its sign.
 * @param {ArrayLike<number>} values
 */
export function largest(values) {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}

/**
 * key writeᵀ, [key.length, write.length].
 * @type {(key: ArrayLike<number>, write: ArrayLike<number>) => Float32Array<ArrayBuffer>}
 */
export function outer(key, write) {
  const product = new Float32Array(key.length * write.length);
  for (let i = 0, at = 0; i < key.length; i++) {
    for (let j = 0; j < write.length; j++) product[at++] = key[i] * write[j];
  }
  return product;
}
