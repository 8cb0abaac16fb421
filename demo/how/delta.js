// SPDX-License-Identifier: MIT
import {
  drawPicture,
  errorOf,
  orthonormalKeys,
  picture,
  pictureMemory,
  resembling,
  Step,
} from './step.js';

/** Another value under an old key, by the sum and by the delta rule. */
export async function showDelta() {
  const step = new Step('delta');
  const [linear, delta] = await Promise.all([pictureMemory('linear'), pictureMemory('delta')]);
  const keys = orthonormalKeys(2);
  const [old, value, others] = [picture(0), picture(3), picture(10)];
  const show = () => {
    const other = resembling(keys, cosine());
    for (const memory of [linear, delta]) {
      memory.reset();
      memory.write({ key: other, value: others });
      memory.write({ key: keys[0], value: old });
    }
    linear.write({ key: keys[0], value });
    delta.write({ key: keys[0], value, beta: [beta()] });
    const read = { linear: linear.read(keys[0]), delta: delta.read(keys[0]) };
    drawPicture(step.canvas('old'), old);
    drawPicture(step.canvas('new'), value);
    drawPicture(step.canvas('linear'), read.linear);
    drawPicture(step.canvas('delta'), read.delta);
    const kept = delta.read(other);
    drawPicture(step.canvas('other'), kept);
    const errors = [errorOf(value, read.linear), errorOf(value, read.delta), errorOf(others, kept)];
    const [sum, rule, apart] = errors.map((error) => error.toFixed(2));
    step.describe('linear', `error ${sum}`);
    step.describe('delta', `error ${rule}`);
    step.describe('other', `error ${apart}`);
    step.tell(
      `Error under k: ${sum} by the sum, ${rule} by the delta rule. Under the other key: ${apart}.`,
    );
  };
  const beta = step.slider('beta', show);
  const cosine = step.slider('cosine', show);
  show();
  return show;
}
