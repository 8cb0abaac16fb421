// SPDX-License-Identifier: MIT
import { element } from './element.js';
import { examplesFor } from './examples.js';
import { explain, FailureNotice } from './failures.js';
import { Figures } from './figures.js';
import { listenForFiles } from './files.js';
import { ModelLoading } from './loading.js';
import { Texts } from './texts.js';
import { Writing } from './writing.js';

/** @import { Request } from './writing.js' */

const composer = element('composer', HTMLFormElement);
const prompt = element('prompt', HTMLTextAreaElement);
const seed = element('seed', HTMLInputElement);
const temperature = element('temperature', HTMLInputElement);
const maxTokens = element('max-tokens', HTMLInputElement);
const buttons = {
  write: element('write', HTMLButtonElement),
  stop: element('stop', HTMLButtonElement),
  again: element('again', HTMLButtonElement),
};

const loading = new ModelLoading();
const failure = new FailureNotice();
const figures = new Figures();
const texts = new Texts((value) => {
  seed.value = value;
  seed.focus();
});

/** @type {Writing | undefined} */
let writing;
let finished = Promise.resolve();
/** @type {Request | undefined} */
let last;

/** @param {File} [file] */
async function open(file) {
  failure.clear();
  writing?.stop();
  await finished;
  try {
    const loaded = loading.load(file);
    showState();
    if (await loaded) await showModel(file);
  } catch (error) {
    failure.show(error);
  } finally {
    showState();
  }
}

// What can be pressed now.
function showState() {
  const { busy, embedded, model } = loading;
  element('opening').hidden = busy;
  element('opening').classList.toggle('started', embedded);
  composer.hidden = model === undefined;
  element('main').classList.toggle('ready', model !== undefined);
  element('texts').hidden &&= model === undefined;
  buttons.write.disabled = busy || writing !== undefined;
  buttons.again.disabled = busy || writing !== undefined || last === undefined;
  buttons.stop.disabled = writing === undefined;
}

/** @param {File} [file] */
async function showModel(file) {
  const { model, embedded } = loading;
  if (!model) return;
  const { facts } = model;
  figures.start(model, await model.memory());
  element('model-line').textContent =
    `${file?.name ?? facts.name ?? 'The model'} is running: ${facts.architecture}, ` +
    `${facts.vocabSize} tokens in its vocabulary.`;
  element('model-line').hidden = false;
  element('ask-label').textContent = examplesFor(embedded).askLabel;
  last = undefined;
  showState();
  showMode();
  prompt.value = currentPrompts()[0];
  prompt.focus();
  prompt.setSelectionRange(prompt.value.length, prompt.value.length);
}

const mode = () => (new FormData(composer).get('mode') === 'ask' ? 'ask' : 'continue');
const currentPrompts = () => examplesFor(loading.embedded).prompts[mode()];

function showMode() {
  const { askLabel, continueLabel } = examplesFor(loading.embedded);
  element('prompt-label').textContent = mode() === 'ask' ? askLabel : continueLabel;
  const chips = currentPrompts().map((text) => {
    const chip = document.createElement('button');
    chip.type = 'button';
    chip.textContent = text;
    chip.addEventListener('click', () => {
      prompt.value = text;
      prompt.focus();
    });
    return chip;
  });
  element('chips').replaceChildren(...chips);
}

/** @returns {Request} */
function readRequest() {
  const text = prompt.value;
  return {
    mode: mode(),
    prompt: text,
    options: {
      temperature: Number(temperature.value),
      maxTokens: Number(maxTokens.value),
      seed: seed.value === '' ? undefined : Number(seed.value),
    },
  };
}

/** @param {Request} request */
async function write(request) {
  if (writing || loading.busy || !loading.model) return;
  failure.clear();
  last = request;
  writing = new Writing(loading.model, request);
  showState();
  const text = texts.begin(request);
  try {
    const outcome = await writing.run((piece, live) => {
      text.add(piece);
      figures.live(live);
    });
    text.finish(outcome?.result);
    if (outcome) figures.finish(outcome);
  } catch (error) {
    text.fail();
    failure.show(error);
    if (explain(error).code === 'worker') loading.forget();
  } finally {
    writing = undefined;
    showState();
  }
}

/** @param {Request} request */
function begin(request) {
  finished = write(request);
}

composer.addEventListener('submit', (event) => {
  event.preventDefault();
  if (prompt.value.trim() === '') prompt.focus();
  else begin(readRequest());
});
composer.addEventListener('change', (event) => {
  if (!(event.target instanceof HTMLInputElement) || event.target.name !== 'mode') return;
  // A prompt of one's own survives the switch; an example gives way to one that fits.
  const { prompts } = examplesFor(loading.embedded);
  const example = Object.values(prompts).flat().includes(prompt.value);
  showMode();
  if (example || prompt.value === '') prompt.value = currentPrompts()[0];
});
temperature.addEventListener('input', () => {
  element('temperature-value').textContent = Number(temperature.value).toFixed(2).replace(/0$/, '');
});
prompt.addEventListener('keydown', (event) => {
  // Enter that ends a composition, as in Japanese, is not meant for us.
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  composer.requestSubmit();
});
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  writing?.stop();
  loading.cancel();
});
buttons.stop.addEventListener('click', () => writing?.stop());
buttons.again.addEventListener('click', () => {
  // The last prompt, with the settings as they are now.
  if (last) begin({ ...last, options: readRequest().options });
});
element('start').addEventListener('click', () => open());
listenForFiles((file) => open(file));
