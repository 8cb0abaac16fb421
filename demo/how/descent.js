// SPDX-License-Identifier: MIT
import { dot, orthonormalKeys, picture, pictureMemory, Step } from './step.js';

const SVG = 'http://www.w3.org/2000/svg';
const SIZE = { width: 320, height: 170, left: 34, bottom: 26, top: 10, right: 10 };
const STEPS = 40;

/** Loss on a pair after one write of it, by the size of the step. */
export async function showDescent() {
  const step = new Step('descent');
  const memory = await pictureMemory('delta');
  const [key] = orthonormalKeys(1);
  const [old, value] = [picture(0), picture(3)];
  /** @param {Float32Array} read */
  const loss = (read) => {
    const wrong = read.map((x, i) => x - value[i]);
    return dot(wrong, wrong) / 2;
  };
  // Every point of the curve is a memory that was written to.
  /** @param {number} beta */
  const after = (beta) => {
    memory.reset();
    memory.write({ key, value: old });
    if (beta > 0) memory.write({ key, value, beta: [beta] });
    return loss(memory.read(key));
  };
  const show = () => {
    const curve = Array.from({ length: STEPS + 1 }, (_, i) => [
      (2 * i) / STEPS,
      after((2 * i) / STEPS),
    ]);
    const now = after(beta());
    step.part('plot').replaceChildren(plot(curve, [beta(), now]));
    step.tell(`L is ${curve[0][1].toFixed(1)} before the step and ${now.toFixed(1)} after it.`);
  };
  const beta = step.slider('beta', show);
  show();
  return show;
}

/** @type {(curve: number[][], now: number[]) => SVGElement} */
function plot(curve, now) {
  const { width, height, left, bottom, top, right } = SIZE;
  const most = Math.max(...curve.map(([, loss]) => loss));
  /** @param {number[]} point */
  const at = ([beta, loss]) => [
    left + (beta / 2) * (width - left - right),
    top + (1 - loss / most) * (height - top - bottom),
  ];
  const [x, y] = at(now);
  const label = `Loss after a step, by its size: lowest at 1; at ${now[0].toFixed(2)} it is ${now[1].toFixed(1)}`;
  const all = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
  const floor = height - bottom;
  all.append(
    svg('path', { class: 'axis', d: `M${left} ${top}V${floor}H${width - right}` }),
    svg('polyline', {
      class: 'curve',
      points: curve.map((point) => at(point).join(',')).join(' '),
    }),
    svg('circle', { class: 'now', cx: x, cy: y, r: 5 }),
    ...[0, 0.5, 1, 1.5, 2].map((beta) => text(at([beta, 0])[0], height - 8, 'middle', `${beta}`)),
    text(left - 6, top + 10, 'end', 'L'),
    text(width - right, height - 30, 'end', 'β'),
  );
  return all;
}

/** @type {(name: string, attributes: Record<string, string | number>) => SVGElement} */
function svg(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** @type {(x: number, y: number, anchor: string, words: string) => SVGElement} */
function text(x, y, anchor, words) {
  const made = svg('text', { x, y, 'text-anchor': anchor });
  made.textContent = words;
  return made;
}
