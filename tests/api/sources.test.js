// SPDX-License-Identifier: MIT
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspectModel } from '../../dist/index.js';
import { serve } from '../support/file-server.js';
import { splitModel } from './edit-model.js';
import {
  DEMO,
  heldBytes,
  hybridModel,
  ids,
  linearModel,
  loadModel,
  rejection,
  withBuild,
} from './models.js';

const bytes = linearModel();
const parts = splitModel(bytes, 3);
const folder = mkdtempSync(join(tmpdir(), 'sources-'));
const path = join(folder, 'model.gguf');
const splitPath = (i) => join(folder, `split-0000${i + 1}-of-00003.gguf`);
writeFileSync(path, bytes);
for (const [i, part] of parts.entries()) writeFileSync(splitPath(i), part);

let server;
let wanted;
beforeAll(async () => {
  server = await serve({
    '/model.gguf': { bytes, etag: '"one"' },
    '/demo.gguf': { bytes: readFileSync(DEMO) },
    '/without-length.gguf': { bytes, lengthKnown: false },
    '/stalls.gguf': { bytes, stallAfter: bytes.length / 2 },
    '/stalls-early.gguf': { bytes, stallAfter: 100 },
    '/cut.gguf': { bytes: bytes.subarray(0, bytes.length - 100) },
    '/drops.gguf': { bytes, etag: '"two"', dropAfter: [40_000, 100_000] },
    ...Object.fromEntries(
      parts.map((part, i) => [`/split-0000${i + 1}-of-00003.gguf`, { bytes: part }]),
    ),
  });
  const model = await loadModel(bytes);
  wanted = await model.logits(ids(20));
  await model.dispose();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

// In odd chunks, as networks deliver them.
const stream = (content, size = 37_777) => {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= content.length) controller.close();
      else controller.enqueue(content.slice(at, at + size));
      at += size;
    },
  });
};

const SOURCES = {
  'a path': () => path,
  'a file: URL': () => pathToFileURL(path),
  'a file: URL as text': () => pathToFileURL(path).href,
  'an http: URL': () => server.url('/model.gguf'),
  'a URL object': () => new URL(server.url('/model.gguf')),
  'an http: URL without a length': () => server.url('/without-length.gguf'),
  'an http: URL whose connection drops': () => server.url('/drops.gguf'),
  'a blob': () => new Blob([bytes]),
  'a file': () => new File([bytes], 'model.gguf'),
  'an array buffer': () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  'a typed array': () => bytes,
  'a view into a larger buffer': () => {
    const larger = new Uint8Array(bytes.length + 11);
    larger.set(bytes, 7);
    return larger.subarray(7, 7 + bytes.length);
  },
  'a Node buffer': () => Buffer.from(bytes),
  'a data view': () => new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
  'a stream': () => stream(bytes),
  'a stream of single bytes at first': () =>
    stream(bytes.slice(0, 60_000), 1).pipeThrough(
      new TransformStream({
        flush: (controller) => controller.enqueue(bytes.slice(60_000)),
      }),
    ),
  'the first path of a split model': () => splitPath(0),
  'the first URL of a split model': () => server.url('/split-00001-of-00003.gguf'),
  'the parts of a split model': () => [parts[0], new Blob([parts[1]]), stream(parts[2])],
};

test.each(Object.keys(SOURCES))('a model comes from %s', async (name) => {
  const model = await loadModel(SOURCES[name]());
  expect([...(await model.logits(ids(20)))]).toEqual([...wanted]);
  expect(model.facts.fromCache).toBe(false);
  expect(model.vocabSize).toBe(512);
  await model.dispose();
});

test.each(Object.keys(SOURCES))('a model is inspected in %s', async (name) => {
  const found = await inspectModel(SOURCES[name](), withBuild());
  expect(found.architecture).toBe('qwen35');
  expect(found.metadata.get('general.name')).toBe('random-3x64');
  expect(found.tensors).toHaveLength(44);
  expect(found.memory.vocabSize).toBe(512);
});

test('an inspection asks a server for a header and less than a part of what follows', async () => {
  server.requests.length = 0;
  const { tensors } = await inspectModel(server.url('/demo.gguf'), withBuild());
  expect(tensors.length).toBeGreaterThan(80);
  expect(server.requests.map(({ headers }) => headers.range)).toEqual(['bytes=0-1048575']);
});

test('progress grows to the size of the file', async () => {
  for (const source of [path, new Blob([bytes]), bytes, server.url('/model.gguf')]) {
    const reports = [];
    const model = await loadModel(source, { onProgress: (report) => reports.push(report) });
    await model.dispose();
    const loaded = reports.map((report) => report.loaded);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
    expect(loaded.at(-1)).toBe(bytes.length);
    expect(new Set(reports.map(({ total }) => total))).toEqual(new Set([bytes.length]));
    const phase = typeof source === 'string' && source.startsWith('http') ? 'download' : 'file';
    expect(new Set(reports.map((report) => report.phase))).toEqual(new Set([phase]));
  }
});

test('progress of a split model counts all parts', async () => {
  const reports = [];
  const model = await loadModel(splitPath(0), { onProgress: (report) => reports.push(report) });
  await model.dispose();
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  expect(reports.at(-1)).toEqual({ phase: 'file', loaded: total, total });
});

test('the facts and an inspection agree', async () => {
  for (const source of [bytes, hybridModel(), DEMO]) {
    const model = await loadModel(source);
    const { memory, tensors, metadata } = await inspectModel(source, withBuild());
    expect(model.facts).toMatchObject(memory);
    expect(model.name).toBe(metadata.get('general.name'));
    const says = (key) => metadata.get(`${model.architecture}.${key}`);
    // A block for guesses is not loaded.
    const layers = says('block_count') - (says('nextn_predict_layers') ?? 0);
    expect(model.facts.layerCount).toBe(layers);
    expect(model.facts.embeddingLength).toBe(says('embedding_length'));
    const loaded = tensors.filter(({ name }) => !name.startsWith(`blk.${layers}.`));
    const stored = loaded.reduce((sum, tensor) => sum + tensor.bytes, 0);
    expect(memory.weightsBytes).toBeGreaterThan(0.9 * stored);
    const { heapInUse } = await model.memory();
    expect(heapInUse).toBeGreaterThan(memory.weightsBytes + memory.scratchBytes);
    expect(heapInUse).toBeLessThan(memory.weightsBytes + memory.scratchBytes + 300_000);
    await model.dispose();
  }
});

test('a load takes no more memory than the weights and a staging buffer', async () => {
  const model = await loadModel(DEMO);
  const { heapBytes, weightsBytes } = await model.memory();
  expect(heapBytes).toBeLessThan(weightsBytes + 16 * 2 ** 20);
  await model.dispose();
});

describe('a digest', () => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');

  test('that is right is accepted, in either case', async () => {
    for (const digest of [sha256, sha256.toUpperCase()]) {
      for (const source of [path, bytes, stream(bytes), server.url('/model.gguf')]) {
        const model = await loadModel(source, { sha256: digest });
        expect([...(await model.logits(ids(20)))]).toEqual([...wanted]);
        await model.dispose();
      }
    }
  });

  test('that is wrong is the error integrity', async () => {
    const other = sha256.replace(/./g, (digit) => (digit === '0' ? '1' : '0'));
    for (const source of [path, bytes, stream(bytes), server.url('/model.gguf')]) {
      const error = await rejection(loadModel(source, { sha256: other }));
      expect([error.name, error.code]).toEqual(['ModelError', 'integrity']);
      expect(error.message).toContain(sha256);
    }
  });
});

describe('aborting a load', () => {
  test('before it begins rejects with the reason', async () => {
    const reason = new Error('mine');
    for (const source of [path, bytes, stream(bytes), server.url('/model.gguf')]) {
      expect(await rejection(loadModel(source, { signal: AbortSignal.abort(reason) }))).toBe(
        reason,
      );
    }
  });

  test.each(['/stalls.gguf', '/stalls-early.gguf'])(
    'while the server of %s says nothing rejects with the reason and closes the connection',
    async (url) => {
      const reason = new Error('mine');
      const aborter = new AbortController();
      const outcome = rejection(loadModel(server.url(url), { signal: aborter.signal }));
      setTimeout(() => aborter.abort(reason), 50);
      expect(await outcome).toBe(reason);
    },
  );

  test('at any report of progress rejects with the reason, and the next load works', async () => {
    const reports = [];
    const options = { onProgress: (report) => reports.push(report) };
    await (await loadModel(stream(bytes), options)).dispose();
    for (let stop = 0; stop < reports.length; stop++) {
      const reason = new Error(`after report ${stop}`);
      const aborter = new AbortController();
      let count = 0;
      const onProgress = () => {
        if (count++ === stop) aborter.abort(reason);
      };
      const load = loadModel(stream(bytes), { onProgress, signal: aborter.signal });
      expect(await rejection(load)).toBe(reason);
    }
    const model = await loadModel(stream(bytes));
    expect([...(await model.logits(ids(20)))]).toEqual([...wanted]);
    await model.dispose();
  });

  test('cancels a stream that is being read', async () => {
    let cancelled;
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(bytes.slice(0, 100_000)),
      pull: () => new Promise(() => {}),
      cancel(why) {
        cancelled = why ?? true;
      },
    });
    const aborter = new AbortController();
    const outcome = rejection(loadModel(endless, { signal: aborter.signal }));
    setTimeout(() => aborter.abort('mine'), 20);
    expect(await outcome).toBe('mine');
    expect(cancelled).toBeDefined();
  });
});

test('many loads one after another, sound and broken off, do not pile up memory', async () => {
  const file = hybridModel();
  const round = async () => {
    await (await loadModel(file)).dispose();
    await rejection(loadModel(file.subarray(0, file.length - 50)));
  };
  for (let i = 0; i < 10; i++) await round();
  const before = await heldBytes();
  for (let i = 0; i < 40; i++) await round();
  // 80 instances of 7 MB would be 560 MB.
  expect((await heldBytes()) - before).toBeLessThan(64e6);
});
