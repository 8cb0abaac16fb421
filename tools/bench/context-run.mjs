// SPDX-License-Identifier: MIT
//
// Bundled by context.mjs: node context-run.mjs WORK, what it shows, as JSON.

import { openModel } from '../../web/engine/loaded-model.ts';
import { resolveWasm } from '../../web/wasm/builds.ts';
import { processorMs, wallMs } from './clock.mjs';

/**
 * @import { LoadedModel } from '../../web/engine/loaded-model.ts'
 * @import { KvType } from '../../web/options.ts'
 * @import { WasmSession } from '../../web/wasm/glue.ts'
 *
 * @typedef {object} Work
 * @property {string} model a file
 * @property {KvType[]} types
 * @property {number[]} held tokens before those that are timed
 * @property {number} threads
 * @property {number} prefill tokens that are read at once and timed
 * @property {number} decode tokens that are written and timed
 * @property {number} repeat
 *
 * Medians; bytes are those of keys and values.
 * @typedef {object} Found
 * @property {KvType} kv
 * @property {number} held
 * @property {number} prefill tokens per second
 * @property {number} decode tokens per second
 * @property {number} bytes
 * @property {number} attention its share of the time of decode
 */

// Read in earnest; what it leaves in pages is copied into those after it.
const kRead = 512;

/** @type {Work} */
const work = JSON.parse(process.argv[2]);
const clock = work.threads === 1 ? processorMs : wallMs;
const { signal } = new AbortController();
const wasm = resolveWasm({}, { threads: work.threads, chosen: true });
const weights = /** @type {const} */ ('stored');
const options = { wasm, batchTokens: 512, weights, speculate: false };
const models = [];
for (const kv of work.types) {
  const model = await openModel(work.model, { ...options, kv }, signal);
  models.push({ kv, model, text: begun(model) });
}
/** @type {Map<string, { kv: KvType, held: number, bytes: number, prefill: number[], decode: number[], attention: number[] }>} */
const runs = new Map();
// Types in turns, so that whatever else the machine does meets all of them; the first turn warms up.
for (let turn = 0; turn <= work.repeat; turn++) {
  for (const held of work.held) {
    for (const { kv, model, text } of models) {
      const run = timed(model, text, held);
      if (turn === 0) continue;
      const key = `${held} ${kv}`;
      const all = runs.get(key) ?? { kv, held, bytes: 0, prefill: [], decode: [], attention: [] };
      runs.set(key, all);
      all.bytes = run.bytes;
      for (const what of /** @type {const} */ (['prefill', 'decode', 'attention'])) {
        all[what].push(run[what]);
      }
    }
  }
}
/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
/** @type {Found[]} */
const found = [...runs.values()].map((run) => ({
  ...run,
  prefill: median(run.prefill),
  decode: median(run.decode),
  attention: median(run.attention),
}));
process.stdout.write(JSON.stringify(found), () => process.exit());

/** @typedef {{ session: WasmSession, state: Float32Array, pages: Float32Array[] }} Begun */

/**
 * A session, and what a text of kRead tokens leaves in one.
 *
 * @param {LoadedModel} model
 * @returns {Begun}
 */
function begun({ wasm, model, tokenizer }) {
  const session = model.createSession();
  if (!session) throw new Error('there is no memory for a session');
  const greedy = { temperature: 0, topK: 0, topP: 1, minP: 0, penaltyWindow: 0 };
  const penalties = { repetitionPenalty: 1, frequencyPenalty: 0, presencePenalty: 0 };
  session.configureSampler({ ...greedy, ...penalties }, 0, 0, 0);
  read({ wasm, session, vocab: tokenizer.vocabSize }, kRead);
  const floats = wasm.module.HEAPF32;
  /** @type {(address: number, count: number) => Float32Array} */
  const copy = (address, count) => floats.slice(address >>> 2, (address >>> 2) + count);
  const pages = Array.from({ length: session.pages() }, (_, i) =>
    copy(session.page(i), session.pageFloats()),
  );
  return { session, state: copy(session.state(), session.stateFloats()), pages };
}

/** @param {{ wasm: LoadedModel['wasm'], session: WasmSession, vocab: number }} text @param {number} count */
function read({ wasm, session, vocab }, count) {
  for (let at = 0; at < count; at += wasm.batchTokens) {
    const part = Math.min(wasm.batchTokens, count - at);
    // Tokens spread over the vocabulary: what they are does not change the work.
    const ids = Array.from({ length: part }, (_, i) => ((at + i) * 7919) % vocab);
    if (!session.prefill(wasm.putIds(ids), part, at + part === count)) {
      throw new Error('there is no memory for so many tokens');
    }
  }
}

/** @param {LoadedModel} loaded @param {Begun} text @param {number} held */
function timed({ wasm, model, tokenizer }, { session, state, pages }, held) {
  if (!session.restore(held, -1, false)) throw new Error('there is no memory for so many tokens');
  wasm.module.HEAPF32.set(state, session.state() >>> 2);
  for (let i = 0; i < session.pages(); i++) {
    wasm.module.HEAPF32.set(pages[i % pages.length], session.page(i) >>> 2);
  }
  const bytes = session.kvBytes();
  const prefillMs = clock(() => read({ wasm, session, vocab: tokenizer.vocabSize }, work.prefill));
  const batch = new wasm.module.Batch();
  batch.add(session);
  // Draws from the prompt's logits; each of the others reads the one before.
  batch.next();
  model.startProfile();
  const ms = clock(() => {
    for (let i = 0; i < work.decode; i++) batch.next();
  });
  const parts = model.stopProfile();
  /** @param {typeof parts} rows */
  const sum = (rows) => rows.reduce((sum, row) => sum + row.ms, 0);
  const attention = sum(parts.filter(({ name }) => name === 'softmax attention')) / sum(parts);
  batch.delete();
  const prefill = (1000 * work.prefill) / prefillMs;
  return { bytes, prefill, decode: (1000 * work.decode) / ms, attention };
}
