// SPDX-License-Identifier: MIT
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectModel, ModelError } from '../../dist/index.js';
import { serve } from '../support/file-server.js';
import { editModel, splitModel } from './edit-model.js';
import {
  collect,
  hybridModel,
  ids,
  linearModel,
  loadModel,
  rejection,
  withBuild,
} from './models.js';

const bytes = hybridModel();

const change = (changes) => editModel(bytes, changes);
const set = (key, ...value) => change({ set: { [key]: value } });
const drop = (key) => change({ drop: [key] });
const withTensor = (name, edit) =>
  change({ tensor: (tensor) => (tensor.name === name ? edit(tensor) : tensor) });
const uint32 = (key, value) => set(`qwen35.${key}`, 'uint32', value);
const withoutTensor = (name) => withTensor(name, () => undefined);
const withType = (name, typeId) => withTensor(name, (tensor) => ({ ...tensor, typeId }));
const withShape = (name, shape, size) =>
  withTensor(name, (tensor) => ({ ...tensor, shape, bytes: new Uint8Array(size) }));

const CASES = [
  ['a cut header', () => bytes.subarray(0, 500), 'truncated'],
  ['cut weights', () => bytes.subarray(0, bytes.length - 64), 'truncated'],
  ['nothing', () => new Uint8Array(0), 'truncated'],
  [
    'text',
    () => new TextEncoder().encode('<!doctype html><title>Not found</title>'),
    'invalid_header',
  ],
  ['a wrong magic number', () => withByte(0, 0x48), 'invalid_header'],
  ['a version of the future', () => withByte(4, 9), 'invalid_header'],
  [
    'an unknown architecture',
    () => set('general.architecture', 'string', 'llama'),
    'unsupported_architecture',
    'llama',
  ],
  [
    'no architecture',
    () => drop('general.architecture'),
    ['unsupported_architecture', 'invalid_metadata'],
    'general.architecture',
  ],
  [
    'an unsupported type',
    () => withType('blk.0.ffn_up.weight', 40),
    'unsupported_type',
    'blk.0.ffn_up.weight',
  ],
  [
    'an unknown type',
    () => withType('blk.0.ffn_up.weight', 999),
    'unsupported_type',
    'blk.0.ffn_up.weight',
  ],
  [
    'another kind of tokenizer',
    () => set('tokenizer.ggml.model', 'string', 't5'),
    'unsupported_tokenizer',
    'tokenizer.ggml.model',
  ],
  [
    'another pre-tokenizer',
    () => set('tokenizer.ggml.pre', 'string', 'bloom'),
    'unsupported_tokenizer',
    'tokenizer.ggml.pre',
  ],
  [
    'an end token outside the vocabulary',
    () => set('tokenizer.ggml.eos_token_id', 'uint32', 5000),
    'invalid_metadata',
    'tokenizer.ggml.eos_token_id',
  ],
  [
    'token types of another length',
    () => set('tokenizer.ggml.token_type', 'array', [1, 1], 'int32'),
    'invalid_metadata',
    'tokenizer.ggml.token_type',
  ],
  [
    'no number of layers',
    () => drop('qwen35.block_count'),
    'invalid_metadata',
    'qwen35.block_count',
  ],
  ['no layers', () => uint32('block_count', 0), 'invalid_metadata', 'qwen35.block_count'],
  ['more layers than tensors', () => uint32('block_count', 3), 'missing_tensor', /^blk\.2\./],
  [
    'a width of 0',
    () => uint32('embedding_length', 0),
    'invalid_metadata',
    'qwen35.embedding_length',
  ],
  ['another width', () => uint32('embedding_length', 128), 'shape_mismatch', /./],
  [
    'another width of the feed-forward',
    () => uint32('feed_forward_length', 100),
    'shape_mismatch',
    /ffn/,
  ],
  [
    'heads that do not divide',
    () => uint32('attention.head_count_kv', 3),
    'invalid_metadata',
    /head_count_kv/,
  ],
  ['no heads', () => uint32('attention.head_count', 0), 'invalid_metadata', /head_count/],
  [
    'a head too large',
    () => uint32('attention.key_length', 4096),
    'invalid_metadata',
    /key_length/,
  ],
  [
    'more rotated dimensions than there are',
    () => uint32('rope.dimension_count', 64),
    'invalid_metadata',
    /dimension_count/,
  ],
  [
    'groups that do not divide',
    () => uint32('ssm.group_count', 3),
    'invalid_metadata',
    /group_count/,
  ],
  ['a state of 0', () => uint32('ssm.state_size', 0), 'invalid_metadata', /state_size/],
  [
    'a convolution too wide',
    () => uint32('ssm.conv_kernel', 400),
    'invalid_metadata',
    /conv_kernel/,
  ],
  ['a context of 0', () => uint32('context_length', 0), 'invalid_metadata', /context_length/],
  [
    'an epsilon of 0',
    () => set('qwen35.attention.layer_norm_rms_epsilon', 'float32', 0),
    'invalid_metadata',
    /epsilon/,
  ],
  [
    'an epsilon that is no number',
    () => set('qwen35.attention.layer_norm_rms_epsilon', 'float32', NaN),
    'invalid_metadata',
    /epsilon/,
  ],
  [
    'a number of layers that is a text',
    () => set('qwen35.block_count', 'string', '2'),
    'invalid_metadata',
    'qwen35.block_count',
  ],
  [
    'a rope base of infinity',
    () => set('qwen35.rope.freq_base', 'float32', Infinity),
    'invalid_metadata',
    /freq_base/,
  ],
  ['no embedding', () => withoutTensor('token_embd.weight'), 'missing_tensor', 'token_embd.weight'],
  [
    'no final norm',
    () => withoutTensor('output_norm.weight'),
    'missing_tensor',
    'output_norm.weight',
  ],
  [
    'no projection',
    () => withoutTensor('blk.1.ffn_down.weight'),
    'missing_tensor',
    'blk.1.ffn_down.weight',
  ],
  ['no decay', () => withoutTensor('blk.0.ssm_a'), 'missing_tensor', /^blk\.0\./],
  [
    'a norm of another length',
    () => withShape('output_norm.weight', [32], 128),
    'shape_mismatch',
    'output_norm.weight',
  ],
  [
    'a convolution of another shape',
    () => withShape('blk.0.ssm_conv1d.weight', [3, 256], 3 * 256 * 4),
    'shape_mismatch',
    'blk.0.ssm_conv1d.weight',
  ],
  [
    'a vocabulary smaller than the tokenizer',
    () => withShape('token_embd.weight', [64, 500], (500 * 64 * 34) / 32),
    'invalid_metadata',
  ],
];

function withByte(place, value) {
  const copy = bytes.slice();
  copy[place] = value;
  return copy;
}

const expectError = (error, code, subject) => {
  expect(error.name).toBe('ModelError');
  expect(error).toBeInstanceOf(ModelError);
  expect([code].flat()).toContain(error.code);
  if (subject === undefined) return;
  if (typeof subject === 'string') expect(error.subject).toBe(subject);
  else expect(error.subject).toMatch(subject);
};

const TABLE = CASES.map(([name, make, code, subject]) => ({ name, make, code, subject }));

test.each(TABLE)('$name is an error with a code', async ({ make, code, subject }) => {
  const error = await rejection(loadModel(make()));
  expectError(error, code, subject);
  expect(error.message.length).toBeGreaterThan(10);
  expect(error.message).not.toMatch(/undefined|\[object|NaN of/);
});

test('the file that these cases change is sound', async () => {
  const model = await loadModel(change({}));
  const original = await loadModel(bytes);
  expect([...(await model.logits(ids(9)))]).toEqual([...(await original.logits(ids(9)))]);
  await model.dispose();
  await original.dispose();
});

test('inspection says the same of a header as a load, but for the tokenizer and the weights', async () => {
  for (const [name, make, code, subject] of CASES) {
    if (/token|cut weights/.test(name)) continue;
    const error = await rejection(inspectModel(make(), withBuild()));
    expectError(error, code, subject);
  }
});

describe('transport', () => {
  const folder = mkdtempSync(join(tmpdir(), 'errors-'));
  let server;
  beforeAll(async () => {
    server = await serve({
      '/forbidden.gguf': { bytes, status: 403 },
      '/gone.gguf': { bytes, status: 410 },
      '/broken.gguf': { bytes, status: 500 },
      '/cut.gguf': { bytes: bytes.subarray(0, bytes.length - 100) },
      '/page.gguf': { bytes: Buffer.from('<!doctype html>') },
    });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['/missing.gguf', 'not_found'],
    ['/gone.gguf', 'not_found'],
    ['/forbidden.gguf', 'network'],
    ['/broken.gguf', 'network'],
    ['/cut.gguf', 'truncated'],
    ['/page.gguf', 'invalid_header'],
  ])('%s from a server is the error %s', async (path, code) => {
    const error = await rejection(loadModel(server.url(path)));
    expectError(error, code);
    if (code === 'not_found' || code === 'network') {
      expect(error.subject).toBe(server.url(path));
      expect(error.message).toContain(server.url(path));
    }
  });

  test('a file that is not there, and a folder without a checkpoint, are the error not_found', async () => {
    for (const path of [join(folder, 'no.gguf'), join(folder, 'no', 'no.gguf')]) {
      expectError(await rejection(loadModel(path)), 'not_found', path);
    }
    expectError(await rejection(loadModel(folder)), 'not_found', join(folder, 'config.json'));
  });

  test('a server that is not there is the error network', async () => {
    const other = await serve({});
    await other.close();
    expectError(await rejection(loadModel(other.url('/model.gguf'))), 'network');
  });

  test('a stream that fails ends the load with its error', async () => {
    const mine = new Error('mine');
    const failing = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.slice(0, 50_000));
      },
      pull(controller) {
        controller.error(mine);
      },
    });
    expect(await rejection(loadModel(failing))).toBe(mine);
  });

  test('split files in the wrong order or number are the error invalid_metadata', async () => {
    const [first, second, third] = splitModel(bytes, 3);
    for (const parts of [
      [second, first, third],
      [first, second],
      [first, first, third],
    ]) {
      expectError(await rejection(loadModel(parts)), 'invalid_metadata', /^split\./);
    }
    expectError(await rejection(loadModel(second)), 'invalid_metadata', /^split\./);
    const digest = rejection(loadModel([first, second, third], { sha256: '0'.repeat(64) }));
    expect((await digest).name).toBe('TypeError');
  });
});

describe('chat templates', () => {
  const withTemplate = (text) => set('tokenizer.chat_template', 'string', text);

  test('without one, text can be generated but sessions cannot talk', async () => {
    const model = await loadModel(drop('tokenizer.chat_template'));
    const { tokens } = await collect(model.generate('Hi', { maxTokens: 3, ignoreEos: true }));
    expect(tokens).toHaveLength(3);
    const session = await model.createSession();
    expectError(await rejection(session.prompt('Hi')), 'chat_template');
    expectError(await rejection(session.append('Hi')), 'chat_template');
    expectError(
      await rejection(model.createSession({ initialPrompts: [{ role: 'system', content: 'x' }] })),
      'chat_template',
    );
    await model.dispose();
  });

  test('one that cannot be parsed is an error when it is needed', async () => {
    const model = await loadModel(withTemplate('{% for x in %}'));
    const session = await model.createSession();
    expectError(await rejection(session.prompt('Hi')), 'chat_template');
    await collect(model.generate('Hi', { maxTokens: 1 }));
    await model.dispose();
  });

  test('one that refuses a conversation says so in its own words', async () => {
    const model = await loadModel(
      withTemplate(
        "{% if messages[0].role == 'system' %}{{ raise_exception('no system here') }}{% endif %}" +
          '{% for m in messages %}{{ m.content }}{% endfor %}',
      ),
    );
    const session = await model.createSession();
    const error = await rejection(session.prompt([{ role: 'system', content: 'Be good.' }]));
    expectError(error, 'chat_template');
    expect(error.message).toContain('no system here');
    expect((await session.prompt('Hi', { maxTokens: 2, ignoreEos: true })).length).toBeGreaterThan(
      0,
    );
    await model.dispose();
  });

  test('thinking is told to the template', async () => {
    const model = await loadModel(
      withTemplate(
        '{% for m in messages %}{{ m.content }}{% endfor %}' +
          "{% if enable_thinking is defined %}{{ 'yes' if enable_thinking else 'no' }}{% endif %}",
      ),
    );
    const read = async (thinking) => {
      const session = await model.createSession({ thinking });
      await session.prompt('Q', { maxTokens: 1 });
      return model.detokenize(session.stats.promptTokens);
    };
    expect(await read(true)).toBe('Qyes');
    expect(await read(false)).toBe('Qno');
    expect(await read(undefined)).toBe('Q');
    await model.dispose();
  });
});

test('a vocabulary padded beyond the tokenizer draws and shows nothing that is not there', async () => {
  const tokens = 505;
  const padded = change({
    set: {
      'tokenizer.ggml.tokens': [
        'array',
        Array.from({ length: tokens }, (_, i) => `t${i}`),
        'string',
      ],
      'tokenizer.ggml.token_type': ['array', Array(tokens).fill(1), 'int32'],
      'tokenizer.ggml.merges': ['array', [], 'string'],
      'tokenizer.ggml.eos_token_id': ['uint32', 3],
      'tokenizer.ggml.padding_token_id': ['uint32', 3],
    },
  });
  const model = await loadModel(padded);
  const options = { maxTokens: 3, logitBias: { 510: 1000 }, logprobs: 20 };
  const { text, tokens: drawn } = await collect(model.generate([5], options));
  expect(drawn).toEqual([510, 510, 510]);
  expect(text).toBe('');
  expect(await model.detokenize([5, 510])).toBe('t5');
  await model.dispose();
});

describe('the WebAssembly', () => {
  test('that cannot be had is the error wasm', async () => {
    for (const wasm of [
      { url: 'file:///nowhere/fastweights.wasm' },
      { binary: new Uint8Array([0, 1, 2, 3]) },
    ]) {
      expectError(await rejection(loadModel(bytes, { wasm })), 'wasm');
    }
  });

  test('may come as bytes, as a module or from a place', async () => {
    const { readFileSync } = await import('node:fs');
    const place = new URL('../../dist/wasm/fastweights-simd128.wasm', import.meta.url);
    const binary = readFileSync(place);
    const module = await WebAssembly.compile(binary);
    const seen = [];
    for (const wasm of [
      { binary },
      { module },
      { url: place },
      { url: place.href },
      {
        url(build) {
          seen.push(build);
          return place;
        },
      },
    ]) {
      const model = await loadModel(bytes, { wasm: { build: 'simd128', ...wasm } });
      expect(model.build).toBe('simd128');
      await model.dispose();
    }
    expect(seen).toEqual(['simd128']);
  });
});

test('after errors of every kind the next load works', async () => {
  for (const [, make] of CASES.slice(0, 12)) await rejection(loadModel(make()));
  const model = await loadModel(linearModel());
  expect(
    (await collect(model.generate([1], { maxTokens: 2, ignoreEos: true }))).tokens,
  ).toHaveLength(2);
  await model.dispose();
});
