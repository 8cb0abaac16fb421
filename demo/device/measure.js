// SPDX-License-Identifier: MIT

/**
 * @import { GenerationResult, LoadOptions } from 'fastweights'
 * @import { Candidate } from './models.js'
 *
 * @typedef {{ read: number, written: number, repeats: number, threads?: number, build?: 'simd128' | 'relaxed' }} Protocol
 *
 * Tokens a second: the middle one of all runs, and the slowest and the fastest.
 * @typedef {{ median: number, least: number, most: number, runs: number[] }} Rates
 *
 * @typedef {object} Measured
 * @property {string} model
 * @property {string} weights
 * @property {string} build
 * @property {number} threads
 * @property {number} loadMs
 * @property {Rates} read
 * @property {Rates} written
 * @property {number} weightsBytes
 * @property {number} stateBytes
 * @property {number} heapBytes
 * @property {boolean} wasHidden whether the page was out of sight, where browsers give it less time
 */

/** @typedef {(what: string, share?: number) => void} OnStep */

/**
 * Measures one model. It is loaded, read and written with once without counting, then as often as asked.
 *
 * @param {Candidate} candidate
 * @param {Protocol} protocol
 * @param {(bytes: number) => string | undefined} tooLarge
 * @param {OnStep} onStep
 * @param {AbortSignal} signal
 * @returns {Promise<Measured>}
 */
export async function measure(candidate, protocol, tooLarge, onStep, signal) {
  const { loadModel, inspectModel } = await import('fastweights');
  const { read, written, repeats, threads, build } = protocol;
  const wasm = build && { build };
  onStep('what it needs');
  // From its first bytes: what is too large is never begun.
  const { memory } = await inspectModel(candidate.open(), { signal, wasm });
  const need = memory.weightsBytes + memory.stateBytes + memory.scratchBytes;
  const why = tooLarge(need);
  if (why) throw new RangeError(`${candidate.name} ${why}`);

  const sight = new Sight();
  /** @type {LoadOptions} */
  const options = {
    signal,
    wasm,
    threads,
    onProgress: ({ loaded, total = candidate.bytes }) =>
      onStep('loading', total > 0 ? Math.min(1, loaded / total) : undefined),
  };
  const model = await loadModel(candidate.open(), options);
  try {
    /** @type {GenerationResult[]} */
    const results = [];
    for (let i = 0; i <= repeats; i++) {
      const which = i === 0 ? 'a run that does not count' : `run ${i} of ${repeats}`;
      onStep(which, i / (repeats + 1));
      const result = await model.complete(promptOf(model.vocabSize, read), {
        temperature: 0,
        maxTokens: written,
        ignoreEos: true,
        signal,
        onPrefill: ({ tokens, total }) =>
          onStep(
            tokens < total ? `${which}: ${tokens} of ${total} tokens read` : `${which}: writing`,
            (i + tokens / total / 2) / (repeats + 1),
          ),
      });
      if (i > 0) results.push(result);
    }
    const { facts } = model;
    return {
      model: candidate.name,
      weights: candidate.weights,
      build: facts.build,
      threads: facts.threads,
      loadMs: facts.loadMs,
      read: ratesOf(results.map(({ timings }) => timings.prefillTokensPerSecond)),
      written: ratesOf(results.map(({ timings }) => timings.decodeTokensPerSecond)),
      weightsBytes: facts.weightsBytes,
      stateBytes: facts.stateBytes,
      heapBytes: (await model.memory()).heapBytes,
      wasHidden: sight.wasHidden,
    };
  } finally {
    sight.close();
    await model.dispose();
  }
}

class Sight {
  wasHidden = document.hidden;
  #aborter = new AbortController();

  constructor() {
    const look = () => {
      this.wasHidden ||= document.hidden;
    };
    document.addEventListener('visibilitychange', look, { signal: this.#aborter.signal });
  }

  close() {
    this.#aborter.abort();
  }
}

/** Tokens spread over the vocabulary: what they are does not change the work. @type {(vocabSize: number, count: number) => number[]} */
const promptOf = (vocabSize, count) =>
  Array.from({ length: count }, (_, i) => (i * 7919) % vocabSize);

/** @param {number[]} runs @returns {Rates} */
export function ratesOf(runs) {
  const sorted = [...runs].sort((a, b) => a - b);
  const { length } = sorted;
  const median = (sorted[(length - 1) >> 1] + sorted[length >> 1]) / 2;
  return { median, least: sorted[0], most: sorted[length - 1], runs };
}
