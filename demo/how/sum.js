// SPDX-License-Identifier: MIT
import { PICTURE_PIXELS } from '../memory/pictures.js';
import { drawHeat, largest, outer } from './heat.js';
import { drawPicture, errorOf, picture, pictureMemory, randomKeys, Step } from './step.js';

const PAIRS = 24;

/** The state is a sum of outer products. */
export async function showSum() {
  const step = new Step('sum');
  const memory = await pictureMemory('linear');
  const keys = randomKeys(PAIRS);
  let written = 0;

  const show = () => {
    const last = written - 1;
    const value = picture(Math.max(0, last));
    const product = outer(keys[Math.max(0, last)], value);
    const { state } = memory;
    const look = { columns: PICTURE_PIXELS, scale: Math.max(largest(product), largest(state)) };
    const empty = new Float32Array(PICTURE_PIXELS);
    drawPicture(step.canvas('value'), written ? value : empty);
    drawHeat(step.canvas('product'), written ? product : product.map(() => 0), look);
    drawHeat(step.canvas('state'), state, look);
    const read = written ? memory.read(keys[last]) : empty;
    drawPicture(step.canvas('read'), read);
    const error = written ? errorOf(value, read) : 0;
    step.describe('state', `16 rows of 64 numbers, the largest ${largest(state).toFixed(2)}`);
    step.describe('read', `error ${error.toFixed(2)}`);
    step.tell(
      written === 0
        ? 'S is empty: 1024 zeros.'
        : `${written} ${written === 1 ? 'pair' : 'pairs'} in 1024 numbers, the largest ${largest(state).toFixed(2)}. The last value is read back with an error of ${error.toFixed(2)}.`,
    );
    /** @type {HTMLButtonElement} */ (step.part('write')).disabled = written === PAIRS;
  };

  step.press('write', () => {
    memory.write({ key: keys[written], value: picture(written) });
    written += 1;
    show();
  });
  step.press('reset', () => {
    memory.reset();
    written = 0;
    show();
  });
  memory.write({ key: keys[0], value: picture(0) });
  written = 1;
  show();
  return show;
}
