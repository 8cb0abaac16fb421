// SPDX-License-Identifier: MIT
// The cases that llama.cpp keeps for its vocabularies, each made by the original tokenizer; see
// tests/golden/tokenizer/from-llama-cpp.mjs.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tokenizerOf } from '../../support/tokenizer-of.js';

const path = new URL('../../golden/tokenizer/llama-cpp.json', import.meta.url);
const { lists, vocabularies } = JSON.parse(readFileSync(fileURLToPath(path), 'utf8'));

/** The tokenizer of a trimmed vocabulary: its ids are positions in `ids`. */
function trimmed({ model, pre, ids, tokens, kinds, scores, merges, ...keys }) {
  const metadata = new Map([
    ['tokenizer.ggml.model', model],
    ['tokenizer.ggml.tokens', tokens],
    ['tokenizer.ggml.token_type', kinds],
    ['tokenizer.ggml.merges', merges ?? []],
  ]);
  if (pre !== undefined) metadata.set('tokenizer.ggml.pre', pre);
  if (scores) metadata.set('tokenizer.ggml.scores', scores);
  for (const key of ['add_bos_token', 'add_eos_token', 'add_space_prefix']) {
    if (keys[key] !== undefined) metadata.set(`tokenizer.ggml.${key}`, keys[key]);
  }
  for (const key of ['bos_token_id', 'eos_token_id', 'unknown_token_id']) {
    if (keys[key] !== undefined) metadata.set(`tokenizer.ggml.${key}`, ids.indexOf(keys[key]));
  }
  return tokenizerOf(metadata);
}

test('there are cases for every kind of pre-tokenizer that llama.cpp has some for', () => {
  expect(Object.keys(vocabularies).sort()).toEqual(
    [
      ...['command-r', 'deepseek-coder', 'falcon', 'gemma-4', 'gpt-2', 'llama-bpe', 'llama-spm'],
      ...['mpt', 'phi-3', 'qwen2', 'qwen35', 'refact', 'starcoder'],
    ].sort(),
  );
  const count = Object.values(vocabularies).reduce((sum, { expected }) => sum + expected.length, 0);
  expect(count).toBeGreaterThan(13 * 45);
});

test.each(Object.entries(vocabularies))('%s', (_, vocabulary) => {
  const tokenizer = trimmed(vocabulary);
  const texts = lists[vocabulary.texts];
  expect(texts.length).toBe(vocabulary.expected.length);
  for (const [i, text] of texts.entries()) {
    const places = tokenizer.encode(text, { bos: false, special: false });
    const found = places.map((place) => vocabulary.ids[place]);
    expect([text, found]).toEqual([text, vocabulary.expected[i]]);
    expect(tokenizer.decode(places, { whole: true })).toBe(text);
  }
});
