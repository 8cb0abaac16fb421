// SPDX-License-Identifier: MIT
import { inspectModel, loadModel } from 'fastweights';
import { element } from '../element.js';
import { FailureNotice } from '../failures.js';
import { sizeOf } from '../size.js';
import { addressOf } from './address.js';
import { listenForFiles } from './given-files.js';
import { KeptModels } from './kept.js';
import { showPlan } from './plan.js';
import { showPublished } from './published.js';
import { filesToChoose, showChoices } from './repository.js';
import { sourceOfAddress, sourceOfFiles } from './source.js';
import { Trial } from './trial.js';

/** @import { Model, WeightForm } from 'fastweights' */
/** @import { Source } from './source.js' */

const address = element('address', HTMLInputElement);
const weights = element('weights', HTMLSelectElement);
const keep = element('keep', HTMLInputElement);
const prompt = element('prompt', HTMLTextAreaElement);
const bar = element('progress', HTMLProgressElement);
/** @param {string} id */
const button = (id) => element(id, HTMLButtonElement);
const failure = new FailureNotice();
const kept = new KeptModels(choose);

const WORKER = new URL('./worker.js', import.meta.url);

/** What is looked at. @type {Source | undefined} */
let source;
let fits = false;
/** @type {AbortController | undefined} */
let working;
/** @type {Model | undefined} */
let model;
/** @type {Trial | undefined} */
let trial;

/** What the field means, shown before anything is fetched. @returns {URL | undefined} */
function readAddress() {
  const words = element('address-words');
  const isEmpty = address.value.trim() === '';
  try {
    const url = isEmpty ? undefined : addressOf(address.value);
    words.textContent = url ? planned(url) : '';
    words.classList.remove('bad');
    button('look').disabled = !url || working !== undefined;
    return url;
  } catch (error) {
    words.textContent = /** @type {Error} */ (error).message;
    words.classList.add('bad');
    button('look').disabled = true;
    return undefined;
  }
}

/** @param {URL} url */
function planned({ href, host, pathname }) {
  const what = pathname.endsWith('/')
    ? 'the list of what is there; of a checkpoint config.json and the files beside it'
    : 'one file, and those that it names as its parts';
  return `Will be asked for: ${href} (the server ${host}; ${what}).`;
}

/** @param {string} text */
function choose(text) {
  address.value = text;
  readAddress();
  address.focus();
  address.scrollIntoView({ block: 'center' });
}

function showState() {
  const busy = working !== undefined;
  element('loading').hidden = !busy;
  for (const id of ['pick-files', 'pick-folder']) button(id).disabled = busy;
  button('load').disabled = busy || !fits;
  weights.disabled = busy;
  keep.disabled = busy;
  element('trial').hidden = model === undefined;
  button('write').disabled = busy || trial?.busy === true;
  button('stop').disabled = !trial?.busy;
  readAddress();
}

/**
 * Does something that can be cancelled, which ends what went on before.
 *
 * @param {string} what
 * @param {(signal: AbortSignal) => Promise<void>} work
 */
async function doing(what, work) {
  working?.abort();
  const mine = new AbortController();
  working = mine;
  failure.clear();
  element('loading-text').textContent = what;
  bar.removeAttribute('value');
  showState();
  try {
    await work(mine.signal);
  } catch (error) {
    if (!mine.signal.aborted) failure.show(error);
  } finally {
    if (working === mine) working = undefined;
    showState();
  }
}

/** @param {Source} next */
function look(next) {
  source = next;
  fits = false;
  element('needs').hidden = true;
  element('choices').hidden = true;
  element('keep-label').hidden = !next.isAddress;
  return doing(`Reading the beginning of ${next.name}`, async (signal) => {
    if (await hasChoices(next, signal)) return;
    const plan = await inspectModel(next.model, {
      signal,
      weights: /** @type {WeightForm} */ (weights.value),
      worker: WORKER,
    });
    if (!signal.aborted) fits = showPlan(next.name, plan);
  });
}

/** Whether it is a repository of GGUF files, of which one must be chosen. @type {(next: Source, signal: AbortSignal) => Promise<boolean>} */
async function hasChoices({ isAddress, model: from }, signal) {
  if (!isAddress) return false;
  const url = new URL(/** @type {string} */ (from));
  const files = await filesToChoose(url, signal);
  if (signal.aborted) return true;
  showChoices(url, files, (file) => {
    choose(file.href);
    look(sourceOfAddress(file));
  });
  if (files.length > 0) element('choices').focus({ preventScroll: true });
  return files.length > 0;
}

function load() {
  const { name, model: from, isAddress } = /** @type {Source} */ (source);
  return doing(`Loading ${name}`, async (signal) => {
    await closeModel();
    const loaded = await loadModel(from, {
      signal,
      weights: /** @type {WeightForm} */ (weights.value),
      cache: isAddress && keep.checked,
      worker: WORKER,
      onProgress: ({ loaded: done, total }) => {
        if (total) bar.value = done / total;
        element('loading-text').textContent =
          `Loading ${name}: ${sizeOf(done)}${total ? ` of ${sizeOf(total)}` : ''}`;
      },
    });
    model = loaded;
    trial = new Trial(loaded);
    const { notKept, threads, build } = loaded.facts;
    element('figures').textContent =
      `It runs: ${build}, ${threads} ${threads === 1 ? 'thread' : 'threads'}.` +
      (notKept ? ` It could not be kept: ${notKept}` : '');
    await kept.show();
    element('trial').hidden = false;
    prompt.focus();
  });
}

async function closeModel() {
  trial?.stop();
  trial = undefined;
  await model?.dispose();
  model = undefined;
}

async function write() {
  if (!trial || trial.busy || prompt.value.trim() === '') return;
  failure.clear();
  const writing = trial.write(prompt.value);
  showState();
  try {
    await writing;
  } catch (error) {
    failure.show(error);
  }
  showState();
}

element('address-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const url = readAddress();
  if (url) look(sourceOfAddress(url));
});
address.addEventListener('input', readAddress);
weights.addEventListener('change', () => source && look(source));
button('load').addEventListener('click', load);
button('cancel').addEventListener('click', () => working?.abort());
button('stop').addEventListener('click', () => trial?.stop());
button('close').addEventListener('click', async () => {
  await closeModel();
  showState();
  button('load').focus();
});
element('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  write();
});
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  working?.abort();
  trial?.stop();
});
listenForFiles((files) => {
  try {
    look(sourceOfFiles(files));
  } catch (error) {
    failure.show(error);
  }
});
showPublished(choose);
showState();
kept.show();
