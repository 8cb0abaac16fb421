// SPDX-License-Identifier: MIT
// What a tokenizer.json says is refused, or makes a tokenizer that reads and writes any text.
import fc from 'fast-check';
import { tokenizerMetadata } from '../../../build/web/text/tokenizer-json.js';
import { randomNumbers } from '../../support/byte-level.js';
import { hubTokenizers } from '../../support/hub-tokenizers.js';
import { tokenizerOf } from '../../support/tokenizer-of.js';
import { must, unlessRefused } from './expect.js';
import { changedJson, json, jsonChanges, jsonText } from './json.js';

const kFiles = hubTokenizers.map(([, make]) => make(randomNumbers(7)));

export const arbitrary = fc.record({
  file: fc.nat(kFiles.length - 1),
  changes: jsonChanges,
  config: fc.option(
    fc.oneof(
      json,
      fc.dictionary(fc.constantFrom('eos_token', 'chat_template', 'added_tokens_decoder'), json),
    ),
    { freq: 2 },
  ),
  text: fc.string({ unit: 'binary', maxLength: 60 }),
});

const failed = { file: 0, changes: [], config: null, text: '' };
export const examples = [
  { ...failed, changes: [{ steps: [0, 0, 0], put: [{ toString: null }] }] },
  { ...failed, changes: [{ steps: [166, 512, 0], put: ['', [{ toString: null }]] }] },
  { ...failed, changes: [{ steps: [334, 0], put: { '': '<deep>' } }] },
  { ...failed, config: { chat_template: [null] } },
];

export async function check({ file, changes, config, text }) {
  const files = { tokenizer: jsonText(changedJson(kFiles[file], changes)) };
  if (config !== null) files.tokenizerConfig = jsonText(config);
  const tokenizer = await unlessRefused(() => tokenizerOf(tokenizerMetadata(files)));
  if (!tokenizer) return;
  const ids = tokenizer.encode(text);
  must(
    ids.every((id) => Number.isInteger(id) && id >= 0 && id < tokenizer.vocabSize),
    `ids outside the vocabulary: ${ids}`,
  );
  must(typeof tokenizer.decode(ids) === 'string', 'ids decode to no text');
}
