// SPDX-License-Identifier: MIT
import { PICTURE_PIXELS, PICTURE_SIDE } from '../memory/pictures.js';
import { drawHeat } from './heat.js';
import { dot, orthonormalKeys, picture, pictureMemory, Step } from './step.js';

const PAIRS = 8;

/** What is left of each of eight pairs when every write fades what was there. */
export async function showGates() {
  const step = new Step('gates');
  const memory = await pictureMemory('gated_delta');
  const keys = orthonormalKeys(PAIRS);
  const show = () => {
    memory.reset();
    const g = [Math.log(alpha())];
    for (const [i, key] of keys.entries()) memory.write({ key, value: picture(i), g });
    const album = new Float32Array(PAIRS * PICTURE_PIXELS);
    const left = keys.map((key, i) => {
      const read = memory.read(key);
      for (const [at, x] of read.entries()) {
        const [row, column] = [Math.floor(at / PICTURE_SIDE), at % PICTURE_SIDE];
        album[(row * PAIRS + i) * PICTURE_SIDE + column] = x;
      }
      return dot(read, picture(i)) / PICTURE_PIXELS;
    });
    drawHeat(step.canvas('album'), album, { columns: PAIRS * PICTURE_SIDE, scale: 1 });
    const shares = left.map((share) => share.toFixed(2)).join(', ');
    step.describe('album', `of them is left ${shares}`);
    step.tell(`Left of each, oldest first: ${shares}.`);
  };
  const alpha = step.slider('alpha', show);
  show();
  return show;
}
