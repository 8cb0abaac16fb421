// SPDX-License-Identifier: MIT
import { count } from '../count.js';
import { element } from '../element.js';
import { sizeOf } from '../size.js';
import { rate, time } from './words.js';

/** @import { GenerationResult, MemoryUse, Model } from 'fastweights' */

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

/** The numbers of the model and of the last answer. */
export class Figures {
  #panel = element('figures');
  /** @type {Record<string, HTMLElement>} */
  #values = {};

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
    this.#set({
      decode: '–',
      prefill: '–',
      tokens: '–',
      first: '–',
      weights: sizeOf(facts.weightsBytes),
      state: sizeOf(facts.stateBytes),
      heap: sizeOf(heapBytes),
      load: time(facts.loadMs),
      build: facts.threads > 1 ? `${facts.build}, ${facts.threads} threads` : facts.build,
    });
    this.#panel.hidden = false;
  }

  /**
   * While answers are written. A piece is a token, but for characters that take several.
   * @type {(pieces: number, perSecond: number | undefined) => void}
   */
  live(pieces, perSecond) {
    this.#set({
      tokens: count(pieces),
      ...(perSecond === undefined ? {} : { decode: rate(perSecond) }),
    });
  }

  /**
   * When one is complete.
   * @param {GenerationResult} result
   */
  finish({ timings, tokens, promptTokens, memory }) {
    this.#set({
      tokens: count(tokens.length),
      ...(tokens.length > 1 ? { decode: rate(timings.decodeTokensPerSecond) } : {}),
      ...(promptTokens.length > 0 ? { prefill: rate(timings.prefillTokensPerSecond) } : {}),
      first: time(timings.timeToFirstTokenMs),
      state: sizeOf(memory.stateBytes + memory.kvBytes),
      heap: sizeOf(memory.heapBytes),
    });
  }

  /** @param {Record<string, string>} values */
  #set(values) {
    for (const [key, text] of Object.entries(values)) {
      if (this.#values[key].textContent !== text) this.#values[key].textContent = text;
    }
  }
}
