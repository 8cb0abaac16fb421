// SPDX-License-Identifier: MIT

import { PICTURE_PIXELS } from '../memory/pictures.js';
import { randomDirection, seedOf } from '../memory/random.js';
import { drawHeat, largest } from './heat.js';
import { dot, KEY_DIM, picture, pictureMemory, Step } from './step.js';

const TOKENS = 8;

/** Eight tokens one by one, and in one call that takes them as a chunk. */
export async function showChunks() {
  const step = new Step('chunks');
  const [one, other] = await Promise.all([pictureMemory('delta'), pictureMemory('delta')]);
  let round = 0;
  const show = () => {
    const keys = Array.from({ length: TOKENS }, (_, i) =>
      randomDirection(seedOf(5, round, i), KEY_DIM),
    );
    const pictures = keys.map((_, i) => picture((TOKENS * round + i) % 24));
    one.reset();
    other.reset();
    for (const [i, key] of keys.entries()) one.write({ key, value: pictures[i] });
    const flat = (/** @type {Float32Array[]} */ rows) =>
      Float32Array.from(rows.flatMap((row) => [...row]));
    const k = flat(keys);
    other.forward({ q: k, k, v: flat(pictures), beta: new Float32Array(TOKENS).fill(1) }, TOKENS);
    const [steps, chunk] = [one.state, other.state];
    const scale = largest(steps);
    drawHeat(step.canvas('steps'), steps, { columns: PICTURE_PIXELS, scale });
    drawHeat(step.canvas('chunk'), chunk, { columns: PICTURE_PIXELS, scale });
    const products = keys.flatMap((key, t) =>
      keys.map((earlier, s) => (s < t ? dot(earlier, key) : 0)),
    );
    drawHeat(step.canvas('triangle'), products, { columns: TOKENS, scale: 1 });
    const difference = largest(steps.map((x, i) => x - chunk[i]));
    step.describe('triangle', '28 numbers below the diagonal');
    step.describe('steps', `largest number ${scale.toFixed(2)}`);
    step.describe('chunk', `differs by ${difference.toExponential(1)} at most`);
    step.tell(
      `Largest number in S: ${scale.toFixed(2)}. Largest difference: ${difference.toExponential(1)}. S was written 8 times, and once.`,
    );
  };
  step.press('again', () => {
    round += 1;
    show();
  });
  show();
  return show;
}
