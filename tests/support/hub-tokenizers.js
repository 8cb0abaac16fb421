// SPDX-License-Identifier: MIT
// Files like tokenizer.json with made-up vocabularies, one for each way in which those of published
// models are put together, and texts that are hard for them.

import { makeVocabulary } from './byte-level.js';

const WORDS = [
  ...[
    'the',
    'Hello',
    'wörld',
    "it's",
    "THEY'RE",
    "we'll",
    'naïve',
    '漢字',
    'かな',
    '한국어',
    'नमस्ते',
  ],
  ...[
    '😀',
    '👨‍👩‍👧',
    '123',
    '45678',
    '3.14',
    '½',
    '٣٤',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '  ',
    '   ',
    ' ',
  ],
  ...[
    'e\u0301',
    'a\u0300\u0323',
    'fi',
    'ﬁ',
    'Å',
    'Ω',
    'ſ',
    'İ',
    '\u1e9b\u0323',
    '\u200b',
    '▁',
    'Ġ',
  ],
  ...['<|im_end|>', '<s>', '</s>', '<mask>', '<tool>', '!?', '...', '-->', '{"a":1}', '_x_', '$€'],
  ...['\u2028', '\u3000', '\u00a0'],
];

const pick = (list, random) => list[Math.floor(random() * list.length)];

/** A random text: words, spaces, ASCII and any code point. */
export function randomText(random) {
  let text = '';
  for (let count = 1 + Math.floor(random() * 14); count > 0; count--) {
    const kind = random();
    if (kind < 0.6) text += pick(WORDS, random);
    else if (kind < 0.8) text += String.fromCharCode(32 + random() * 95);
    else if (kind < 0.9) text += pick([' ', '\n', ' '], random);
    else {
      const code = Math.floor(random() * (random() < 0.5 ? 0x3000 : 0x20000));
      // No half characters, nor the two whose being white space JavaScript is wrong about.
      const isBad = (code >= 0xd800 && code < 0xe000) || code === 0xfeff || code === 0x85;
      text += isBad ? 'A' : String.fromCodePoint(code);
    }
  }
  return text;
}

const samplesOf = (random) =>
  Array.from({ length: 60 }, () => randomText(random)).flatMap(
    (text) => text.match(/ ?\p{L}+| ?\p{N}+|[^\p{L}\p{N}]+/gu) ?? [],
  );

function byteModel(random, extra = {}) {
  const { tokens, merges } = makeVocabulary(samplesOf(random), 700, random);
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  return { type: 'BPE', vocab, merges, ...extra };
}

const byteToken = (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;

// Not every character is a token.
function characterModel(random, extra = {}) {
  const words = samplesOf(random).map((text) => [...text.replaceAll(' ', '▁')]);
  const letters = new Set([...'▁abcdefghijklmnopqrstuvwxyz', ...words.flat()]);
  const chars = [...letters].filter((char) => /[▁a-z]/.test(char) || random() < 0.8);
  const tokens = ['<unk>', '<s>', '</s>', ...Array.from({ length: 256 }, byteToken), ...chars];
  const known = new Set(tokens);
  const merges = new Set();
  for (let tries = 0; tries < 20_000 && merges.size < 500; tries++) {
    const word = pick(words, random);
    const part = word.slice(Math.floor(random() * word.length)).slice(0, 6);
    const cut = 1 + Math.floor(random() * (part.length - 1));
    const [left, right] = [part.slice(0, cut).join(''), part.slice(cut).join('')];
    if (!known.has(left) || !known.has(right)) continue;
    merges.add(`${left} ${right}`);
    if (!known.has(left + right)) tokens.push(left + right);
    known.add(left + right);
  }
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const common = { type: 'BPE', unk_token: '<unk>', fuse_unk: true, byte_fallback: true };
  return { ...common, vocab, merges: [...merges], ...extra };
}

/** Added tokens: `[text, flags]`, special ones unless the flags say otherwise. */
function added({ vocab }, list) {
  let next = Object.keys(vocab).length;
  const flags = { special: true, normalized: false, lstrip: false, rstrip: false };
  return list.map(([content, own = {}]) => ({
    id: vocab[content] ?? next++,
    content,
    single_word: false,
    ...flags,
    ...own,
  }));
}

export const QWEN2 =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
export const LLAMA3 = QWEN2.replace('\\p{N}|', '\\p{N}{1,3}|');
const CL100K = LLAMA3.replace(']?\\p{L}', ']?+\\p{L}').replace(']+[\\r', ']++[\\r');
const UPPER = '\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}';
const LOWER = '\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}';
const ENDING = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?";
const O200K =
  `[^\\r\\n\\p{L}\\p{N}]?[${UPPER}]*[${LOWER}]+${ENDING}|[^\\r\\n\\p{L}\\p{N}]?[${UPPER}]+[${LOWER}]*${ENDING}` +
  '|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';
const DEEPSEEK =
  '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+';

const split = (Regex, behavior = 'Isolated') => ({
  type: 'Split',
  pattern: { Regex },
  behavior,
  invert: false,
});
const bytes = (use_regex, add_prefix_space = false) => ({
  type: 'ByteLevel',
  add_prefix_space,
  trim_offsets: false,
  use_regex,
});
const sequence = (...pretokenizers) => ({ type: 'Sequence', pretokenizers });
const special = (id) => ({ SpecialToken: { id, type_id: 0 } });
const template = (tokens, before, after) => ({
  type: 'TemplateProcessing',
  single: [...before.map(special), { Sequence: { id: 'A', type_id: 0 } }, ...after.map(special)],
  pair: [],
  special_tokens: Object.fromEntries(
    tokens.map(({ id, content }) => [content, { id: content, ids: [id], tokens: [content] }]),
  ),
});
const metaspace = (prepend_scheme) => ({
  type: 'Metaspace',
  replacement: '▁',
  prepend_scheme,
  split: false,
});
const spaces = (...more) => ({
  type: 'Sequence',
  decoders: [
    { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
    { type: 'ByteFallback' },
    { type: 'Fuse' },
    ...more,
  ],
});
const strip = { type: 'Strip', content: ' ', start: 1, stop: 0 };

const byteLevel = (random, pre_tokenizer, list = [], more = {}, extra = {}) => {
  const model = byteModel(random, extra);
  const decoder = { type: 'ByteLevel' };
  return { model, pre_tokenizer, decoder, added_tokens: added(model, list), ...more };
};
const spaced = (random, more, list = [['<unk>'], ['<s>'], ['</s>']], extra = {}) => {
  const model = characterModel(random, extra);
  return { model, decoder: spaces(strip), added_tokens: added(model, list), ...more };
};
const framed = (random, before, after, extra) => {
  const file = byteLevel(
    random,
    sequence(split(LLAMA3), bytes(false)),
    [['<s>'], ['</s>']],
    {},
    extra,
  );
  const processors = [{ type: 'ByteLevel' }, template(file.added_tokens, before, after)];
  return { ...file, post_processor: { type: 'Sequence', processors } };
};
const plain = { special: false };
const found = { special: false, normalized: true };

/** By the name of the model that is put together like it, or of what is special about it. */
const KINDS = {
  'GPT-2': (random) => byteLevel(random, bytes(true), [['<|im_end|>']]),
  'a space before': (random) => byteLevel(random, bytes(undefined, true), [['<tool>', plain]]),
  'Qwen2, NFC': (random) =>
    byteLevel(random, sequence(split(QWEN2), bytes(false)), [['<|im_end|>'], ['<tool>', plain]], {
      normalizer: { type: 'NFC' },
      post_processor: { type: 'ByteLevel' },
    }),
  'Llama 3, BOS': (random) => framed(random, ['<s>'], [], { ignore_merges: true }),
  'BOS and EOS': (random) => framed(random, ['<s>'], ['</s>']),
  'GPT-4, possessive': (random) => byteLevel(random, sequence(split(CL100K), bytes(false))),
  'GPT-4o, cases': (random) => byteLevel(random, sequence(split(O200K), bytes(false))),
  'DeepSeek, splits of splits': (random) =>
    byteLevel(
      random,
      sequence(
        split('\\p{N}{1,3}'),
        split('[一-龥\u3040-ゟ゠-ヿ]+'),
        split(DEEPSEEK),
        bytes(false),
      ),
      [],
      { normalizer: { type: 'Sequence', normalizers: [] } },
    ),
  'spaces removed': (random) => byteLevel(random, sequence(split('\\s+', 'Removed'), bytes(false))),
  'Falcon, splits of bytes': (random) =>
    byteLevel(
      random,
      sequence(
        { type: 'Punctuation', behavior: 'Contiguous' },
        bytes(true),
        { type: 'Digits', individual_digits: false },
        split('[0-9][0-9][0-9]'),
      ),
    ),
  'StarCoder, digits': (random) =>
    byteLevel(random, sequence({ type: 'Digits', individual_digits: true }, bytes(true))),
  'Llama 2': (random) =>
    spaced(random, {
      normalizer: {
        type: 'Sequence',
        normalizers: [
          { type: 'Prepend', prepend: '▁' },
          { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
        ],
      },
    }),
  'metaspace at the beginning': (random) => spaced(random, { pre_tokenizer: metaspace('first') }),
  'metaspace always, no bytes': (random) =>
    spaced(
      random,
      { pre_tokenizer: metaspace('always'), decoder: metaspace('always') },
      [['<unk>']],
      { byte_fallback: false, fuse_unk: false },
    ),
  'metaspace never, NFKC': (random) =>
    spaced(
      random,
      { normalizer: { type: 'NFKC' }, pre_tokenizer: metaspace('never'), decoder: spaces() },
      [['<unk>']],
      { byte_fallback: false },
    ),
  'Gemma, added text': (random) =>
    spaced(
      random,
      {
        normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
        pre_tokenizer: { ...split(''), pattern: { String: ' ' }, behavior: 'MergedWithPrevious' },
        decoder: spaces(),
      },
      [['<unk>'], ['<s>'], ['<tool>', found]],
    ),
  'tokens that take spaces': (random) =>
    byteLevel(random, sequence(split(QWEN2), bytes(false)), [
      ['<mask>', { lstrip: true }],
      ['<tool>', { rstrip: true }],
      ['</s>', { lstrip: true, rstrip: true }],
    ]),
  'GPT-NeoX, added spaces': (random) =>
    byteLevel(
      random,
      bytes(true),
      [
        ['  ', found],
        ['   ', found],
        ['é', found],
        ['e\u0301x', found],
        ['fi', plain],
      ],
      { normalizer: { type: 'NFC' } },
    ),
};

/** Names and makers of files, each from random numbers. */
export const hubTokenizers = Object.entries(KINDS).map(([name, make]) => [
  name,
  (random) => ({
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    ...make(random),
  }),
]);
