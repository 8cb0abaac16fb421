// SPDX-License-Identifier: MIT
// The golden texts are as the reference encodes them: rwkv_world_tokenizer.py of RWKV/rwkv.cpp (MIT),
// of whose vocabulary rwkv-world.txt has the tokens that can come up in them.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tokenizerMetadata } from '../../../build/web/text/tokenizer-json.js';
import { escapeBytes, unescapeBytes } from '../../../build/web/text/world.js';
import { randomNumbers } from '../../support/byte-level.js';
import { leastCpuTimes } from '../../support/cpu-time.js';
import { tokenizerOf } from '../../support/tokenizer-of.js';

const golden = (name) =>
  readFileSync(fileURLToPath(new URL(`../../golden/tokenizer/${name}`, import.meta.url)), 'utf8');
const rwkvVocabulary = golden('rwkv-world.txt');
const { texts, expected } = JSON.parse(golden('rwkv-world.json'));
const metadata = tokenizerMetadata({ rwkvVocabulary });
const tokenizer = tokenizerOf(metadata);

test('encodes and decodes as the reference does', () => {
  expect(texts.length).toBe(78);
  for (const [i, text] of texts.entries()) {
    expect([text, tokenizer.encode(text)]).toEqual([text, expected[i]]);
    expect(tokenizer.decode(expected[i])).toBe(text);
  }
});

test('ends with token 0, which no text is; a blank line does not end an answer', () => {
  expect([tokenizer.bosToken, tokenizer.eosToken, [...tokenizer.endTokens]]).toEqual([0, 0, [0]]);
  expect(tokenizer.isControl(0)).toBe(true);
  expect(tokenizer.encode('a<s>')).toEqual([...tokenizer.encode('a'), 0]);
  expect(tokenizer.encode('a<s>', { special: false })).not.toContain(0);
  // llama.cpp's converter names "\n\n" as the end of a turn.
  const converted = new Map(metadata).set('tokenizer.ggml.eot_token_id', 261);
  expect([...tokenizerOf(converted).endTokens]).toEqual([0]);
});

test('does not start texts with token 0 unless asked', () => {
  const asked = new Map(metadata).set('tokenizer.ggml.add_bos_token', true);
  expect(tokenizerOf(asked).encode('a')).toEqual([tokenizer.idOf('a')]);
  expect(tokenizer.encode('a', { bos: true })).toEqual([0, tokenizer.idOf('a')]);
});

test('ids without a text are nothing', () => {
  const gap = [...Array(65529).keys()].find((id) => tokenizer.text(id) === '');
  expect(tokenizer.bytes(gap)).toHaveLength(0);
});

test.each([
  ["it's", [0x69, 0x74, 0x27, 0x73]],
  ['\\t\\n\\r\\\\', [9, 10, 13, 92]],
  ["\\'\\xe4\\xb8z", [39, 0xe4, 0xb8, 122]],
  ['\\x0a1\\x5C', [10, 49, 92]],
  ['ü\\', [0xc3, 0xbc, 92]],
])('a file has %j for bytes', (text, bytes) => {
  expect([...unescapeBytes(text)]).toEqual(bytes);
});

test('bytes are written as files have them', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(unescapeBytes(escapeBytes(all))).toEqual(all);
  expect(escapeBytes(Uint8Array.of(10, 39, 92, 255))).toBe("\\n'\\\\\\xff");
});

test('a vocabulary is read by its Python literals', () => {
  const lines = [
    `1 '\\x00' 1`,
    `2 b'\\xe4\\xb8' 2`,
    `3 "it's" 4`,
    `4 '\\u200b\\xe9' 5`,
    `6 '\\U0001f600' 4`,
  ];
  const found = tokenizerMetadata({ rwkvVocabulary: `${lines.join('\r\n')}\n` });
  expect(found.get('tokenizer.ggml.tokens').map((text) => [...unescapeBytes(text)])).toEqual([
    [...Buffer.from('<s>')],
    [0],
    [0xe4, 0xb8],
    [...Buffer.from("it's")],
    [...Buffer.from('\u200bé')],
    [],
    [...Buffer.from('😀')],
  ]);
  expect(found.get('tokenizer.ggml.token_type')).toEqual([3, 1, 1, 1, 1, 5, 1]);
});

test.each([["1 'a' 2"], ["0 'a' 1"], ["x 'a' 1"], ['1 a 1'], ["1 '\\q' 1"], ["1 '\\U00110000' 4"]])(
  'a vocabulary with the line %s is refused',
  (line) => {
    expect(() => tokenizerMetadata({ rwkvVocabulary: `1 'a' 1\n${line}\n` })).toThrow(
      expect.objectContaining({
        code: 'invalid_metadata',
        subject: 'rwkv_vocab_v20230424.txt',
        message: expect.stringContaining('line 2'),
      }),
    );
  },
);

test('a token may be as long as any text', () => {
  const long = 'x'.repeat(1e6);
  const text = `1 '\\n${long}' ${long.length + 1}\n2 b'${long}' ${long.length}\n`;
  const tokens = tokenizerMetadata({ rwkvVocabulary: text }).get('tokenizer.ggml.tokens');
  expect(tokens.slice(1)).toEqual([`\\n${long}`, long]);
  expect(unescapeBytes(tokens[1])).toHaveLength(long.length + 1);
});

test('token 0 has the name that the configuration gives it', () => {
  const tokenizerConfig = JSON.stringify({
    added_tokens_decoder: { 0: { content: '<|end|>', special: true } },
  });
  const found = tokenizerMetadata({ rwkvVocabulary, tokenizerConfig });
  expect(found.get('tokenizer.ggml.tokens')[0]).toBe('<|end|>');
});

describe('time', () => {
  const random = randomNumbers(3);
  const letter = () => String.fromCharCode(97 + random() * 26);
  test.each([
    ['equals signs', '='.repeat(600_000)],
    ['spaces', `${' '.repeat(599_999)}x`],
    ['random letters', Array.from({ length: 600_000 }, letter).join('')],
  ])('of %s does not grow with the square', async (_, text) => {
    const works = [text.slice(0, 100_000), text].map((part) => () => tokenizer.encode(part));
    const [sixth, whole] = await leastCpuTimes(works);
    expect(whole).toBeLessThan(Math.max(sixth, 2) * 6 * 3);
  });
});
