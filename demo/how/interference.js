// SPDX-License-Identifier: MIT
import {
  dot,
  drawPicture,
  orthonormalKeys,
  picture,
  pictureMemory,
  resembling,
  Step,
} from './step.js';

/** Two pairs in one sum, whose keys resemble each other as much as is set. */
export async function showInterference() {
  const step = new Step('interference');
  const memory = await pictureMemory('linear');
  const keys = orthonormalKeys(2);
  const [first, second] = [picture(0), picture(7)];
  const show = () => {
    const key = resembling(keys, cosine());
    memory.reset();
    memory.write({ key: keys[0], value: first });
    memory.write({ key, value: second });
    const read = memory.read(keys[0]);
    drawPicture(step.canvas('first'), first);
    drawPicture(step.canvas('second'), second);
    drawPicture(step.canvas('read'), read);
    // What of the second picture is in it, by projection.
    const share =
      dot(
        read.map((x, i) => x - first[i]),
        second,
      ) / dot(second, second);
    step.describe('read', `the first picture and ${share.toFixed(2)} of the second`);
    step.tell(
      `k₁·k₂ is ${dot(keys[0], key).toFixed(2)}; of v₂, ${share.toFixed(2)} is read beside v₁.`,
    );
  };
  const cosine = step.slider('cosine', show);
  show();
  return show;
}
