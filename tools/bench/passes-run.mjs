// SPDX-License-Identifier: MIT
//
// node passes-run.mjs WORK (JSON): what passes over several tokens of one text take in this engine, where
// all guesses are right and where none is, what its products are of that, and what a guess of the file's
// own block takes.

import { loadModel } from '../../web/load-model.js';
import { Wasm } from '../../web/wasm/wasm.js';
import { shortest } from './clock.mjs';

/**
 * @typedef {{ file: string, threads: number, repeat: number, passes: number }} Work passes: of each number
 *     of tokens, timed together
 * @typedef {{ rows: number, right: number, wrong: number, products: number,
 *   parts: Record<string, number>, guess?: number }} Passes milliseconds
 */

/** @type {Work} */
const { file, threads, repeat, passes: count } = JSON.parse(process.argv[2]);

/** @type {{ wasm?: Wasm, session?: import('../../web/wasm/glue.js').WasmSession }} */
const seen = {};
const { instantiate } = Wasm;
Wasm.instantiate = async (...given) => {
  const wasm = await instantiate.apply(Wasm, given);
  const { Session } = /** @type {any} */ (wasm.module);
  const { prefill } = Session.prototype;
  /** @this {any} @type {(...given: any[]) => boolean} */
  Session.prototype.prefill = function (...args) {
    seen.session = this;
    return prefill.apply(this, args);
  };
  seen.wasm = wasm;
  return wasm;
};

const model = await loadModel(file, { threads, worker: false, speculate: true });
const text = await model.createSession();
await text.prompt('Once upon a time there was a fox.', { temperature: 0, maxTokens: 2 });
const { wasm, session } = seen;
if (!wasm || !session) throw new Error('nothing was read');
const batch = new wasm.module.Batch();
batch.add(session);
const mark = session.mark(true);
if (!mark || !session.reserveGuesses()) throw new Error('there is no memory for guesses');

/** @type {(rows: number, drawn: number) => void} */
const pass = (rows, drawn) => {
  if (rows === 1) {
    batch.next();
    return;
  }
  const at = session.position();
  const guesses = Array.from({ length: rows - 1 }, (_, i) => (31 * i + 7 * at) % model.vocabSize);
  if (!session.readGuesses(wasm.putIds(guesses), rows - 1, 0)) throw new Error('no memory');
  for (let i = 0; i < drawn; i++) session.drawGuess();
  session.endGuesses();
};

/** @type {(rows: number, drawn: number) => number} */
const time = (rows, drawn) => {
  session.rewind(mark);
  batch.next();
  const passes = () => {
    for (let i = 0; i < count; i++) pass(rows, drawn);
  };
  passes();
  return shortest(passes, repeat) / count;
};

/** One of as many as are made in a row, each of which reads the one before. @type {() => number} */
const guessMs = () => {
  const inARow = 3;
  const guesses = wasm.putIds(Array(inARow).fill(0));
  return shortest(() => session.guess(inARow, 0, guesses), repeat * count) / inARow;
};

/** @type {Passes[]} */
const found = [];
for (const rows of [1, 2, 3, 4, 6, 8]) {
  const right = time(rows, rows);
  const wrong = rows > 1 ? time(rows, 1) : right;
  const profiled = await model.profile(async () => {
    for (let i = 0; i < count; i++) pass(rows, rows);
  });
  /** @type {Record<string, number>} */
  const parts = {};
  let products = 0;
  for (const { name, matrix, ms } of profiled) {
    if (matrix) products += ms / count;
    const part = matrix ? `product ${matrix}` : name;
    parts[part] = (parts[part] ?? 0) + ms / count;
  }
  found.push({ rows, right, wrong, products, parts });
}
if (model.facts.guessBlock) found[0].guess = guessMs();
await model.dispose();
process.stdout.write(JSON.stringify(found));
