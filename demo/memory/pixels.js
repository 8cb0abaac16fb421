// SPDX-License-Identifier: MIT
import { PICTURE_SIDE } from './pictures.js';

/** @typedef {number[]} Colour red, green and blue, 0 to 255 */

/** @type {Record<'paper' | 'ink' | 'card' | 'chosen' | 'positive' | 'negative', Colour> | undefined} */
let colours;

/** Forgets the page's colours, because light has become dark or the other way round. */
export function forgetColours() {
  colours = undefined;
}

// The style sheet's own.
function pageColours() {
  if (colours) return colours;
  const style = getComputedStyle(document.documentElement);
  /** @type {(name: string) => Colour} */
  const read = (name) => {
    const hex = style.getPropertyValue(name).trim();
    return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  };
  colours = {
    paper: read('--picture-paper'),
    ink: read('--ink'),
    card: read('--card'),
    chosen: read('--accent'),
    positive: read('--positive'),
    negative: read('--negative'),
  };
  return colours;
}

/** @type {(from: Colour, to: Colour, share: number) => Colour} */
const mix = (from, to, share) => from.map((part, i) => part + (to[i] - part) * share);

// Paper at -1, ink at 1; what recall puts beyond them looks the same.
/** @param {number} value */
function pictureColour(value) {
  const { paper, ink } = pageColours();
  return mix(paper, ink, Math.min(1, Math.max(0, (value + 1) / 2)));
}

/** @type {(canvas: HTMLCanvasElement, width: number, height: number, colourAt: (x: number, y: number) => Colour) => void} */
function paint(canvas, width, height, colourAt) {
  // Setting a size clears a canvas, even to the size that it had.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const image = context.createImageData(width, height);
  for (let i = 0; i < width * height; i++) {
    image.data.set(colourAt(i % width, Math.floor(i / width)), 4 * i);
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}

/**
 * One picture, a pixel of the canvas for each of its own.
 * @type {(canvas: HTMLCanvasElement, picture: Float32Array | undefined) => void}
 */
export function drawPicture(canvas, picture) {
  paint(canvas, PICTURE_SIDE, PICTURE_SIDE, (x, y) =>
    picture ? pictureColour(picture[y * PICTURE_SIDE + x]) : pageColours().card,
  );
}

/**
 * Pictures in rows of `columns`, with a frame around the chosen one.
 * @param {HTMLCanvasElement} canvas
 * @param {Float32Array[]} pictures
 * @param {{ columns: number, count: number, chosen: number }} layout
 */
export function drawAlbum(canvas, pictures, { columns, count, chosen }) {
  const cell = PICTURE_SIDE + 2;
  paint(canvas, columns * cell, Math.ceil(count / columns) * cell, (x, y) => {
    const column = Math.floor(x / cell);
    const index = Math.floor(y / cell) * columns + column;
    const [inX, inY] = [(x % cell) - 1, (y % cell) - 1];
    const framed = Math.min(inX, inY) < 0 || Math.max(inX, inY) >= PICTURE_SIDE;
    if (framed) return index === chosen ? pageColours().chosen : pageColours().card;
    const picture = pictures[index];
    return picture ? pictureColour(picture[inY * PICTURE_SIDE + inX]) : pageColours().card;
  });
}

/**
 * The largest number of a matrix, whatever its sign.
 * @param {Float32Array | number[]} values
 */
export function largestOf(values) {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

/**
 * A matrix as colours, the fullest of which stand for `scale` and its negative.
 * @param {HTMLCanvasElement} canvas
 * @param {Float32Array | number[]} values
 * @param {{ columns: number, scale: number }} look
 */
export function drawMatrix(canvas, values, { columns, scale }) {
  const { card, positive, negative } = pageColours();
  paint(canvas, columns, Math.max(1, values.length / columns), (x, y) => {
    const value = (values[y * columns + x] ?? 0) / (scale || 1);
    return mix(card, value > 0 ? positive : negative, Math.abs(value));
  });
}
