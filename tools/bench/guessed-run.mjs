// SPDX-License-Identifier: MIT
//
// node guessed-run.mjs WORK (JSON): texts of random weights with guesses that are right as often as
// WORK says, at what passes and guesses cost. Random weights guess nothing right, so each guesser makes
// its guesses and is then told others, by the text that was written without.

import { PromptLookup } from '../../web/engine/prompt-lookup.js';
import { loadModel } from '../../web/load-model.js';
import { Wasm } from '../../web/wasm/wasm.js';

/**
 * @typedef {{ file: string, draft?: string, quoted?: boolean, right: number, threads: number,
 *   tokens: number, repeat: number }} Work quoted: the guesses are what the text has said before
 */

/** @type {Work} */
const { file, draft, quoted = false, right, threads, tokens, repeat } = JSON.parse(process.argv[2]);
const prompt = Array.from({ length: 32 }, (_, i) => 1000 + 37 * i);
/** @type {number[]} The whole text, once it is known. */
let text = [];
// The same guesses are right each time.
let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

/** @type {import('../../web/wasm/glue.js').WasmModule} */
let module;
/** @type {(at: number) => number} */
const told = (at) => (text[at] ?? 0) + (random() < right ? 0 : 1);
/** @type {(at: number, made: number, address: number) => void} */
const tell = (at, made, address) => {
  for (let i = 0; i < made; i++) module.HEAP32[(address >>> 2) + i] = told(at + i);
};

if (quoted) {
  const { push, guess } = PromptLookup.prototype;
  /** @type {WeakMap<PromptLookup, number>} */
  const lengths = new WeakMap();
  /** @this {PromptLookup} @type {typeof push} */
  PromptLookup.prototype.push = function (token) {
    push.call(this, token);
    lengths.set(this, (lengths.get(this) ?? 0) + 1);
  };
  /** @this {PromptLookup} @type {typeof guess} */
  PromptLookup.prototype.guess = function (most) {
    guess.call(this, most);
    const at = lengths.get(this) ?? 0;
    return { tokens: Array.from({ length: most }, (_, i) => told(at + i)), matched: 12 };
  };
}

const { instantiate } = Wasm;
Wasm.instantiate = async (...given) => {
  const wasm = await instantiate.apply(Wasm, given);
  module = wasm.module;
  const { Session, Draft } = /** @type {any} */ (module);
  const { guess } = Session.prototype;
  /** @this {any} @type {(count: number, allowed: number, address: number) => number} */
  Session.prototype.guess = function (count, allowed, address) {
    const made = guess.call(this, count, allowed, address);
    tell(this.position() + 1, made, address);
    return made;
  };
  const { guess: drafted } = Draft.prototype;
  /** @this {any} @type {(...given: number[]) => number} */
  Draft.prototype.guess = function (ids, count, most, _least, allowed, address) {
    // Surer than random weights are.
    const made = drafted.call(this, ids, count, most, 0, allowed, address);
    tell(this.position(), made, address);
    return made;
  };
  return wasm;
};

/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const model = await loadModel(file, { threads, worker: false, speculate: !draft, draft });
const how = { temperature: 0, maxTokens: tokens, ignoreEos: true };
/** @type {Record<'off' | 'on', number[]>} */
const ms = { off: [], on: [] };
for (let i = 0; i <= repeat; i++) {
  for (const kind of /** @type {const} */ (['off', 'on'])) {
    const found = await model.complete(prompt, { ...how, speculate: kind === 'on' });
    const written = [...prompt, ...found.tokens];
    if (text.length > 0 && written.join() !== text.join()) throw new Error('the text differs');
    text = written;
    // The first of each finds out what passes cost.
    if (i > 0) ms[kind].push(found.timings.decodeMs);
  }
}
await model.dispose();
process.stdout.write(JSON.stringify({ without: median(ms.off), guessed: median(ms.on) }));
