// SPDX-License-Identifier: MIT
import { showChunks } from './chunks.js';
import { showDelta } from './delta.js';
import { showDescent } from './descent.js';
import { showGates } from './gates.js';
import { showInterference } from './interference.js';
import { LayerWalk } from './layer.js';
import { showSum } from './sum.js';

const STEPS = [showSum, showInterference, showDelta, showGates, showDescent, showChunks];

try {
  const walk = new LayerWalk();
  const shown = await Promise.all(STEPS.map((show) => show()));
  // Colours are another night's.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const show of shown) show();
    walk.show();
  });
} catch (error) {
  const failure = /** @type {HTMLElement} */ (document.getElementById('failure'));
  failure.hidden = false;
  failure.textContent = `The pictures could not be made: ${/** @type {Error} */ (error).message}. The words and formulas hold without them.`;
}
