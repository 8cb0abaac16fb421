// SPDX-License-Identifier: MIT
import { count } from '../count.js';
import { element } from '../element.js';
import { sizeOf } from '../size.js';
import { LongRun } from './long-run.js';
import { MemoryChart } from './memory-chart.js';
import { rate } from './words.js';

/**
 * @import { GenerationResult, MemoryUse, Model, Session } from 'fastweights'
 * @import { Talk } from './talk.js'
 */

const SAMPLE_MS = 250;

/**
 * What is measured: the texts under way, how many tokens each has, and what waits beside them.
 * @typedef {object} Subject
 * @property {() => number} tokens
 * @property {() => boolean} isOver
 * @property {number} [texts] that are written at the same time; one, if not given
 * @property {() => boolean} [isMixed] whether others are written that are not meant
 */

/** What the text that is being written takes, beside what keys and values of every token would. */
export class Remembers {
  #chart = new MemoryChart(element('memory-chart'));
  #words = element('memory-words');
  #button = element('million', HTMLButtonElement);
  #progress = element('million-progress', HTMLProgressElement);
  #progressWords = element('million-words');
  /** @type {Model | undefined} */
  #model;
  #perToken = 0;
  /** Whether what is measured next is another text. */
  #isNew = true;
  /** @type {LongRun | undefined} */
  #run;
  #surroundings;

  /**
   * @param {object} surroundings
   * @param {() => Talk | undefined} surroundings.talk
   * @param {() => boolean} surroundings.isWriting
   * @param {(result: GenerationResult) => void} surroundings.onMillion
   * @param {(error: unknown) => void} surroundings.onFailure
   */
  constructor(surroundings) {
    this.#surroundings = surroundings;
    this.#button.addEventListener('click', () => {
      if (this.#run) this.#run.stop();
      else this.#writeMillion();
    });
  }

  /** Another model. @param {Model} model */
  start(model) {
    this.end();
    this.#model = model;
    const { layerCount, embeddingLength } = model.facts;
    this.#perToken = 2 * layerCount * embeddingLength * 4;
    element('formula').textContent =
      `2 (key and value) × ${layerCount} layers × ${embeddingLength} numbers × 4 bytes = ` +
      `${sizeOf(this.#perToken)} a token`;
    this.#chart.start(this.#perToken);
    this.#words.textContent = '';
    element('remembers').hidden = false;
  }

  /** What a session holds now, somewhere else than before. @param {Session} session */
  show({ contextUsage, memory }) {
    this.#isNew ||= this.#run === undefined;
    this.finish(contextUsage, memory);
  }

  /** What a text held at its end. @type {(tokens: number, memory: MemoryUse) => void} */
  finish(tokens, { stateBytes, kvBytes }) {
    if (!this.#run) this.#add(tokens, stateBytes + kvBytes);
  }

  /** Measures while an answer is written. @param {Subject} subject */
  async watch(subject) {
    if (this.#run) return;
    this.#isNew = true;
    await this.#measure({
      ...subject,
      isOver: () => subject.isOver() || this.#run !== undefined,
    });
  }

  /** @param {Subject} subject */
  async #measure({ tokens, isOver, texts = 1, isMixed = () => false }) {
    const model = this.#model;
    if (!model) return;
    try {
      const before = (await model.memory()).heapInUse;
      while (!isOver()) {
        await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
        if (isOver() || isMixed() || tokens() === 0) continue;
        const bytes = await this.#bytes(model, before);
        if (isOver() || isMixed()) continue;
        this.#add(tokens(), bytes / texts);
      }
    } catch {
      // The model has been closed, which whoever writes hears of.
    }
  }

  // Of sessions all is asked for that they hold, and those that wait are taken off. Texts outside of
  // sessions are what the heap has got more in use.
  /** @type {(model: Model, before: number) => Promise<number>} */
  async #bytes(model, before) {
    const { stateBytes, kvBytes, heapInUse } = await model.memory();
    const held = this.#surroundings.talk()?.held;
    return held ? stateBytes + kvBytes - held.bytes : heapInUse - before;
  }

  end() {
    this.#run?.stop();
    this.#run = undefined;
    this.#model = undefined;
  }

  /** @type {(tokens: number, bytes: number) => void} */
  #add(tokens, bytes) {
    if (this.#isNew) this.#chart.start(this.#perToken);
    this.#isNew = false;
    this.#chart.add({ tokens, bytes });
    const would = tokens * this.#perToken;
    this.#words.textContent =
      `After ${count(tokens)} tokens it holds ${sizeOf(bytes)}; ` +
      `keys and values of every token would be ${sizeOf(would)}.`;
  }

  async #writeMillion() {
    const talk = this.#surroundings.talk();
    if (!talk) return;
    const run = new LongRun((options) => talk.writeLong(options));
    this.#run = run;
    this.#isNew = true;
    this.#button.textContent = 'Stop';
    this.#progress.hidden = false;
    let written = 0;
    let speed = 0;
    let shownAt = 0;
    const watching = this.#measure({
      tokens: () => written,
      isOver: () => this.#run !== run,
      isMixed: this.#surroundings.isWriting,
    });
    try {
      const result = await run.run(({ tokens, perSecond, words }) => {
        written = tokens;
        speed = perSecond;
        const now = performance.now();
        if (now - shownAt < SAMPLE_MS) return;
        shownAt = now;
        this.#progress.value = tokens / LongRun.TOKENS;
        this.#progressWords.textContent =
          `${count(tokens)} of ${count(LongRun.TOKENS)} tokens, ${rate(perSecond)} a second: ` +
          `…${words.replaceAll(/\s+/g, ' ')}`;
      });
      const { memory } = result;
      written = result.tokens.length;
      if (this.#run === run && !this.#surroundings.isWriting()) {
        this.#add(written, memory.stateBytes + memory.kvBytes);
        this.#surroundings.onMillion(result);
      }
      this.#progressWords.textContent = `${count(written)} tokens were written, ${rate(speed)} a second.`;
    } catch (error) {
      this.#progressWords.textContent = 'Broken off by an error.';
      if (this.#run === run) this.#surroundings.onFailure(error);
    } finally {
      if (this.#run === run) this.#run = undefined;
      this.#button.textContent = 'Write a million tokens';
      this.#progress.hidden = true;
      await watching;
    }
  }
}
