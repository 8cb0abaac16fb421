// SPDX-License-Identifier: MIT
import { EMBEDDED } from '../embedded.js';
import { drawHeat, largest } from './heat.js';
import { record } from './recording.js';
import { amount, decayOf, lastWrite } from './state-words.js';
import { Step } from './step.js';

/**
 * @import { LayerState, Model } from 'fastweights'
 * @import { Moment } from './recording.js'
 */

/** One layer of the story model, token by token. */
export class LayerWalk {
  #step = new Step('layer');
  #layer = /** @type {HTMLSelectElement} */ (this.#step.part('layer'));
  #head = /** @type {HTMLSelectElement} */ (this.#step.part('head'));
  #token = /** @type {HTMLInputElement} */ (this.#step.part('token'));
  /** @type {Model | undefined} */
  #model;
  /** @type {Moment[]} */
  #moments = [];

  constructor() {
    this.#step.press('start', () => this.#guard(() => this.#start()));
    this.#layer.addEventListener('change', () => this.#guard(() => this.#record()));
    this.#head.addEventListener('change', () => this.show());
    this.#token.addEventListener('input', () => this.show());
    this.#step.part('text').addEventListener('click', ({ target }) => {
      const at = target instanceof HTMLElement ? target.dataset.at : undefined;
      if (at !== undefined) this.#go(Number(at));
    });
  }

  // What fails is told in words, and may be tried again.
  /** @param {() => Promise<void>} work */
  async #guard(work) {
    const failure = /** @type {HTMLElement} */ (document.getElementById('layer-failure'));
    const start = /** @type {HTMLButtonElement} */ (this.#step.part('start'));
    failure.hidden = true;
    for (const control of [start, this.#layer]) control.disabled = true;
    try {
      await work();
    } catch (error) {
      failure.hidden = false;
      failure.textContent = `The model could not be shown: ${/** @type {Error} */ (error).message}`;
    } finally {
      for (const control of [start, this.#layer]) control.disabled = false;
    }
  }

  async #start() {
    const note = this.#step.part('note');
    const { loadModel } = await import('fastweights');
    this.#model = await loadModel(EMBEDDED.url, {
      onProgress: ({ loaded, total }) => {
        const of = total ? ` of ${(total / 1e6).toFixed(1)}` : '';
        note.textContent = `Loading: ${(loaded / 1e6).toFixed(1)}${of} MB`;
      },
    });
    const session = await this.#model.createSession();
    const { layers } = await session.state({ values: false });
    session.destroy();
    const options = layers.map(({ layer }) => new Option(`${layer}`));
    this.#layer.replaceChildren(...options);
    this.#layer.value = String(layers[Math.floor(layers.length / 2)].layer);
    await this.#record();
    this.#step.part('start').hidden = true;
    note.hidden = true;
    this.#step.part('desk').hidden = false;
    this.show();
  }

  async #record() {
    const layer = Number(this.#layer.value);
    const told = (/** @type {number} */ share) =>
      this.#step.tell(`Writing: ${Math.round(100 * share)} %`);
    const model = /** @type {Model} */ (this.#model);
    const { lead, moments } = await record(model, layer, told);
    this.#moments = moments;
    const { heads } = this.#moments[0].after;
    const chosen = this.#showDecays(heads);
    this.#head.replaceChildren(...Array.from({ length: heads }, (_, i) => new Option(`${i}`)));
    this.#head.value = String(chosen);
    this.#token.max = String(this.#moments.length);
    this.#token.value = String(Math.min(Number(this.#token.value), this.#moments.length));
    this.#step.part('text').replaceChildren(lead, ...words(moments));
    this.show();
  }

  // Decays of all heads over the text; returns the head that full stops change most.
  /** @param {number} heads */
  #showDecays(heads) {
    const count = this.#moments.length;
    const all = new Float32Array(heads * count);
    for (const [i, { after }] of this.#moments.entries()) {
      for (let head = 0; head < heads; head++) all[head * count + i] = decayOf(after, head) ?? 1;
    }
    drawHeat(this.#step.canvas('decays'), all, { columns: count, scale: 1 });
    const { head, atStops, elsewhere } = mostChanged(this.#moments, heads);
    this.#step.part('stops').textContent =
      atStops === undefined
        ? ''
        : `Where a sentence ends, head ${head} keeps ${amount(atStops)} of its state, elsewhere ${amount(elsewhere)} (medians of this text).`;
    this.#step.describe('decays', `${heads} heads, ${count} tokens`);
    return head;
  }

  /** @param {number} moment */
  #go(moment) {
    this.#token.value = String(moment + 1);
    this.show();
  }

  show() {
    const at = Number(this.#token.value) - 1;
    const moment = this.#moments[at];
    if (!moment) return;
    const head = Number(this.#head.value);
    for (const [i, token] of this.#step.part('text').querySelectorAll('button').entries()) {
      token.ariaPressed = String(i === at);
    }
    this.#step.part('token-value').textContent = `${at + 1} of ${this.#moments.length}`;
    this.#draw(moment, head);
    const { after, before, text, position } = moment;
    const last = /** @type {NonNullable<LayerState['last']>} */ (after.last);
    const decay = decayOf(after, head);
    const rows = [
      ['length of the query, |q|', last.queryNorms[head]],
      ['length of the key, |k|', last.keyNorms[head]],
      ['length of the value, |v|', last.valueNorms[head]],
      ['decay, α: kept of what was there', decay],
      ['beta, β: made right of what is wrong', last.beta?.[head]],
      ['norm of S before', before.norms[head]],
      ['norm of what was added, |k uᵀ|', last.writeNorms[head]],
      ['norm of S after', after.norms[head]],
    ];
    this.#step
      .part('numbers')
      .replaceChildren(
        ...rows.filter(([, value]) => value !== undefined).map(([name, value]) => row(name, value)),
      );
    this.#step.tell(
      `“${text.trim()}”, token ${position} of the conversation: head ${head} of layer ${after.layer} keeps ${amount(decay)} of its state.`,
    );
  }

  /** @type {(moment: Moment, head: number) => void} */
  #draw({ before, after }, head) {
    const { keyDim, valueDim } = after;
    const size = keyDim * valueDim;
    /** @param {LayerState} layer */
    const cells = ({ values }) =>
      /** @type {Float32Array} */ (values).subarray(head * size, (head + 1) * size);
    const pictures = {
      before: cells(before),
      written: lastWrite(after, head) ?? new Float32Array(size),
      after: cells(after),
    };
    const scale = Math.max(...Object.values(pictures).map(largest));
    for (const [name, values] of Object.entries(pictures)) {
      drawHeat(this.#step.canvas(name), values, { columns: valueDim, scale });
      this.#step.describe(
        name,
        `${keyDim} × ${valueDim}, the largest number ${amount(largest(values))}`,
      );
    }
  }
}

/**
 * The head whose decays at full stops differ most from those elsewhere.
 * @type {(moments: Moment[], heads: number) => { head: number, atStops: number | undefined, elsewhere: number | undefined }}
 */
function mostChanged(moments, heads) {
  const isStop = (/** @type {Moment} */ { text }) => /^[.!?]/.test(text);
  const of = Array.from({ length: heads }, (_, head) => {
    const median = (/** @type {Moment[]} */ some) =>
      some.map(({ after }) => decayOf(after, head) ?? 1).sort((a, b) => a - b)[some.length >> 1];
    const atStops = median(moments.filter(isStop));
    const elsewhere = median(moments.filter((moment) => !isStop(moment)));
    return { head, atStops, elsewhere };
  });
  const change = ({ atStops = 0, elsewhere = 0 }) => Math.abs(atStops - elsewhere);
  return of.reduce((most, one) => (change(one) > change(most) ? one : most));
}

/** @param {Moment[]} moments */
function words(moments) {
  /** @type {(HTMLElement | string)[]} */
  const made = [];
  let word = document.createElement('span');
  for (const [i, { text }] of moments.entries()) {
    if (i === 0 || /^\s/.test(text)) {
      word = document.createElement('span');
      // Outside, where a line may end.
      made.push(' ', word);
    }
    const token = document.createElement('button');
    token.type = 'button';
    token.dataset.at = String(i);
    token.textContent = text.replace(/^ /, '').replaceAll('\n', '↵');
    word.append(token);
  }
  return made;
}

/** @type {(name: unknown, value: unknown) => HTMLElement} */
function row(name, value) {
  const made = document.createElement('tr');
  const [heading, cell] = [document.createElement('th'), document.createElement('td')];
  heading.scope = 'row';
  heading.textContent = String(name);
  cell.textContent = amount(Number(value));
  made.append(heading, cell);
  return made;
}
