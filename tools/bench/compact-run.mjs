// SPDX-License-Identifier: MIT
//
// Bundled by compact.mjs.

import { readFile } from 'node:fs/promises';
import { openModel } from '../../web/engine/loaded-model.ts';
import { machineArrays, restoreMachine } from '../../web/engine/saved-machine.ts';
import { packer, unpack } from '../../web/storage/compact.ts';
import { resolveWasm } from '../../web/wasm/builds.ts';

/**
 * @import { LoadedModel } from '../../web/engine/loaded-model.ts'
 * @import { Precision } from '../../web/storage/compact.ts'
 *
 * What is found behind states that were written with a precision. Bytes and milliseconds are of one.
 * @typedef {object} Scored
 * @property {Precision} precision
 * @property {number} scored tokens
 * @property {number} bytes
 * @property {number} perplexity
 * @property {number} packMs
 * @property {number} unpackMs
 */

/** @type {Precision[]} */
const kPrecisions = ['f32', 'f16', 'int8'];

/**
 * Reads the first half of every window of a text, writes the state and reads it back, and scores
 * the second half.
 *
 * @param {string} modelFile
 * @param {string} textFile
 * @param {number} window tokens
 */
export async function measure(modelFile, textFile, window) {
  /** @type {import('../../web/engine/types.ts').EngineOptions} */
  const options = {
    wasm: resolveWasm(),
    batchTokens: 512,
    weights: 'stored',
    kv: 'f32',
    speculate: false,
  };
  const { signal } = new AbortController();
  const model = await openModel(modelFile, options, signal);
  const ids = model.tokenizer.encode(await readFile(textFile, 'utf8'));
  const found = kPrecisions.map((precision) => scored(model, ids, window, precision));
  model.model.delete();
  return found;
}

/** @type {(model: LoadedModel, ids: number[], window: number, precision: Precision) => Scored} */
function scored({ wasm, model, tokenizer }, ids, window, precision) {
  const session = model.createSession();
  if (!session) throw new Error('there is no memory for a session');
  const machine = { wasm, session, tokenizer };
  const pack = packer(precision);
  const half = window >> 1;
  const windows = Math.floor(ids.length / window);
  let [nll, bytes, packMs, unpackMs] = [0, 0, 0, 0];
  for (let w = 0; w < windows; w++) {
    const text = ids.slice(w * window, (w + 1) * window);
    session.reset();
    read(text.slice(0, half), (part, count) => session.prefill(part, count, true));
    let start = performance.now();
    const packed = pack(machineArrays(machine));
    packMs += performance.now() - start;
    // Restoring begins with an empty state: what is still a view of it must be copied.
    const kept = new Map(
      [...packed].map(([name, array]) => [name, 'type' in array ? array : array.slice()]),
    );
    for (const [name, array] of kept) {
      if (name !== 'logits') bytes += 'type' in array ? array.bytes.length : array.byteLength;
    }
    start = performance.now();
    const arrays = unpack(kept);
    unpackMs += performance.now() - start;
    restoreMachine(machine, { position: half, pending: -1, history: [], arrays });
    const rest = text.slice(half);
    read(rest, (part, count, at) => {
      nll += session.score(part, count, rest[at + count] ?? -1);
    });
  }
  session.delete();
  const count = windows * (window - half - 1);
  return {
    precision,
    scored: count,
    bytes: bytes / windows,
    perplexity: Math.exp(nll / count),
    packMs: packMs / windows,
    unpackMs: unpackMs / windows,
  };

  /** @type {(tokens: number[], take: (part: number, count: number, at: number) => void) => void} */
  function read(tokens, take) {
    for (let at = 0; at < tokens.length; at += wasm.batchTokens) {
      const part = tokens.slice(at, at + wasm.batchTokens);
      take(wasm.putIds(part), part.length, at);
    }
  }
}
