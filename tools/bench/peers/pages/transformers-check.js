// SPDX-License-Identifier: MIT
import { loadModel } from '/dist/index.js';
import { open, tokensOf, writeOne } from './transformers.js';

const kQuestion = 'What do bold foxes eat? 12 eggs, I hear.\nAnd what do they drink';
// Of float32 arithmetic in two orders.
const kMostDifference = 1e-4;

/**
 * @throws unless both runtimes have the same tokens and logits
 * @param {{ folder: string, gguf: string }} files
 */
export async function measure({ folder, gguf }) {
  const { tokenizer, model } = await open(folder, 1);
  const own = await loadModel(`/models/${gguf}`, { threads: 1 });
  const session = await own.createSession();
  await session.prompt(kQuestion, { maxTokens: 1 });
  const whole = tokensOf(tokenizer, [{ role: 'user', content: kQuestion }]);
  const tokens = Array.from(whole.input_ids.data, Number);
  same(tokens, Array.from(session.stats?.promptTokens ?? []), 'tokens');
  const expected = await own.logits(tokens);
  /** @param {object} inputs */
  const logitsOf = async (inputs) => {
    /** @type {Float32Array} */
    let found = new Float32Array();
    const { past_key_values } = await writeOne(model, inputs, (logits) => {
      found = logits.slice();
    });
    return { found, past_key_values };
  };
  const { found } = await logitsOf(whole);
  close(found, expected, 'logits');
  // With more than one token left it would encode an image.
  const allButOne = [0, tokens.length - 1];
  const part = Object.fromEntries(
    Object.entries(whole).map(([name, tensor]) => [name, tensor.slice(null, allButOne)]),
  );
  const { past_key_values } = await logitsOf(part);
  const continued = await logitsOf({ ...whole, past_key_values });
  close(continued.found, expected, 'logits from a state');
  await own.dispose();
  await model.dispose();
}

/** @type {(found: number[], expected: number[], what: string) => void} */
function same(found, expected, what) {
  if (found.join() !== expected.join())
    throw new Error(`other ${what}: ${found} instead of ${expected}`);
}

/** @type {(found: Float32Array, expected: Float32Array, what: string) => void} */
function close(found, expected, what) {
  let [apart, size] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    apart += (found[i] - expected[i]) ** 2;
    size += expected[i] ** 2;
  }
  const difference = Math.sqrt(apart / size);
  if (!(difference < kMostDifference && found.length === expected.length))
    throw new Error(`${what} differ by ${difference} of their size`);
}
