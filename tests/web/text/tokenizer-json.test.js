// SPDX-License-Identifier: MIT
import { Tokenizer as HubTokenizer } from '@huggingface/tokenizers';
import { ControlTexts } from '../../../build/web/text/marks.js';
import { tokenizerMetadata } from '../../../build/web/text/tokenizer-json.js';
import { ALPHABET, randomNumbers } from '../../support/byte-level.js';
import { hubTokenizers, QWEN2, randomText } from '../../support/hub-tokenizers.js';
import { tokenizerOf } from '../../support/tokenizer-of.js';

const metadataOf = (json, files = {}) =>
  tokenizerMetadata({
    tokenizer: JSON.stringify(json),
    ...Object.fromEntries(
      Object.entries(files).map(([name, file]) => [
        name,
        typeof file === 'string' ? file : JSON.stringify(file),
      ]),
    ),
  });
const build = (json, files) => tokenizerOf(metadataOf(json, files));

// Where that implementation takes a digit for an ASCII one.
const ASCII_ONLY = /Falcon|StarCoder/;

describe.each(hubTokenizers)('%s', (name, make) => {
  test("agrees with Hugging Face's own implementation on random Unicode", () => {
    for (const seed of [1, 2]) {
      const random = randomNumbers(seed * 7919);
      const json = make(random);
      const other = new HubTokenizer(json, { clean_up_tokenization_spaces: false });
      const tokenizer = build(json);
      for (let i = 0; i < 150; i++) {
        const any = randomText(random);
        const text = ASCII_ONLY.test(name) ? any.replace(/[^\0-~]/gu, 'x') : any;
        const { ids } = other.encode(text);
        expect([text, tokenizer.encode(text)]).toEqual([text, ids]);
        if (ids.length > 0) {
          expect([text, tokenizer.decode(ids, { whole: true })]).toEqual([text, other.decode(ids)]);
        }
      }
    }
  });
});

test.each(hubTokenizers)('%s: marked, control tokens are text', (_, make) => {
  const random = randomNumbers(31);
  const tokenizer = build(make(random));
  const written = tokenizer.controlTexts();
  const control = new ControlTexts(written);
  for (let i = 0; i < 60; i++) {
    const token = () => written[Math.floor(random() * written.length)] ?? '';
    const text = [randomText(random), token(), token(), randomText(random), token()].join('');
    const ids = tokenizer.encode(control.marked(text), { marked: control.texts });
    expect([text, ids]).toEqual([text, tokenizer.encode(text, { special: false })]);
  }
});

const letters = [...'abc '.replace(' ', ALPHABET[32])];
const small = (parts = {}) => ({
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
  post_processor: null,
  decoder: { type: 'ByteLevel' },
  model: {
    type: 'BPE',
    vocab: Object.fromEntries(letters.map((letter, id) => [letter, id])),
    merges: [],
  },
  ...parts,
});
const token = (id, content, flags = {}) => ({ id, content, special: true, ...flags });

test.each(['NFKC', 'NFC', 'Replace'])('%s makes no marker of other letters', (type) => {
  const pattern = type === 'Replace' ? { pattern: { String: '| ' }, content: '|' } : {};
  const tokenizer = build(
    small({
      normalizer: { type, ...pattern },
      added_tokens: [
        token(4, '<|a|>', { normalized: true }),
        token(5, '<b>', { special: false, normalized: true }),
      ],
    }),
  );
  const control = new ControlTexts([...tokenizer.controlTexts(), '<b>']);
  const read = (text) => tokenizer.encode(text, { marked: control.texts }).filter((id) => id > 3);
  for (const text of ['<|a|>', '\uff1c|a|\uff1e', '<| a|>', '<b>', '\uff1cb\uff1e']) {
    expect([text, read(`c${control.marked(text)}c`)]).toEqual([text, []]);
    // What a template writes beside it is one.
    expect([text, read(`<|a|>c${control.marked(text)}<b>`)]).toEqual([text, [4, 5]]);
  }
});

describe('added tokens', () => {
  const one = (flags) =>
    build(small({ added_tokens: [token(4, 'ab', { special: false, ...flags })] }));

  test('of a single word are found where no word goes on', () => {
    const tokenizer = one({ single_word: true });
    expect(tokenizer.encode('ab ab')).toEqual([4, 3, 4]);
    expect(tokenizer.encode('abc cab')).toEqual([0, 1, 2, 3, 2, 0, 1]);
  });

  test('take the white space around them along', () => {
    expect(one({}).encode('c  ab  c')).toEqual([2, 3, 3, 4, 3, 3, 2]);
    expect(one({ lstrip: true }).encode('c  ab  c')).toEqual([2, 4, 3, 3, 2]);
    expect(one({ rstrip: true }).encode('c  ab  c')).toEqual([2, 3, 3, 4, 2]);
    expect(one({ lstrip: true, rstrip: true }).encode(' ab ab ')).toEqual([4, 4]);
  });

  test('the leftmost wins, and the longest there', () => {
    const tokens = ['ab', 'abc', 'bca'].map((text, i) => token(4 + i, text));
    const tokenizer = build(small({ added_tokens: tokens }));
    expect(tokenizer.encode('abcab')).toEqual([5, 4]);
    expect(tokenizer.encode('bcabc')).toEqual([6, 1, 2]);
  });

  test('are found in text of others only where they are not special', () => {
    const tokens = [token(4, 'ab'), token(5, 'bc', { special: false })];
    const tokenizer = build(small({ added_tokens: tokens }));
    expect(tokenizer.encode('ab bc')).toEqual([4, 3, 5]);
    expect(tokenizer.encode('ab bc', { special: false })).toEqual([0, 1, 3, 5]);
    expect([4, 5].map((id) => tokenizer.isControl(id))).toEqual([true, false]);
  });

  test('that only the configuration has are there, too', () => {
    const tokenizerConfig = { added_tokens_decoder: { 4: { content: 'ab', special: true } } };
    expect(build(small(), { tokenizerConfig }).encode('cab')).toEqual([2, 4]);
  });
});

test('a text that goes on has no space put before it', () => {
  const [, make] = hubTokenizers.find(([name]) => name === 'Llama 2');
  const tokenizer = build(make(randomNumbers(5)));
  const [space, word] = [tokenizer.encode(''), tokenizer.encode('z')];
  expect(space).toEqual([]);
  const goesOn = tokenizer.encode('z', { after: word.at(-1) });
  expect(tokenizer.decode([...word, ...goesOn], { whole: true })).toBe('zz');
  const [end] = tokenizer.encode('</s>');
  expect(tokenizer.encode('z', { after: end })).toEqual(word);
});

describe('ends and beginnings', () => {
  const added_tokens = [token(4, '<s>'), token(5, '<end>'), token(6, '<turn>')];
  const files = (tokenizerConfig, generationConfig) => ({ tokenizerConfig, generationConfig });
  const names = { bos_token: '<s>', eos_token: { content: '<end>', lstrip: false } };

  test('are those that the configurations name', () => {
    const tokenizer = build(small({ added_tokens }), files(names, { eos_token_id: [5, 6] }));
    expect([tokenizer.bosToken, tokenizer.eosToken]).toEqual([4, 5]);
    expect([...tokenizer.endTokens]).toEqual([5, 6]);
    expect(tokenizer.encode('a')).toEqual([0]);
  });

  test('can come from the generation alone', () => {
    const tokenizer = build(
      small({ added_tokens }),
      files({}, { bos_token_id: 4, eos_token_id: 6 }),
    );
    expect([tokenizer.bosToken, tokenizer.eosToken, [...tokenizer.endTokens]]).toEqual([4, 6, [6]]);
  });

  test('around texts are what the configuration says where it does', () => {
    const always = { ...names, add_bos_token: true, add_eos_token: true };
    expect(build(small({ added_tokens }), files(always)).encode('a')).toEqual([4, 0, 5]);
  });

  test('a folder without a vocabulary has ids for them', () => {
    const metadata = tokenizerMetadata({
      generationConfig: JSON.stringify({ eos_token_id: [3, 9] }),
    });
    const tokenizer = tokenizerOf(metadata);
    expect([tokenizer.hasTexts, [...tokenizer.endTokens]]).toEqual([false, [3, 9]]);
  });
});

describe('chat templates', () => {
  const of = (tokenizerConfig, chatTemplate) =>
    Object.fromEntries(
      [
        ...metadataOf(small(), { tokenizerConfig, ...(chatTemplate ? { chatTemplate } : {}) }),
      ].filter(([key]) => key.includes('chat_template')),
    );
  test.each([
    [{}, undefined, {}],
    [{ chat_template: 'one' }, undefined, { 'tokenizer.chat_template': 'one' }],
    [{ chat_template: 'one' }, 'two', { 'tokenizer.chat_template': 'two' }],
    [
      {
        chat_template: [
          { name: 'default', template: 'one' },
          { name: 'rag', template: 'three' },
        ],
      },
      undefined,
      { 'tokenizer.chat_template': 'one', 'tokenizer.chat_template.rag': 'three' },
    ],
  ])('of %j and %j', (config, file, expected) => {
    expect(of(config, file)).toEqual(expected);
  });
});

const model = (change) => ({ model: { ...small().model, ...change } });
const pre = (pre_tokenizer) => ({ pre_tokenizer });
const split = (change) =>
  pre({ type: 'Split', pattern: { Regex: 'a' }, behavior: 'Isolated', ...change });

describe('what we do not have is refused by name', () => {
  test.each([
    [model({ type: 'Unigram' }), 'the model "Unigram"'],
    [model({ continuing_subword_prefix: '##' }), 'the continuing_subword_prefix "##"'],
    [model({ end_of_word_suffix: '</w>' }), 'the end_of_word_suffix "</w>"'],
    [model({ dropout: 0.1 }), 'the dropout 0.1'],
    [{ normalizer: { type: 'BertNormalizer' } }, 'the normalizer "BertNormalizer"'],
    [{ normalizer: { type: 'NFK' } }, 'the nearest being NFKC'],
    [pre({ type: 'Metaspac' }), 'the nearest being Metaspace'],
    [pre({ type: 'UnicodeScripts' }), 'the pre-tokenizer "UnicodeScripts"'],
    [pre({ type: 'Sequence', pretokenizers: [{ type: 'X' }] }), 'the pre-tokenizer "X"'],
    [pre({ type: 'Sequence' }), 'a sequence without a list'],
    [pre({ type: 'Metaspace', replacement: '_' }), 'a metaspace of "_"'],
    [pre({ type: 'Metaspace', prepend_scheme: 'last' }), 'the prepend scheme "last"'],
    [split({ behavior: 'Sometimes' }), 'the split behavior Sometimes'],
    [split({ pattern: { Regex: '(a)\\1' } }), 'the pattern (a)\\1: \\1 is not supported'],
    [split({ pattern: {} }), 'a pattern that is neither'],
    [{ post_processor: { type: 'BertProcessing' } }, 'the post-processor "BertProcessing"'],
    [{ decoder: { type: 'WordPiece' } }, 'the decoder "WordPiece"'],
    [{ decoder: { type: 'Strip', content: 'x', start: 1, stop: 0 } }, 'such a Strip decoder'],
  ])('%j', (change, message) => {
    expect(() => metadataOf(small(change))).toThrow(
      expect.objectContaining({
        code: 'unsupported_tokenizer',
        subject: 'tokenizer.json',
        message: expect.stringContaining(message),
      }),
    );
  });

  test.each([
    '(a+)+b',
    '(?:a*b?)*c',
    '(?:a|a)*b',
    '(?:(?:a{1,9})){2,}c',
    '((?:ab+))+',
    '([ab]|c+)*d',
    '(?:a?b)*c',
    '(?:[^x]|[^x][^x]){30}x',
    '(?:a|aa){30,30}b',
    '(?:a*){20}b',
    `${'(?:a|aa)'.repeat(14)}b`,
    `${'a?'.repeat(14)}b`,
    'a*a*a*a*a*b',
    `a{${'9'.repeat(309)}}(?:a|aa){30}b`,
  ])('so is the pattern %s, which may take for ever', (Regex) => {
    const replace = { normalizer: { type: 'Replace', pattern: { Regex }, content: '' } };
    for (const change of [split({ pattern: { Regex } }), replace]) {
      expect(() => build(small(change))).toThrow(
        expect.objectContaining({
          code: 'invalid_metadata',
          message: expect.stringContaining('within repeats'),
        }),
      );
    }
  });

  test.each([
    ' ?\\p{L}+| ?\\d+',
    '(?:[)+*]|a)',
    '\\s+(?!\\S)',
    '(\\d{3})+(?!\\d)',
    '(?:a|b+)?c',
    '\\(+\\)+',
    '(?:\\r?\\n)+|a+?',
    '[a-z]{3}(?:b|c){2}(?<!d)(?i:e|f)?',
  ])('the pattern %s is not', (Regex) => {
    expect(build(small(split({ pattern: { Regex } }))).encode('a')).toEqual([0]);
  });

  test('steps that make a text many times longer end in words', () => {
    const double = { type: 'Replace', pattern: { String: 'a' }, content: 'aa' };
    const normalizer = { type: 'Sequence', normalizers: new Array(29).fill(double) };
    const tokenizer = build(small({ normalizer }));
    expect(() => tokenizer.encode('a'.repeat(100))).toThrow(
      expect.objectContaining({ code: 'invalid_metadata' }),
    );
  });

  const refused = expect.objectContaining({ code: 'invalid_metadata' });
  const replace = (pattern, content) => ({ normalizer: { type: 'Replace', pattern, content } });

  test.each([{ String: 'a' }, { Regex: '' }])('so does a replacement of %j', (pattern) => {
    const change = replace(pattern, 'b'.repeat(8000));
    const tokenizer = build(small(change));
    expect(() => tokenizer.encode('a'.repeat(1e5))).toThrow(refused);
    const added_tokens = [token(4, 'a'.repeat(1000), { normalized: true })];
    expect(() => build(small({ ...change, added_tokens }))).toThrow(refused);
  });

  const long = 'a'.repeat(1e5);
  test.each([
    ['an added token', { added_tokens: [token(4, long)] }],
    [
      'an added token that normalizers make long',
      {
        ...replace({ String: 'a' }, 'aa'),
        added_tokens: [token(4, 'a'.repeat(800), { normalized: true })],
      },
    ],
    ['a literal', split({ pattern: { String: long } })],
    ['a pattern', split({ pattern: { Regex: long } })],
    ['a class', split({ pattern: { Regex: '\\w'.repeat(4000) } })],
    ['a replacement', replace({ String: 'a' }, long)],
    [
      'a list of steps',
      {
        pre_tokenizer: {
          type: 'Sequence',
          pretokenizers: new Array(20_000).fill(split({}).pre_tokenizer),
        },
      },
    ],
  ])('%s that is too long is refused before there is a text', (_, change) => {
    expect(() => build(small(change))).toThrow(
      expect.objectContaining({ code: expect.stringMatching('invalid_metadata|unsupported_tok') }),
    );
  });

  test('steps that nest without end are refused', () => {
    const nested = JSON.stringify(small()).replace('"normalizer":null', () => {
      const begin = '{"type":"Sequence","normalizers":['.repeat(100_000);
      return `"normalizer":${begin}{"type":"NFC"}${']}'.repeat(100_000)}`;
    });
    expect(() => tokenizerMetadata({ tokenizer: nested })).toThrow(
      expect.objectContaining({ code: 'invalid_metadata' }),
    );
  });

  test('so are texts with several tokens around them, or another end than the end', () => {
    const added_tokens = [token(4, '<s>'), token(5, '</s>')];
    const special_tokens = { '<s>': { ids: [4, 4] }, '</s>': { ids: [5] } };
    const around = (...single) =>
      small({
        added_tokens,
        post_processor: { type: 'TemplateProcessing', single, special_tokens },
      });
    const [a, s, e] = [
      { Sequence: { id: 'A' } },
      { SpecialToken: { id: '<s>' } },
      { SpecialToken: { id: '</s>' } },
    ];
    expect(() => metadataOf(around(s, a))).toThrow('more than one token');
    expect(() => metadataOf(around(a, { SpecialToken: { id: 'x' } }))).toThrow('a template with');
    const tokenizerConfig = { eos_token: '<s>' };
    expect(() => metadataOf(around(a, e), { tokenizerConfig })).toThrow('the EOS being 4');
  });
});

describe('a file that is wrong is named', () => {
  const failure = (files) => {
    try {
      tokenizerOf(tokenizerMetadata(files));
    } catch (error) {
      return [error.name, error.code, error.subject];
    }
    return 'no error';
  };
  const sound = JSON.stringify(small());
  test.each([
    ['tokenizer.json', { tokenizer: '{' }],
    ['tokenizer.json', { tokenizer: '[]' }],
    ['tokenizer.json', { tokenizer: '{}' }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small(model({ vocab: 1 }))) }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small(model({ vocab: { a: -1 } }))) }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small(model({ vocab: { a: 1e9 } }))) }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small(model({ merges: ['a'] }))) }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small(model({ merges: [['a', 'b c']] }))) }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small(model({ merges: undefined }))) }],
    // Of three texts, the last being both, one is not in the vocabulary.
    ['tokenizer.json', { tokenizer: JSON.stringify(small(model({ merges: ['a x'] }))) }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small(model({ merges: ['x a'] }))) }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small(model({ merges: ['a b'] }))) }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small({ added_tokens: 3 })) }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small({ added_tokens: [null] })) }],
    ['tokenizer.json', { tokenizer: JSON.stringify(small({ added_tokens: [{ id: 9 }] })) }],
    ['tokenizer_config.json', { tokenizer: sound, tokenizerConfig: 'null' }],
    ['generation_config.json', { tokenizer: sound, generationConfig: '7' }],
    ['generation_config.json', { tokenizer: sound, generationConfig: '{"eos_token_id":"x"}' }],
  ])('%s (case %#)', (file, files) => {
    const [name, code, subject] = failure(files);
    expect([name, subject]).toEqual(['ModelError', file]);
    expect(code).toMatch(/invalid_metadata|unsupported_tokenizer/);
  });

  test('an id that few tokens cannot need is refused at once, and what is unused is a token', () => {
    const start = performance.now();
    for (const id of [4194303, 100_000]) {
      expect(() => metadataOf(small(model({ vocab: { a: id } })))).toThrow(`"a" the id ${id}`);
      expect(() => metadataOf(small({ added_tokens: [token(id, 'zz')] }))).toThrow('the id');
    }
    expect(performance.now() - start).toBeLessThan(1000);
    const metadata = metadataOf(small({ added_tokens: [token(9, 'zz')] }));
    expect(metadata.get('tokenizer.ggml.tokens')).toHaveLength(10);
    expect(metadata.get('tokenizer.ggml.token_type').slice(3)).toEqual([1, 5, 5, 5, 5, 5, 3]);
  });

  test('whatever value stands in the wrong place', () => {
    const values = [null, 7, 'x', [], {}, [null], { type: 'Sequence' }, true];
    const json = small({ added_tokens: [token(4, 'ab')], normalizer: { type: 'NFC' } });
    const paths = [];
    const walk = (value, path) => {
      paths.push(path);
      if (typeof value === 'object' && value !== null) {
        for (const key of Object.keys(value)) walk(value[key], [...path, key]);
      }
    };
    walk(json, []);
    for (const path of paths.slice(1)) {
      for (const value of values) {
        const copy = structuredClone(json);
        const parent = path.slice(0, -1).reduce((object, key) => object[key], copy);
        parent[path.at(-1)] = value;
        const found = failure({ tokenizer: JSON.stringify(copy) });
        expect([path, value, found === 'no error' || found[0] === 'ModelError']).toEqual([
          path,
          value,
          true,
        ]);
      }
    }
  });
});

test('a GGUF file and a tokenizer.json of one vocabulary give the same ids', () => {
  const random = randomNumbers(31);
  const [, make] = hubTokenizers.find(([name]) => name === 'Llama 3, BOS');
  const json = { ...make(random), added_tokens: [], post_processor: null };
  json.pre_tokenizer.pretokenizers[0].pattern.Regex = QWEN2;
  json.model.ignore_merges = false;
  const tokens = [];
  for (const [text, id] of Object.entries(json.model.vocab)) tokens[id] = text;
  const gguf = new Map([
    ['tokenizer.ggml.model', 'gpt2'],
    ['tokenizer.ggml.pre', 'qwen2'],
    ['tokenizer.ggml.tokens', tokens],
    ['tokenizer.ggml.merges', json.model.merges],
  ]);
  const [one, other] = [build(json), tokenizerOf(gguf)];
  // White space by Unicode's property in both, whatever \s of JavaScript says.
  const texts = ['a\u0085b', '\ufeff \ufeff', ' \u0085\u0085x', 'lone \ud800 half'];
  for (let i = 0; i < 200; i++) texts.push(randomText(random));
  for (const text of texts) expect([text, one.encode(text)]).toEqual([text, other.encode(text)]);
});
