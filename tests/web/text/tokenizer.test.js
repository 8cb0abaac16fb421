// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Tokenizer as HubTokenizer } from '@huggingface/tokenizers';
import { ModelError } from '../../../build/web/errors.js';
import { readGgufHeader } from '../../../build/web/gguf/header.js';
import { ControlTexts } from '../../../build/web/text/marks.js';
import { PRE_TOKENIZERS } from '../../../build/web/text/pre-tokenizers.js';
import { cut } from '../../../build/web/text/splits.js';
import { Tokenizer } from '../../../build/web/text/tokenizer.js';
import {
  ALPHABET,
  encodeWord,
  makeVocabulary,
  randomNumbers,
  toAlphabet,
} from '../../support/byte-level.js';
import { leastCpuTimes } from '../../support/cpu-time.js';
import { sourceOf } from '../../support/write-gguf.js';

const golden = (name) =>
  readFileSync(fileURLToPath(new URL(`../../golden/${name}`, import.meta.url)));
const story = JSON.parse(golden('tokenizer/story-17m.json'));

function metadataOf({ tokens, merges, pre = 'qwen35', kinds, ...keys }) {
  return new Map(
    Object.entries({
      'tokenizer.ggml.model': 'gpt2',
      'tokenizer.ggml.pre': pre,
      'tokenizer.ggml.tokens': tokens,
      'tokenizer.ggml.token_type': kinds ?? tokens.map(() => 1),
      'tokenizer.ggml.merges': merges,
      ...Object.fromEntries(Object.entries(keys).map(([key, v]) => [`tokenizer.ggml.${key}`, v])),
    }),
  );
}
const build = (parts) => Tokenizer.fromMetadata(metadataOf(parts));

const HARD = [
  '',
  ' ',
  'Hello, world!  Hello   world.',
  "I'm you'll we've THEY'RE it's O'Brien's 'tis 'S",
  'tabs\tand\r\nCRLF\r\n\r\n  indented\n\n\n   \n end  ',
  '   ',
  '\n',
  ' \n \n',
  '1234567890 12 345 6,789.01 ½ ² Ⅷ ٣٤٥',
  'naïve café, cafe\u0301, e\u0301\u0323, \u0301 alone',
  'हिन्दी में नमस्ते, ภาษาไทย, עִבְרִית, العَرَبِيَّة',
  '漢字かな交じり文。한국어 텍스트、中文！',
  '😀 👨‍👩‍👧‍👦 🇨🇭 👍🏽 ❤️',
  'zero\u200bwidth \ufeffmark\ufeff \u00a0nbsp\u3000ideographic\u2003em',
  'next\u0085line \u0085 \u2028 \u2029 sep',
  '\u0000\u0001\u001f\u007f\u0080',
  'lone \ud800 surrogate \udc00',
  'x'.repeat(300),
  '='.repeat(77),
  ' '.repeat(77),
  'for (let i = 0; i < n; ++i) { a[i] += b->c(d, "e\\n"); } // ok?',
  'https://example.org/a?b=c&d=%20#e',
  '__proto__ constructor toString 0 1 -0',
  'ΑΒΓ абв ſ İ ß ǅ',
];

const split = (pre, text) => cut(text, PRE_TOKENIZERS.get(pre).patterns);
const KINDS = [...new Map([...PRE_TOKENIZERS].map(([name, kind]) => [kind, name])).values()];

describe('words', () => {
  test.each(KINDS)('of %s cover the text', (pre) => {
    for (const text of HARD) expect(split(pre, text).join('')).toBe(text);
  });

  test.each([
    ['qwen2', "It's 2024!", ['It', "'s", ' ', '2', '0', '2', '4', '!']],
    ['llama3', "It's 12345!", ['It', "'s", ' ', '123', '45', '!']],
    ['gpt2', "It's 12345!", ['It', "'s", ' 12345', '!']],
    ['qwen2', "IT'S", ['IT', "'S"]],
    ['gpt2', "IT'S", ['IT', "'", 'S']],
    ['qwen2', 'a  b', ['a', ' ', ' b']],
    ['gpt2', 'a  b', ['a', ' ', ' b']],
    ['qwen2', 'a\n\n  b', ['a', '\n\n', ' ', ' b']],
    ['gpt2', 'a\n\n  b', ['a', '\n\n ', ' b']],
    ['qwen2', 'x !?\n\ny', ['x', ' !?\n\n', 'y']],
    ['qwen2', '(word)', ['(word', ')']],
    ['gpt2', '(word)', ['(', 'word', ')']],
    // U+0085 is white space and U+FEFF is not, whatever \s of JavaScript says.
    ['qwen2', 'a\u0085\u0085b', ['a', '\u0085', '\u0085b']],
    ['gpt2', 'a\u0085\u0085b', ['a', '\u0085', '\u0085', 'b']],
    ['gpt2', 'a\ufeff\ufeffb', ['a', '\ufeff\ufeff', 'b']],
    ['qwen2', ' \ufeff', [' \ufeff']],
    // A combining mark cuts a word in qwen2 and belongs to it in qwen35.
    ['qwen2', 'cafe\u0301s', ['cafe', '\u0301s']],
    ['qwen35', 'cafe\u0301s', ['cafe\u0301s']],
    ['qwen2', '!\u0301', ['!\u0301']],
    ['qwen35', '!\u0301', ['!\u0301']],
    ['qwen35', '!!\u0301', ['!!', '\u0301']],
    // Steps go on with the words of the one before, so no word is longer than one of theirs.
    ['starcoder', ' 12 a', [' ', '1', '2', ' a']],
    ['falcon', "it's $5 12345", ['it', "'", 's', ' ', '$', '5', ' ', '123', '45']],
    ['falcon', '`a` !?x', ['`', 'a', '`', ' ', '!?', 'x']],
    ['default', '`a` 12345', ['`', 'a', '`', ' ', '123', '45']],
    ['deepseek-coder', 'a\n\n b, 12', ['a', '\n', '\n', ' b', ',', ' ', '1', '2']],
    ['deepseek-v3', 'x12345漢字!ab', ['x', '123', '45', '漢字', '!ab']],
  ])('of %s in %j are %j', (pre, text, words) => {
    expect(split(pre, text)).toEqual(words);
  });
});

describe.each([...KINDS, 'qwen2', 'mpt', 'olmo', 'llama-bpe', 'falcon-h1', 'granite-docling'])(
  '%s',
  (pre) => {
    const { ignoreMerges } = PRE_TOKENIZERS.get(pre);
    test('merges as the definition does, over made-up vocabularies', () => {
      const samples = HARD.flatMap((text) => split(pre, text));
      for (let seed = 1; seed <= 4; seed++) {
        const random = randomNumbers(seed * 7919);
        const vocabulary = makeVocabulary(samples, 300 + seed * 150, random);
        const tokenizer = build({ ...vocabulary, pre });
        const ids = new Map(vocabulary.tokens.map((token, id) => [token, id]));
        const ranks = new Map(vocabulary.merges.map((merge, rank) => [merge, rank]));
        for (const text of HARD) {
          const words = split(pre, text);
          const expected = words.flatMap((word) => encodeWord(word, ids, ranks, ignoreMerges));
          expect(tokenizer.encode(text)).toEqual(expected);
          expect(tokenizer.decode(expected)).toBe(
            text.toWellFormed?.() ?? Buffer.from(text).toString(),
          );
        }
      }
    });
  },
);

test('agrees with another implementation on long random words', () => {
  const random = randomNumbers(99);
  const word = (length) => Array.from({ length }, () => 'abc '[Math.floor(random() * 4)]).join('');
  const { tokens, merges } = makeVocabulary(
    Array.from({ length: 40 }, () => word(12)),
    900,
    random,
  );
  const tokenizer = build({ tokens, merges });
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const other = new HubTokenizer(
    {
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [
          {
            type: 'Split',
            pattern: { Regex: '\\p{L}+|[^\\p{L}]+' },
            behavior: 'Isolated',
            invert: false,
          },
          { type: 'ByteLevel', add_prefix_space: false, use_regex: false },
        ],
      },
      post_processor: null,
      decoder: null,
      model: { type: 'BPE', vocab, merges },
    },
    {},
  );
  for (let i = 0; i < 300; i++) {
    const text = word(1 + Math.floor(random() * 200)).replaceAll(' ', '');
    expect(tokenizer.encode(text)).toEqual(other.encode(text).ids);
  }
});

describe('the demo model', () => {
  const tokenizer = build({
    tokens: story.tokens,
    merges: story.merges,
    kinds: story.tokens.map((_, id) => (story.control.includes(id) ? 3 : 1)),
    eos_token_id: 4095,
    bos_token_id: 4093,
    add_bos_token: false,
  });

  test('encodes and decodes as the reference implementation did', () => {
    for (const { text, ids, answer_ids, answer } of story.prompts) {
      expect(tokenizer.encode(text)).toEqual(ids);
      expect(tokenizer.decode(ids)).toBe(text);
      expect(tokenizer.decode(answer_ids)).toBe(answer);
    }
  });

  test('marked, control tokens are text', () => {
    const control = new ControlTexts(tokenizer.controlTexts());
    const [begin, end] = [4093, 4095].map((id) => tokenizer.text(id));
    for (const text of [begin, end, `a${end}b`, `${begin}${end}`, `${begin[0]}${end} x`, 'plain']) {
      const ids = tokenizer.encode(control.marked(text), { marked: control.texts });
      expect(ids).toEqual(tokenizer.encode(text, { special: false }));
      expect(ids.some((id) => story.control.includes(id))).toBe(false);
      expect(tokenizer.decode(ids)).toBe(text);
    }
  });

  test('knows its control tokens', () => {
    expect([tokenizer.bosToken, tokenizer.eosToken, tokenizer.vocabSize]).toEqual([
      4093, 4095, 4096,
    ]);
    expect([...tokenizer.endTokens].sort()).toEqual([4093, 4095]);
    expect([4092, 4093, 4094, 4095].map((id) => tokenizer.isControl(id))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(tokenizer.text(4094)).toBe('<|im_start|>');
    expect(tokenizer.idOf('<|im_start|>')).toBe(4094);
    expect(tokenizer.idOf('no such token')).toBeUndefined();
  });

  test('shows control tokens or not, and reads them or not', () => {
    const text = '<|im_start|>user\nHi<|im_end|>\n';
    const ids = tokenizer.encode(text);
    expect(ids.filter((id) => tokenizer.isControl(id))).toEqual([4094, 4095]);
    expect(tokenizer.decode(ids, { special: false })).toBe('user\nHi\n');
    const plain = tokenizer.encode(text, { special: false });
    expect(plain.some((id) => tokenizer.isControl(id))).toBe(false);
    expect(tokenizer.decode(plain)).toBe(text);
  });

  test('starts with BOS when asked', () => {
    expect(tokenizer.encode('a', { bos: true })).toEqual([4093, ...tokenizer.encode('a')]);
  });

  test('refuses ids and texts that are none', () => {
    for (const id of [-1, 4096, 1.5, Number.NaN])
      expect(() => tokenizer.text(id)).toThrow(RangeError);
    expect(() => tokenizer.decode([1, 9999])).toThrow(RangeError);
    expect(() => tokenizer.encode(7)).toThrow(TypeError);
  });
});

test('the byte-level fixture without merges gives one token a byte', async () => {
  const bytes = new Uint8Array(golden('models/qwen3_5/model-f32.gguf'));
  const { header } = await readGgufHeader(sourceOf(bytes));
  const tokenizer = Tokenizer.fromMetadata(header.metadata);
  const text = 'Größe 漢 😀\n';
  expect(tokenizer.encode(text)).toHaveLength(Buffer.from(text).length);
  expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
  expect(tokenizer.bytes(300)).toHaveLength(0);
});

describe('special tokens', () => {
  const tokens = [
    ...ALPHABET,
    'ab',
    '<s>',
    '<s>x',
    '<tool>',
    '  ',
    'é<|',
    '<unk>',
    '</s>',
    '<|im_end|>',
  ];
  const id = Object.fromEntries(tokens.map((token, index) => [token, index]));
  const kinds = tokens.map((token) =>
    ['<s>', '<s>x'].includes(token)
      ? 3
      : ['<tool>', '  ', 'é<|'].includes(token)
        ? 4
        : token === '<unk>'
          ? 2
          : 1,
  );
  const tokenizer = build({ tokens, kinds, merges: ['a b'], bos_token_id: id['<s>'] });
  const letters = (text) => [...toAlphabet(text)].map((char) => id[char]);

  test('are matched longest first', () => {
    expect(tokenizer.encode('<s>x<s>')).toEqual([id['<s>x'], id['<s>']]);
    expect(tokenizer.encode('ab<s>ab')).toEqual([id.ab, id['<s>'], id.ab]);
  });

  test('of a longer kind win where two overlap', () => {
    const overlapping = build({
      tokens: [...ALPHABET, 'xyz', 'zabcd'],
      merges: [],
      kinds: [...ALPHABET.map(() => 1), 4, 4],
    });
    expect(overlapping.encode('xyzabcd')).toEqual([...letters('xy'), 257]);
  });

  test('that the user defined are matched always, control and unknown ones on demand', () => {
    expect(tokenizer.encode('a  b<tool>é<|<s><unk>')).toEqual([
      id.a,
      id['  '],
      id.b,
      id['<tool>'],
      id['é<|'],
      id['<s>'],
      id['<unk>'],
    ]);
    expect(tokenizer.encode('<tool><s>', { special: false })).toEqual([
      id['<tool>'],
      ...letters('<s>'),
    ]);
  });

  test('give their own text as bytes', () => {
    expect(Buffer.from(tokenizer.bytes(id['é<|'])).toString()).toBe('é<|');
    expect(tokenizer.decode([id['<s>'], id['  '], id.ab])).toBe('<s>  ab');
    expect(tokenizer.decode([id['<s>'], id['  '], id['<unk>']], { special: false })).toBe('  ');
  });

  test('that end a turn are known by name, ambiguous ones only as control tokens', () => {
    expect(tokenizer.endTokens.has(id['<|im_end|>'])).toBe(true);
    expect(tokenizer.isControl(id['<|im_end|>'])).toBe(true);
    expect(tokenizer.endTokens.has(id['</s>'])).toBe(false);
    const declared = build({ tokens, kinds: tokens.map(() => 3), merges: [] });
    expect(declared.endTokens.has(id['</s>'])).toBe(true);
  });

  test('at the start follow the file, else the kind of tokenizer', () => {
    const starts = (pre, keys) =>
      build({ tokens, merges: [], pre, ...keys }).encode('a').length === 2;
    const bos_token_id = 1;
    expect(starts('llama-bpe', { bos_token_id })).toBe(true);
    expect(starts('lfm2', { bos_token_id })).toBe(true);
    expect(starts('llama-bpe', { bos_token_id, add_bos_token: false })).toBe(false);
    expect(starts('llama-bpe', {})).toBe(false);
    expect(starts('qwen2', { bos_token_id })).toBe(false);
    expect(starts('qwen2', { bos_token_id, add_bos_token: true })).toBe(true);
    expect(() => build({ tokens, merges: [] }).encode('a', { bos: true })).toThrow(ModelError);
  });

  test('are not at the start of a text that goes on from a token', () => {
    const own = build({ tokens, merges: [], add_bos_token: true, bos_token_id: 1 });
    expect(own.encode('a')).toEqual([1, id.a]);
    expect(own.encode('a', { after: 5 })).toEqual([id.a]);
  });

  test('at the end follow the file', () => {
    const own = build({ tokens, merges: [], add_eos_token: true, eos_token_id: 2 });
    expect(own.encode('a')).toEqual([id.a, 2]);
    expect(own.encode('a', { eos: false })).toEqual([id.a]);
    expect(tokenizer.encode('a')).toEqual([id.a]);
    expect(() => tokenizer.encode('a', { eos: true })).toThrow('this model has no EOS token');
  });

  test('that end an answer may be several', () => {
    const own = build({ tokens, merges: [], eos_token_id: 2, end_token_ids: [3, 7] });
    expect([...own.endTokens].slice(0, 3).sort()).toEqual([2, 3, 7]);
  });
});

describe('a file without texts', () => {
  const tokenizer = Tokenizer.fromMetadata(
    new Map([
      ['tokenizer.ggml.eos_token_id', 5],
      ['tokenizer.ggml.model', 'none'],
    ]),
  );
  tokenizer.padTo(10);

  test('has ids all the same', () => {
    expect([tokenizer.vocabSize, tokenizer.hasTexts]).toEqual([10, false]);
    expect([...tokenizer.endTokens]).toEqual([5]);
    expect(tokenizer.bytes(3)).toHaveLength(0);
    expect(tokenizer.isControl(3)).toBe(false);
  });

  test.each([
    ['encode', () => tokenizer.encode('a')],
    ['decode', () => tokenizer.decode([1])],
    ['requireTexts', () => tokenizer.requireTexts()],
  ])('says so where it is asked to %s', (_, work) => {
    expect(work).toThrow(
      expect.objectContaining({
        name: 'ModelError',
        code: 'unsupported_tokenizer',
        subject: 'tokenizer.ggml.tokens',
        message: expect.stringContaining('the model has no tokenizer'),
      }),
    );
  });
});

test('a file from before pre-tokenizers had names gets what llama.cpp gives it', () => {
  const metadata = metadataOf({ tokens: [...ALPHABET, '123'], merges: ['1 2', '12 3'] });
  metadata.delete('tokenizer.ggml.pre');
  expect(Tokenizer.fromMetadata(metadata).encode('1234')).toEqual([256, ALPHABET.indexOf('4')]);
});

test('kinds beside byte-level BPE are fetched when a file has one', async () => {
  const metadata = new Map([
    ['tokenizer.ggml.model', 'rwkv'],
    ['tokenizer.ggml.tokens', ['<s>', 'a', 'ab']],
    ['tokenizer.ggml.token_type', [3, 1, 1]],
  ]);
  expect((await Tokenizer.open(metadata)).encode('aab')).toEqual([1, 2]);
  const own = await Tokenizer.open(metadataOf({ tokens: ALPHABET, merges: [] }));
  expect(own.encode('a')).toEqual([ALPHABET.indexOf('a')]);
});

test('what others write never becomes a control token', () => {
  const parts = { tokens: [...ALPHABET, 'stop'], merges: [], pre: 'llama-bpe' };
  const tokenizer = build({ ...parts, kinds: [...ALPHABET.map(() => 1), 3] });
  expect(tokenizer.encode('stop')).toEqual([256]);
  expect(tokenizer.encode('stop', { special: false })).toHaveLength(4);
});

test('a word that is a token is taken whole where merges are ignored', () => {
  const parts = { tokens: [...ALPHABET, 'hello'], merges: [] };
  expect(build({ ...parts, pre: 'llama-bpe' }).encode('hello')).toEqual([256]);
  expect(build({ ...parts, pre: 'dbrx' }).encode('hello')).toHaveLength(5);
});

test('merges through pieces that are no tokens, and falls back to bytes', () => {
  const tokens = [...ALPHABET, 'abc'];
  const tokenizer = build({ tokens, merges: ['a b', 'ab c'] });
  expect(tokenizer.encode('abc')).toEqual([256]);
  expect(tokenizer.encode('abd')).toEqual(['a', 'b', 'd'].map((char) => ALPHABET.indexOf(char)));
});

describe('a file that is wrong', () => {
  const tokens = [...ALPHABET];
  const failure = (change) => {
    const metadata = metadataOf({ tokens, merges: [] });
    for (const [key, value] of Object.entries(change)) metadata.set(`tokenizer.ggml.${key}`, value);
    try {
      Tokenizer.fromMetadata(metadata);
    } catch (error) {
      return error;
    }
    return 'no error';
  };
  test.each([
    [
      'pre',
      'lfm3',
      'tokenizer.ggml.pre is "lfm3"; the nearest is "lfm2"; supported: default, falcon',
    ],
    ['pre', 'qwen3.5', 'the nearest is "qwen35"'],
    ['model', 'lama', 'the nearest is "llama"; supported: gpt2, llama, gemma4, rwkv'],
  ])('names what is near: %s %s', (key, value, message) => {
    expect(failure({ [key]: value }).message).toContain(message);
  });
  test.each([
    ['a long name', 'x'.repeat(4e6)],
    ['a long list', new Array(1e6).fill(1)],
    ['a number of 64 bits', 2n ** 63n],
  ])('tells %s shortly and at once', (_, value) => {
    const start = performance.now();
    const error = failure({ pre: value });
    expect([error.code, error.subject]).toEqual(['unsupported_tokenizer', 'tokenizer.ggml.pre']);
    expect(performance.now() - start).toBeLessThan(1000);
    expect(error.message.length).toBeLessThan(2000);
  });
  test.each([
    ['unsupported_tokenizer', 'model', 't5'],
    ['unsupported_tokenizer', 'model', 7],
    ['unsupported_tokenizer', 'model', undefined],
    ['unsupported_tokenizer', 'pre', 'something-new'],
    ['invalid_metadata', 'tokens', []],
    ['invalid_metadata', 'tokens', [1, 2]],
    ['invalid_metadata', 'token_type', [1]],
    ['invalid_metadata', 'token_type', tokens.map(() => 9)],
    ['invalid_metadata', 'merges', ['ab']],
    ['invalid_metadata', 'merges', ['a ']],
    ['invalid_metadata', 'merges', [' ab']],
    ['invalid_metadata', 'merges', [7]],
    ['invalid_metadata', 'bos_token_id', 256],
    ['invalid_metadata', 'eos_token_id', -1],
    ['invalid_metadata', 'eot_token_id', 'x'],
    ['invalid_metadata', 'add_bos_token', 1],
    ['invalid_metadata', 'add_eos_token', 'yes'],
    ['invalid_metadata', 'scores', [1]],
    ['invalid_metadata', 'end_token_ids', [0, 256]],
    ['invalid_metadata', 'end_token_ids', 3],
  ])('is %s: %s (case %#)', (code, key, value) => {
    const { name, ...error } = failure({ [key]: value });
    expect([name, error.code, error.subject]).toEqual([
      'ModelError',
      code,
      `tokenizer.ggml.${key}`,
    ]);
  });
});

describe('time', () => {
  const random = randomNumbers(4);
  const { tokens, merges } = makeVocabulary(
    ['aaaaaaaa', ' the quick', '        ', '!?!?!?!?'],
    500,
    random,
  );
  const letters = Array.from({ length: 600_000 }, () =>
    String.fromCharCode(97 + random() * 26),
  ).join('');
  const TEXTS = {
    'one letter': 'a'.repeat(600_000),
    'random letters': letters,
    spaces: ' '.repeat(600_000),
    'spaces before a word': `${' '.repeat(599_999)}x`,
    punctuation: '!?'.repeat(300_000),
    digits: '7'.repeat(600_000),
    lines: '1 a\n'.repeat(150_000),
    specials: '<|im_end|>'.repeat(60_000),
    'starts of specials': '<|im_'.repeat(120_000),
  };
  const control = ['<|im_end|>', '<|im_start|>', '<|im_'];
  const tokenizer = build({
    tokens: [...tokens, ...control],
    merges,
    kinds: [...tokens.map(() => 1), 3, 3, 3],
  });
  test.each(Object.entries(TEXTS))('of %s does not grow with the square', async (_, text) => {
    const works = [text.slice(0, 100_000), text].map((part) => () => tokenizer.encode(part));
    const [sixth, whole] = await leastCpuTimes(works);
    expect(whole).toBeLessThan(Math.max(sixth, 2) * 6 * 3);
  });
});
