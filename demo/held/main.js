// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { explain, FailureNotice } from '../failures.js';
import { listenForFiles } from '../files.js';
import { ModelLoading } from '../loading.js';
import { Answering } from './answering.js';
import { FormField } from './field.js';
import { Steps } from './steps.js';

const composer = element('composer', HTMLFormElement);
const prompt = element('prompt', HTMLTextAreaElement);
const temperature = element('temperature', HTMLInputElement);
const buttons = {
  write: element('write', HTMLButtonElement),
  stop: element('stop', HTMLButtonElement),
  open: element('open', HTMLButtonElement),
};
const loading = new ModelLoading();
const failure = new FailureNotice();
const steps = new Steps();
const field = new FormField(
  () => loading.model,
  (request) => {
    prompt.value = request;
  },
);

/** @type {Answering | undefined} */
let answering;
let finished = Promise.resolve();

function showState() {
  const { busy, model } = loading;
  buttons.write.disabled = busy || answering !== undefined;
  buttons.write.textContent = model ? 'Write' : 'Start the model and write';
  buttons.stop.disabled = answering === undefined;
  buttons.open.disabled = busy;
}

/** @param {File} [file] @returns {Promise<boolean>} whether there is a model now */
async function open(file) {
  failure.clear();
  answering?.stop();
  await finished;
  try {
    const loaded = loading.load(file);
    showState();
    if (!(await loaded)) return false;
    const { facts } = /** @type {import('fastweights').Model} */ (loading.model);
    element('model-line').textContent =
      `${file?.name ?? facts.name ?? 'The model'} is running: ${facts.architecture}, ` +
      `${facts.vocabSize} tokens in its vocabulary.`;
    field.check();
    return true;
  } catch (error) {
    failure.show(error);
    return false;
  } finally {
    showState();
  }
}

function readOptions() {
  const seed = element('seed', HTMLInputElement).value;
  return {
    temperature: Number(temperature.value),
    maxTokens: Number(element('max-tokens', HTMLInputElement).value),
    seed: seed === '' ? undefined : Number(seed),
  };
}

async function write() {
  if (answering || loading.busy) return;
  failure.clear();
  element('summary').textContent = '';
  // What cannot be read needs no model.
  if (!field.read()) return;
  if (!loading.model && !(await open())) return;
  const form = await field.check();
  const model = loading.model;
  if (form === undefined || !model || answering) return;
  steps.begin(model.vocabSize);
  const mine = new Answering(model, {
    token: (entry) => steps.add(entry),
    called: (call, result) => steps.called(call, result),
  });
  answering = mine;
  showState();
  bringIntoView();
  const { kind } = field;
  try {
    const result = await mine.run(prompt.value, form, readOptions());
    summarise(result, kind);
  } catch (error) {
    const { tokens } = steps.finish();
    if (mine.stopped) element('summary').textContent = `Stopped after ${tokens} tokens.`;
    else failure.show(error);
    if (explain(error).code === 'worker') loading.forget();
  } finally {
    answering = undefined;
    showState();
  }
}

// On narrow screens the answer is below all that is asked.
function bringIntoView() {
  if (matchMedia('(min-width: 64rem)').matches) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const behavior = calm ? 'instant' : 'smooth';
  element('answer-title').scrollIntoView({ block: 'start', behavior });
}

/** @type {(result: import('fastweights').GenerationResult, kind: string) => void} */
function summarise({ finishReason, text, timings }, kind) {
  const { tokens, forced } = steps.finish();
  const isCut = finishReason === 'length';
  const partly = kind === 'tools' ? '.' : ', so the form is not complete.';
  const cut = isCut ? ` The token limit cut it short${partly}` : '';
  // Parsed here, so that it is not merely believed.
  const verdict =
    kind === 'schema' && !isCut && JSON.parse(text) !== undefined ? ' It is JSON.' : '';
  const words =
    `${tokens} tokens, ${forced} of them forced, ` +
    `${timings.decodeTokensPerSecond.toFixed(0)} a second.${verdict}${cut}`;
  element('summary').textContent = words;
  element('announcer').textContent = text;
}

composer.addEventListener('submit', (event) => {
  event.preventDefault();
  finished = write();
});
buttons.stop.addEventListener('click', () => answering?.stop());
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  answering?.stop();
  loading.cancel();
});
temperature.addEventListener('input', () => {
  element('temperature-value').textContent = Number(temperature.value).toFixed(2).replace(/0$/, '');
});
listenForFiles((file) => open(file));
showState();
