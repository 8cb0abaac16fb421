// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { FailureNotice } from '../failures.js';
import { tooLarge } from '../room.js';
import { ModelMaker } from './made-model.js';
import { measure } from './measure.js';
import { candidates, TYPES } from './models.js';
import { probe, tell } from './probes.js';
import { Report } from './report.js';

/** @import { Candidate } from './models.js' */
/** @import { Protocol } from './measure.js' */

const plan = element('plan', HTMLFormElement);
const type = element('type', HTMLSelectElement);
const buttons = {
  run: element('run', HTMLButtonElement),
  stop: element('stop', HTMLButtonElement),
};
const bar = element('progress', HTMLProgressElement);
const failure = new FailureNotice();
const maker = new ModelMaker();
const device = await probe();
const report = new Report(device);
/** @type {Candidate[]} */
let models = [];
/** @type {AbortController | undefined} */
let running;

function showFeatures() {
  const cells = tell(device).map(([name, value]) => {
    const cell = document.createElement('div');
    const term = document.createElement('dt');
    const text = document.createElement('dd');
    term.textContent = name;
    text.textContent = value;
    cell.append(term, text);
    return cell;
  });
  element('features').replaceChildren(...cells);
}

/** @param {Candidate} candidate @param {boolean} checked */
function choiceOf({ id, name, weights, bytes }, checked) {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.name = 'model';
  box.value = id;
  const why = tooLarge(bytes, device);
  box.checked = checked && !why;
  box.disabled = why !== undefined;
  const words = document.createElement('span');
  words.className = 'aside';
  const size = bytes > 0 ? `, ${(bytes / 1e6).toFixed(0)} MB` : '';
  words.textContent = `${weights}${size}${why ? `: ${why}` : ''}`;
  label.append(box, ` ${name} `, words);
  return label;
}

async function showModels() {
  const before = models.length > 0 ? chosen().map(({ id }) => id) : ['own', 'rwkv7-0.1b'];
  models = await candidates(maker, type.value);
  element('models').replaceChildren(...models.map((one) => choiceOf(one, before.includes(one.id))));
}

function chosen() {
  const ids = new FormData(plan).getAll('model');
  return models.filter(({ id }) => ids.includes(id));
}

/** @returns {Protocol} */
function protocol() {
  /** @param {string} id */
  const number = (id) => Number(element(id, HTMLInputElement).value);
  const build = element('build', HTMLSelectElement).value;
  return {
    read: number('read'),
    written: number('written'),
    repeats: number('repeats'),
    threads: number('threads') || undefined,
    build: /** @type {Protocol['build']} */ (build || undefined),
  };
}

/** @param {boolean} isRunning */
function showState(isRunning) {
  buttons.run.disabled = isRunning;
  buttons.stop.disabled = !isRunning;
  element('progress-line').hidden = !isRunning;
}

async function run() {
  if (running) return;
  failure.clear();
  const wanted = chosen();
  if (wanted.length === 0) {
    element('status').textContent = 'Choose a model first.';
    return;
  }
  const aborter = new AbortController();
  running = aborter;
  showState(true);
  element('status').textContent = '';
  const asked = protocol();
  report.begin(asked);
  let done = 0;
  try {
    for (const candidate of wanted) {
      const { name } = candidate;
      const measured = await measure(
        candidate,
        asked,
        (need) => tooLarge(need, device),
        (what, share) => {
          if (aborter.signal.aborted) return;
          element('progress-text').textContent = `${name}: ${what}`;
          if (share === undefined) bar.removeAttribute('value');
          else bar.value = share;
        },
        aborter.signal,
      );
      report.add(measured);
      done++;
    }
    element('status').textContent = `Done: ${done} of ${wanted.length} measured.`;
  } catch (error) {
    const rows = `${done} of ${wanted.length} measured`;
    const { aborted } = aborter.signal;
    element('status').textContent = aborted ? `Cancelled: ${rows}.` : `Ended early: ${rows}.`;
    if (!aborted) failure.show(error);
  } finally {
    running = undefined;
    showState(false);
  }
}

plan.addEventListener('submit', (event) => {
  event.preventDefault();
  run();
});
buttons.stop.addEventListener('click', () => running?.abort());
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') running?.abort();
});
type.append(...TYPES.map((name) => new Option(name.toUpperCase(), name)));
type.addEventListener('change', () => showModels().catch((error) => failure.show(error)));
for (const option of element('build', HTMLSelectElement).options) {
  option.disabled = option.value === 'relaxed' && !device.relaxedSimd;
}
showFeatures();
showModels().catch((error) => failure.show(error));
