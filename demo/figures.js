// SPDX-License-Identifier: MIT
import { element } from './element.js';

/**
 * @import { MemoryUse, Model } from 'fastweights'
 * @import { Live, Outcome, Samples } from './writing.js'
 */

/** @type {Record<string, [label: string, unit: string]>} */
const ROWS = {
  decode: ['Writing', 'tokens a second'],
  prefill: ['Reading', 'tokens a second'],
  first: ['First token', 'after the start'],
  tokens: ['Tokens', 'written'],
  state: ['State', 'all it remembers'],
  weights: ['Weights', 'in memory'],
  heap: ['Heap', 'of WebAssembly'],
  load: ['Loading', 'file to ready'],
  build: ['Build', 'of the core'],
};

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
/** @param {number} ms */
const milliseconds = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
/** @param {number} value */
const perSecond = (value) => (value >= 10 ? value.toFixed(0) : value.toFixed(1));

/** The numbers under the composer. */
export class Figures {
  #panel = element('figures');
  #constancy = element('constancy');
  /** @type {Record<string, HTMLElement>} */
  #values = {};
  #stateBytes = 0;

  constructor() {
    const list = document.createElement('dl');
    for (const [key, [label, unit]] of Object.entries(ROWS)) {
      const cell = document.createElement('div');
      const term = document.createElement('dt');
      const value = document.createElement('dd');
      const note = document.createElement('dd');
      term.textContent = label;
      value.textContent = '–';
      value.id = `figure-${key}`;
      note.textContent = unit;
      note.className = 'unit';
      cell.append(term, value, note);
      list.append(cell);
      this.#values[key] = value;
    }
    this.#panel.append(list);
  }

  /**
   * A model has been loaded.
   * @type {(model: Model, use: MemoryUse) => void}
   */
  start({ facts }, { heapBytes }) {
    this.#stateBytes = facts.stateBytes;
    this.#set({
      decode: '–',
      prefill: '–',
      tokens: '–',
      first: '–',
      weights: megabytes(facts.weightsBytes),
      state: megabytes(facts.stateBytes),
      heap: megabytes(heapBytes),
      load: milliseconds(facts.loadMs),
      build: facts.threads > 1 ? `${facts.build}, ${facts.threads} threads` : facts.build,
    });
    this.#constancy.hidden = true;
    this.#panel.hidden = false;
  }

  /**
   * While a text is written. A piece is a token, but for characters that take several.
   * @param {Live} live
   */
  live({ pieces, perSecond: rate, timeToFirstTokenMs, memory }) {
    this.#set({
      tokens: String(pieces),
      first: milliseconds(timeToFirstTokenMs),
      ...(rate === undefined ? {} : { decode: perSecond(rate) }),
      ...(memory ? { heap: megabytes(memory.heapBytes) } : {}),
    });
  }

  /**
   * When it is complete.
   * @param {Outcome} outcome
   */
  finish({ result, memory }) {
    const { timings, tokens, promptTokens } = result;
    this.#set({
      tokens: String(tokens.length),
      ...(tokens.length > 1 ? { decode: perSecond(timings.decodeTokensPerSecond) } : {}),
      ...(promptTokens.length > 0 ? { prefill: perSecond(timings.prefillTokensPerSecond) } : {}),
      first: milliseconds(timings.timeToFirstTokenMs),
    });
    this.#compare(memory);
  }

  /** @param {Samples} samples */
  #compare({ first, last, tokens }) {
    if (!first || !last) return;
    this.#set({ state: megabytes(this.#stateBytes + last.kvBytes) });
    const grown = last.heapInUse - first.heapInUse;
    const used = `${megabytes(last.heapInUse)} of the heap were in use`;
    this.#constancy.textContent =
      Math.abs(grown) < 1024
        ? `The state did not grow: ${used} at the first token, and as much ${tokens} tokens later.`
        : `Memory grew by ${megabytes(grown)} over ${tokens} tokens, for the layers that keep every token.`;
    this.#constancy.hidden = false;
  }

  /** @param {Record<string, string>} values */
  #set(values) {
    for (const [key, text] of Object.entries(values)) {
      if (this.#values[key].textContent !== text) this.#values[key].textContent = text;
    }
  }
}
