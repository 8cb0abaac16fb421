// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { FailureNotice } from '../failures.js';
import { Card } from './card.js';
import { Chart } from './chart.js';
import { forgetColours, largestOf } from './pixels.js';
import { RULES } from './rules.js';
import { StoredPairs } from './stored.js';
import { errorTable, legend, summary } from './telling.js';
import { Trial } from './trial.js';

const PLAY_MS = 250;
// Something to see at once.
const FIRST_WRITES = [0, 1, 2, 3].map((pair) => ({ pair, version: 0 }));

const [step, play, all, overwrite, reset] = ['step', 'play', 'all', 'overwrite', 'reset'].map(
  (id) => element(id, HTMLButtonElement),
);
/** @param {string} id */
const slider = (id) => element(id, HTMLInputElement);
/** @param {string} id */
const chosenOf = (id) => element(id, HTMLSelectElement).value;

const failure = new FailureNotice();
const chart = new Chart(element('chart'));
const cards = RULES.map((rule) => new Card(rule));
const stored = new StoredPairs(element('stored'), show);
element('rules').append(...cards.map(({ root }) => root));

/** @type {Trial} from the first `renew` on */
let trial;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;
let turn = 0;

/** @returns {import('./trial.js').Settings} */
function readSettings() {
  return {
    keyDim: Number(chosenOf('key-dim')),
    keys: chosenOf('keys') === 'random' ? 'random' : 'orthonormal',
    pairs: Number(slider('pairs').value),
    noise: Number(slider('noise').value),
    kept: Number(slider('kept').value),
  };
}

/** Memories as the controls have it, with the pairs that were in the ones that they replace. */
async function renew() {
  const mine = ++turn;
  failure.clear();
  try {
    const made = await Trial.create(readSettings());
    // A slider asks for others while these are still being made.
    if (mine !== turn) return made.dispose();
    made.repeat(trial?.writes ?? FIRST_WRITES);
    trial?.dispose();
    trial = made;
    element('desk').hidden = false;
    show();
  } catch (error) {
    pause();
    failure.show(error);
  }
}

function show() {
  const { pictures, settings, history } = trial;
  const results = trial.results();
  stored.show(pictures);
  const { chosen } = stored;
  // One for all, so that the same colour is the same number everywhere.
  const scale = Math.max(...results.map(({ matrix }) => largestOf(matrix.values)));
  for (const [i, card] of cards.entries()) {
    card.show(results[i], { chosen, pictures, scale, ...settings });
  }
  chart.show(history, settings);
  element('legend').replaceChildren(...legend(history[pictures.length]));
  element('table').replaceChildren(...errorTable(history));
  element('summary').textContent = summary(trial, results);
  const focused = document.activeElement;
  for (const button of [step, play, all]) button.disabled = !trial.unfinished;
  overwrite.disabled = pictures.length === 0;
  reset.disabled = pictures.length === 0;
  // A button that has just switched itself off takes the keyboard's place with it.
  if (focused instanceof HTMLButtonElement && focused.disabled)
    (reset.disabled ? step : reset).focus();
}

function pause() {
  clearInterval(timer);
  timer = undefined;
  play.textContent = 'Play';
  element('summary').ariaLive = 'polite';
}

function run() {
  play.textContent = 'Pause';
  // Four times a second is no speed to be read to.
  element('summary').ariaLive = 'off';
  timer = setInterval(() => {
    // Fewer pairs may have been asked for since the last one.
    if (trial.unfinished) trial.next();
    if (!trial.unfinished) pause();
    show();
  }, PLAY_MS);
}

/** @param {Event} event */
function changed({ target }) {
  const { id, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (target);
  if (id === 'key-dim') slider('pairs').value = String(2 * Number(value));
  for (const name of ['pairs', 'noise', 'kept']) {
    const { value: text } = slider(name);
    element(`${name}-value`).textContent = name === 'pairs' ? text : Number(text).toFixed(2);
  }
  if (id === 'noise') {
    trial.setNoise(Number(value));
    show();
  } else {
    renew();
  }
}

element('controls').addEventListener('input', changed);
element('controls').addEventListener('submit', (event) => {
  event.preventDefault();
  pause();
  trial.next();
  show();
});
play.addEventListener('click', () => {
  if (timer === undefined) run();
  else pause();
});
all.addEventListener('click', () => {
  pause();
  while (trial.unfinished) trial.next();
  show();
});
overwrite.addEventListener('click', () => {
  trial.overwrite(stored.chosen);
  show();
});
reset.addEventListener('click', () => {
  pause();
  trial.reset();
  show();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  forgetColours();
  if (trial) show();
});

renew();
