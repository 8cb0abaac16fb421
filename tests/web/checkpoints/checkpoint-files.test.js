// SPDX-License-Identifier: MIT
// Where the files of a checkpoint come from, what is kept of them, and what is wrong with them.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCheckpoint } from '../../../build/web/checkpoints/checkpoint-files.js';
import { cacheSettings } from '../../../build/web/sources/cache-settings.js';
import { checkpointOnDisk, checkpointParts } from '../../../build/web/sources/checkpoint-parts.js';
import { KeyedFiles } from '../../../build/web/storage/keyed-files.js';
import { ModelCache } from '../../../build/web/storage/models.js';
import { serve } from '../../support/file-server.js';
import { MemoryStore } from '../../support/memory-store.js';
import { rejection } from '../../support/rejection.js';
import { safetensors, tensorOf } from '../../support/safetensors.js';
import { sharded, tinyConfig, tinyTensors } from '../../support/tiny-checkpoint.js';

const TENSORS = tinyTensors();
const CONFIG = Buffer.from(JSON.stringify(tinyConfig));
const WEIGHTS = safetensors(TENSORS);
const SHARDS = sharded(TENSORS, 3);
const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');

const single = { 'config.json': CONFIG, 'model.safetensors': WEIGHTS };
const several = { 'config.json': CONFIG, ...SHARDS };
const folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
for (const [name, bytes] of Object.entries(several)) writeFileSync(join(folder, name), bytes);

const files = {};
const server = await serve(files);
const put = (place, contents) => {
  for (const [name, bytes] of Object.entries(contents)) {
    files[`${place}${name}`] = { bytes, etag: `"${name}"` };
  }
};
let store;
let cache;
beforeEach(() => {
  for (const name of Object.keys(files)) delete files[name];
  put('/one/', single);
  put('/three/', several);
  server.requests.length = 0;
  store = new MemoryStore();
  cache = new ModelCache(async () => new KeyedFiles(store, 'models'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Opens as a load does, with options as a page gives them. */
async function open(source, options = {}) {
  const parts = await checkpointOnDisk(source);
  return openCheckpoint(parts, { ...options, cache: cacheSettings(source, options.cache) }, cache);
}

async function collect(opened) {
  const got = {};
  await opened.stream(
    () => true,
    ({ name }, bytes) => {
      got[name] = Buffer.concat([got[name] ?? Buffer.alloc(0), bytes]);
    },
  );
  return got;
}

const asked = () => server.requests.map(({ url }) => url);
const fileOf = (name, bytes, path = `tiny/${name}`) =>
  Object.defineProperty(new File([bytes], name), 'webkitRelativePath', { value: path });

const expected = await collect(await open({ config: CONFIG, weights: WEIGHTS }));

test('matrices arrive as they are stored, vectors as they are', () => {
  const same = (target, source) =>
    expect(expected[target]).toEqual(Buffer.from(TENSORS[source].bytes));
  same('token_embd.weight', 'model.embed_tokens.weight');
  same('token_embd_norm.weight', 'model.embedding_norm.weight');
  same('blk.0.ffn_down.weight', 'model.layers.0.feed_forward.w2.weight');
  same('blk.0.shortconv.conv.weight', 'model.layers.0.conv.conv.weight');
  same('blk.1.attn_k.weight', 'model.layers.1.self_attn.k_proj.weight');
  expect(Object.keys(expected)).toHaveLength(Object.keys(TENSORS).length);
});

describe.each([
  ['a folder', () => server.url('/one/')],
  ['a folder with a query', () => server.url('/one/?token=1')],
  ['a folder of several files', () => server.url('/three/')],
  ['a URL object', () => new URL(server.url('/three/'))],
  ['a path', () => folder],
  ['a path that ends as one', () => `${folder}/`],
  ['a file: URL', () => new URL(`file://${folder}/`)],
  ['named buffers', () => ({ config: CONFIG, weights: WEIGHTS.slice().buffer })],
  [
    'named addresses',
    () => ({
      config: server.url('/one/config.json'),
      weights: [server.url('/one/model.safetensors')],
    }),
  ],
  ['a list of files', () => Object.entries(several).map(([name, bytes]) => fileOf(name, bytes))],
  [
    'a list with a folder inside',
    () => [
      fileOf('config.json', Buffer.from('{}'), 'tiny/onnx/config.json'),
      ...Object.entries(single).map(([name, bytes]) => fileOf(name, bytes)),
      fileOf('other.safetensors', Buffer.from('no'), 'tiny/onnx/other.safetensors'),
      fileOf('README.md', Buffer.from('# read')),
    ],
  ],
  ['a list of addresses', () => Object.keys(several).map((name) => server.url(`/three/${name}`))],
])('from %s', (_, source) => {
  test('the tensors are the same', async () => {
    put('/one/', { 'config.json?token=1': CONFIG, 'model.safetensors?token=1': WEIGHTS });
    expect(await collect(await open(source()))).toEqual(expected);
  });
});

test.each([
  ['a GGUF', 'https://example.org/model.gguf'],
  ['an address without a name', 'https://example.org/model'],
  ['files without config.json', [new File([], 'a.gguf'), new File([], 'b.gguf')]],
  ['bytes', new Uint8Array(8)],
])('%s is no checkpoint', async (_, source) => {
  expect(checkpointParts(source)).toBeUndefined();
  expect(await checkpointOnDisk(source)).toBeUndefined();
});

test('nothing is fetched that was not named', async () => {
  const source = {
    config: server.url('/one/config.json'),
    weights: server.url('/one/model.safetensors'),
  };
  await collect(await open(source));
  expect(asked()).toEqual(['/one/config.json', '/one/model.safetensors']);
  server.requests.length = 0;
  await collect(await open(server.url('/three/')));
  expect(new Set(asked())).toEqual(
    new Set(
      [
        ...['config.json', 'tokenizer.json', 'tokenizer_config.json', 'generation_config.json'],
        ...['chat_template.jinja', 'model.safetensors', ...Object.keys(SHARDS)],
      ].map((name) => `/three/${name}`),
    ),
  );
});

test('progress goes over all files of weights and ends at their length', async () => {
  const seen = [];
  const opened = await open(server.url('/three/'), {
    onProgress: (progress) => seen.push(progress),
  });
  await collect(opened);
  const total = Object.entries(SHARDS)
    .filter(([name]) => name.endsWith('.safetensors'))
    .reduce((sum, [, bytes]) => sum + bytes.length, 0);
  expect(opened.totalBytes).toBe(total);
  expect(seen.at(-1)).toEqual({ phase: 'download', loaded: total, total });
  expect(seen.map(({ loaded }) => loaded)).toEqual(
    seen.map(({ loaded }) => loaded).sort((a, b) => a - b),
  );
});

describe('the cache', () => {
  test.each(['one', 'three'])(
    'keeps each file of %s by its URL, and needs no server again',
    async (place) => {
      const url = server.url(`/${place}/`);
      const first = await open(url, { cache: true });
      await collect(first);
      expect([first.kept, first.fromCache]).toEqual([true, false]);
      const keys = (await cache.list()).map(({ key }) => key).sort();
      const contents = place === 'one' ? single : several;
      expect(keys).toEqual(
        Object.keys(contents)
          .map((name) => url + name)
          .sort(),
      );

      // Nobody answers any more.
      for (const name of [...Object.keys(files), ...EXTRAS.map((extra) => `/${place}/${extra}`)]) {
        files[name] = { status: 503 };
      }
      server.requests.length = 0;
      const again = await open(url, { cache: true });
      expect(await collect(again)).toEqual(expected);
      expect([again.kept, again.fromCache]).toEqual([true, true]);
    },
  );

  test('calls them what it is told to', async () => {
    await collect(await open(server.url('/one/'), { cache: { cacheKey: 'tiny' } }));
    expect((await cache.list()).map(({ key }) => key).sort()).toEqual([
      'tiny/config.json',
      'tiny/model.safetensors',
    ]);
    const options = { cache: { cacheKey: (url) => url } };
    expect(() => cacheSettings(server.url('/one/'), options.cache)).toThrow(TypeError);
    const named = {
      config: server.url('/one/config.json'),
      weights: server.url('/one/model.safetensors'),
    };
    await collect(await open(named, { cache: { cacheKey: (url) => `own ${url.slice(-4)}` } }));
    expect((await cache.list()).map(({ key }) => key)).toEqual(
      expect.arrayContaining(['own json', 'own sors']),
    );
  });
});

const EXTRAS = [
  'tokenizer.json',
  'tokenizer_config.json',
  'generation_config.json',
  'chat_template.jinja',
];

describe('a digest', () => {
  test('is of the one file of weights, or of files by their names', async () => {
    await collect(await open(server.url('/one/'), { sha256: sha(WEIGHTS) }));
    const name = Object.keys(SHARDS)[1];
    const digests = { 'config.json': sha(CONFIG), [name]: sha(SHARDS[name]) };
    await collect(await open(server.url('/three/'), { sha256: digests }));
    await expect(open(server.url('/three/'), { sha256: sha(CONFIG) })).rejects.toThrow(TypeError);
  });

  test('that differs is an error naming the file', async () => {
    const early = await rejection(
      open(server.url('/one/'), { sha256: { 'config.json': sha(WEIGHTS) } }),
    );
    expect(early).toMatchObject({ code: 'integrity', subject: server.url('/one/config.json') });
    const late = await rejection(collect(await open(server.url('/one/'), { sha256: sha(CONFIG) })));
    expect(late).toMatchObject({
      code: 'integrity',
      subject: server.url('/one/model.safetensors'),
    });
  });
});

describe('what is missing or wrong is named', () => {
  const shard = Object.keys(SHARDS)[1];
  test.each([
    ['config.json', () => delete files['/one/config.json'], '/one/', 'not_found', /config\.json/],
    [
      'weights',
      () => delete files['/one/model.safetensors'],
      '/one/',
      'not_found',
      /model\.safetensors/,
    ],
    ['a shard', () => delete files[`/three/${shard}`], '/three/', 'not_found', new RegExp(shard)],
    [
      'a shard cut short',
      () => put('/three/', { [shard]: SHARDS[shard].subarray(0, -8) }),
      '/three/',
      'truncated',
      /tensor/,
    ],
    [
      'config.json of no JSON',
      () => put('/one/', { 'config.json': Buffer.from('{') }),
      '/one/',
      'invalid_metadata',
      /config\.json/,
    ],
    [
      'config.json of no text',
      () => put('/one/', { 'config.json': Buffer.from([0xff, 0xfe]) }),
      '/one/',
      'invalid_header',
      /UTF-8/,
    ],
    [
      'an index of no JSON',
      () => put('/three/', { 'model.safetensors.index.json': Buffer.from('[]') }),
      '/three/',
      'invalid_metadata',
      /index/,
    ],
    [
      'an index that leads away',
      () => put('/three/', { 'model.safetensors.index.json': index({ a: '../x.safetensors' }) }),
      '/three/',
      'invalid_metadata',
      /no file of the folder/,
    ],
    [
      'a tensor that is not where the index says',
      () => put('/three/', { 'model.safetensors.index.json': index({ more: shard }) }),
      '/three/',
      'missing_tensor',
      /more/,
    ],
  ])('%s', async (_, change, place, code, message) => {
    change();
    const error = await rejection(open(server.url(place)));
    expect(error).toMatchObject({ name: 'ModelError', code });
    expect(error.message).toMatch(message);
  });

  const index = (more) => {
    const whole = JSON.parse(SHARDS['model.safetensors.index.json']);
    Object.assign(whole.weight_map, more);
    return Buffer.from(JSON.stringify(whole));
  };

  test('a shard that is not among the files', async () => {
    const some = Object.entries(several).filter(([name]) => name !== shard);
    const list = some.map(([name, bytes]) => fileOf(name, bytes));
    expect(await rejection(open(list))).toMatchObject({ code: 'not_found', subject: shard });
    const none = [fileOf('config.json', CONFIG)];
    expect(await rejection(open(none))).toMatchObject({ code: 'not_found' });
  });

  test('a type that no matrix has', async () => {
    const name = 'model.layers.0.ffn_norm.weight';
    const eight = { shape: [16], dtype: 'F8_E4M3', bytes: new Uint8Array(16) };
    const weights = safetensors({ ...TENSORS, [name]: eight });
    const error = await rejection(open({ config: CONFIG, weights }));
    expect(error).toMatchObject({ code: 'unsupported_type', subject: name });
  });

  test.each([
    [{ config: CONFIG }, /weights is missing/],
    [{ weights: WEIGHTS }, /config is missing/],
    [{ config: CONFIG, weights: WEIGHTS, tokeniser: CONFIG }, /nearest is model\.tokenizer/],
  ])('an object that is not one', (source, message) => {
    expect(() => checkpointParts(source)).toThrow(TypeError);
    expect(() => checkpointParts(source)).toThrow(message);
  });
});

test('16-bit values are widened exactly where they are computed with', async () => {
  const values = [0, -0, 1, -1.5, 65504, 2 ** -24, -(2 ** -14), 1 / 3];
  const bits = [0, 0x8000, 0x3c00, 0xbe00, 0x7bff, 1, 0x8400, 0x3555];
  const halves = Uint16Array.from([...bits, ...bits]);
  const name = 'model.embedding_norm.weight';
  const stored = { shape: [16], dtype: 'F16', bytes: new Uint8Array(halves.buffer) };
  const weights = safetensors({ ...tinyTensors('BF16'), [name]: stored });
  const got = await collect(await open({ config: CONFIG, weights }));
  const found = new Float32Array(
    got['token_embd_norm.weight'].buffer.slice(got['token_embd_norm.weight'].byteOffset),
    0,
    8,
  );
  found.forEach((value, i) => {
    expect(Math.abs(value - values[i])).toBeLessThanOrEqual(i === 7 ? 1e-4 : 0);
  });
  const norm = 'model.layers.0.ffn_norm.weight';
  const half = tinyTensors('BF16')[norm].bytes;
  const wide = got['blk.0.ffn_norm.weight'];
  for (let i = 0; i < 16; i++) {
    expect(wide.readUInt32LE(4 * i)).toBe((half[2 * i] | (half[2 * i + 1] << 8)) * 65536);
  }
});

test('an aborted load ends with the reason of its signal', async () => {
  const reason = new Error('enough');
  const aborter = new AbortController();
  files['/one/config.json'].onRequest = () => aborter.abort(reason);
  expect(await rejection(open(server.url('/one/'), { signal: aborter.signal }))).toBe(reason);
});

test('several files at once are one list of tensors', async () => {
  const two = safetensors({ extra: tensorOf([2], [1, 2]) });
  const error = await rejection(open({ config: CONFIG, weights: [WEIGHTS, two] }));
  expect(error).toMatchObject({ code: 'unsupported_architecture', subject: 'extra' });
});
