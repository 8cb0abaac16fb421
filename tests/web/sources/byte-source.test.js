// SPDX-License-Identifier: MIT
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModelError } from '../../../build/web/errors.js';
import { openPart } from '../../../build/web/sources/open-part.js';
import { serve } from '../../support/file-server.js';
import { rejection } from '../../support/rejection.js';

const SIZE = 5_000_001;
const BYTES = Uint8Array.from({ length: SIZE }, (_, i) => (i * 31 + (i >> 9)) & 255);
const folder = mkdtempSync(join(tmpdir(), 'byte-source-'));
const path = join(folder, 'bytes #1.bin');
writeFileSync(path, BYTES);
const file = {};
const server = await serve({
  '/file': file,
  '/missing': { status: 404 },
  '/gone': { status: 410 },
  '/broken': { status: 503 },
  '/secret': { status: 403 },
});

beforeEach(() => {
  for (const key of Object.keys(file)) delete file[key];
  Object.assign(file, { bytes: BYTES, etag: '"v1"' });
  server.requests.length = 0;
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const stream = (chunk) =>
  new ReadableStream({
    pull(controller) {
      this.at ??= 0;
      if (this.at >= SIZE) return controller.close();
      controller.enqueue(BYTES.subarray(this.at, this.at + chunk));
      this.at += chunk;
    },
  });

async function drain(source) {
  const pieces = [];
  for (;;) {
    const before = source.position;
    const piece = await source.read();
    if (!piece) break;
    expect(piece.byteLength).toBeGreaterThan(0);
    expect(piece.byteLength).toBeLessThanOrEqual(4 << 20);
    expect(source.position).toBe(before + piece.byteLength);
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
}

const KINDS = {
  'a path': () => path,
  'a file: URL string': () => pathToFileURL(path).href,
  'a file: URL': () => pathToFileURL(path),
  'an http URL': () => server.url('/file'),
  'an http URL object': () => new URL(server.url('/file')),
  'a blob': () => new Blob([BYTES]),
  'a blob: URL': () => URL.createObjectURL(new Blob([BYTES])),
  'an ArrayBuffer': () => BYTES.slice().buffer,
  'a view': () =>
    new DataView(Buffer.concat([Buffer.alloc(3), BYTES, Buffer.alloc(5)]).buffer, 3, SIZE),
  'a Buffer': () => Buffer.from(BYTES),
  'a stream': () => stream(70_001),
  'a stream of one chunk': () => stream(SIZE),
};

describe.each(Object.entries(KINDS))('%s', (name, make) => {
  test('is read whole, in order', async () => {
    const source = await openPart(make());
    expect(source.size).toBe(name.includes('stream') ? undefined : SIZE);
    expect((await drain(source)).equals(BYTES)).toBe(true);
    expect(await source.read()).toBeUndefined();
    await source.close();
    await source.close();
  });

  test('can be read in places, forward only', async () => {
    const source = await openPart(make());
    for (const place of [0, 3, 3, 1000, 70_000, 1_200_000, 1_200_001, 3_999_999, SIZE - 1]) {
      await source.seek(place);
      expect(source.position).toBe(place);
    }
    expect(Array.from(await source.read())).toEqual([BYTES[SIZE - 1]]);
    await expect(source.seek(5)).rejects.toThrow(RangeError);
    await source.close();
  });

  test('seeks to the byte it says, also within a chunk', async () => {
    for (const place of [1, 60_000, 2_500_000]) {
      const source = await openPart(make());
      await source.seek(place);
      expect((await source.read())[0]).toBe(BYTES[place]);
      const next = source.position + 5;
      await source.seek(next);
      const piece = await source.read();
      expect(piece?.[0]).toBe(next < SIZE ? BYTES[next] : undefined);
      await source.close();
    }
  });

  test('past the end has nothing', async () => {
    const source = await openPart(make());
    await source.seek(SIZE + 10);
    expect(await source.read()).toBeUndefined();
    await source.close();
  });

  test('is closed by its signal, with the reason', async () => {
    const controller = new AbortController();
    const source = await openPart(make(), { signal: controller.signal });
    await source.read();
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await rejection(drain(source))).toBe(reason);
    expect(await rejection(openPart(make(), { signal: controller.signal }))).toBe(reason);
  });
});

describe('an http URL that is asked for in parts', () => {
  const rangeBytes = 1 << 20;
  const ranges = () => server.requests.map(({ headers }) => headers.range);

  test('is read whole, part by part, each when the one before is read', async () => {
    const source = await openPart(server.url('/file'), { rangeBytes });
    expect(source.size).toBe(SIZE);
    expect(ranges()).toEqual(['bytes=0-1048575']);
    const first = await source.read();
    expect(ranges()).toHaveLength(1);
    expect(Buffer.concat([first, await drain(source)]).equals(BYTES)).toBe(true);
    expect(ranges()).toEqual([0, 1, 2, 3, 4].map((i) => `bytes=${i << 20}-${((i + 1) << 20) - 1}`));
  });

  test('is gone on with where a connection is lost within a part', async () => {
    file.dropAfter = [300_000];
    const source = await openPart(server.url('/file'), { rangeBytes });
    expect((await drain(source)).equals(BYTES)).toBe(true);
    expect(ranges()[1]).toBe('bytes=300000-1348575');
  });

  test.each([
    ['gives no ranges', { ranges: false }, 1],
    ['does not tell how many bytes there are', { contentRange: 'bytes 0-1048575/*' }, 2],
    ['hides where a range lies', { rangeTold: false }, 2],
  ])('is read at once where the server %s', async (_, how, asked) => {
    Object.assign(file, how);
    const source = await openPart(server.url('/file'), { rangeBytes });
    expect((await drain(source)).equals(BYTES)).toBe(true);
    expect(ranges()).toEqual(['bytes=0-1048575', undefined].slice(0, asked));
  });

  test('fails as one that is not', async () => {
    const found = await rejection(openPart(server.url('/missing'), { rangeBytes }));
    expect(found).toMatchObject({ code: 'not_found' });
    expect(found).toBeInstanceOf(ModelError);
  });

  test('that changes between two parts is refused', async () => {
    const source = await openPart(server.url('/file'), { rangeBytes });
    await source.read();
    file.etag = '"v2"';
    expect(await rejection(drain(source))).toMatchObject({ code: 'network' });
  });
});

test('a buffer of several pieces hears its signal between them', async () => {
  const controller = new AbortController();
  const source = await openPart(new Uint8Array(9 << 20), { signal: controller.signal });
  await source.read();
  const reason = new Error('enough');
  setImmediate(() => controller.abort(reason));
  expect(await rejection(drain(source))).toBe(reason);
});

describe('a URL', () => {
  test('is asked for once when nothing is skipped', async () => {
    await drain(await openPart(server.url('/file')));
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([undefined]);
  });

  test('is reopened with a range for a long gap, read through for a short one', async () => {
    const source = await openPart(server.url('/file'));
    await source.read();
    await source.seek(source.position + 500_000);
    expect(server.requests).toHaveLength(1);
    await source.seek(4_000_000);
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=4000000-',
    ]);
    expect((await drain(source)).equals(BYTES.subarray(4_000_000))).toBe(true);
  });

  test('of a server without ranges is read on', async () => {
    file.ranges = false;
    const source = await openPart(server.url('/file'));
    await source.read();
    await source.seek(4_000_000);
    expect((await drain(source)).equals(BYTES.subarray(4_000_000))).toBe(true);
  });

  test.each([true, false])('is resumed after dropped connections (ranges: %s)', async (ranges) => {
    Object.assign(file, { ranges, dropAfter: [1_000_000, ranges ? 700_000 : 1_700_000] });
    const source = await openPart(server.url('/file'));
    expect((await drain(source)).equals(BYTES)).toBe(true);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[1].headers.range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(server.requests[1].headers['if-range']).toBe('"v1"');
  });

  test('of unknown length is resumed too', async () => {
    Object.assign(file, { lengthKnown: false, dropAfter: [1_000_000] });
    const source = await openPart(server.url('/file'));
    expect(source.size).toBeUndefined();
    expect((await drain(source)).equals(BYTES)).toBe(true);
  });

  test('is given up after three attempts that bring nothing', async () => {
    file.dropAfter = [1_000_000, 0, 0, 0, 0, 0];
    const error = await rejection(openPart(server.url('/file')).then(drain));
    expect(error).toBeInstanceOf(ModelError);
    expect([error.code, error.subject]).toEqual(['network', server.url('/file')]);
    expect(error.message).toMatch(/connection lost at byte \d+ of 5000001/);
    expect(server.requests).toHaveLength(4);
  }, 20_000);

  test('survives a server that is busy for a moment', async () => {
    file.dropAfter = [1_000_000];
    file.status = (count) => (count === 2 ? 503 : undefined);
    const source = await openPart(server.url('/file'));
    expect((await drain(source)).equals(BYTES)).toBe(true);
    expect(server.requests).toHaveLength(3);
  }, 3000);

  test('whose first connection breaks at once is asked again', async () => {
    file.onRequest = (request, count) => count === 1 && request.socket.destroy();
    const source = await openPart(server.url('/file'));
    expect((await drain(source)).equals(BYTES)).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['is refused by If-Range', { etag: '"v2"' }],
    ['has another length', { etag: undefined, bytes: BYTES.subarray(0, SIZE - 1) }],
  ])('whose file changed during the download is an error: it %s', async (_, change) => {
    file.dropAfter = [1_000_000];
    file.onRequest = (_request, count) => {
      if (count === 2) Object.assign(file, change);
    };
    const error = await rejection(openPart(server.url('/file')).then(drain));
    expect([error.name, error.code]).toEqual(['ModelError', 'network']);
    expect(error.message).toMatch(/changed on the server/);
  });

  test.each([
    ['/missing', 'not_found', /HTTP 404/],
    ['/gone', 'not_found', /HTTP 410/],
    ['/broken', 'network', /HTTP 503/],
    ['/secret', 'network', /HTTP 403/],
  ])('%s is %s', async (name, code, words) => {
    const error = await rejection(openPart(server.url(name)));
    expect(error).toBeInstanceOf(ModelError);
    expect([error.code, error.subject]).toEqual([code, server.url(name)]);
    expect(error.message).toMatch(words);
  });

  test('that nobody answers is a network error', async () => {
    const error = await rejection(openPart('http://127.0.0.1:9/file'));
    expect([error.name, error.code]).toEqual(['ModelError', 'network']);
  });

  test('that stalls is left at once when aborted, and the connection closed', async () => {
    file.stallAfter = 1000;
    const controller = new AbortController();
    let closed;
    const gone = new Promise((resolve) => {
      closed = resolve;
    });
    file.onRequest = (request) => request.socket.once('close', closed);
    const source = await openPart(server.url('/file'), { signal: controller.signal });
    await source.read();
    const waiting = rejection(source.read());
    const start = performance.now();
    controller.abort();
    const error = await waiting;
    expect(error.name).toBe('AbortError');
    expect(performance.now() - start).toBeLessThan(1000);
    await gone;
  });

  test('that is aborted before it answers is not asked again', async () => {
    const controller = new AbortController();
    file.onRequest = () => controller.abort('enough');
    const opening = openPart(server.url('/file'), { signal: controller.signal });
    expect(await rejection(opening)).toBe('enough');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.requests).toHaveLength(1);
  });

  test('is cancelled by close()', async () => {
    file.stallAfter = 1000;
    let closed;
    const gone = new Promise((resolve) => {
      closed = resolve;
    });
    file.onRequest = (request) => request.socket.once('close', closed);
    const source = await openPart(server.url('/file'));
    await source.close();
    await gone;
    expect((await rejection(source.read())).code).toBe('disposed');
  });
});

test('a file that is not there is not_found', async () => {
  const error = await rejection(openPart(join(folder, 'nothing.gguf')));
  expect([error.name, error.code, error.subject]).toEqual([
    'ModelError',
    'not_found',
    join(folder, 'nothing.gguf'),
  ]);
  expect((await rejection(openPart(folder))).code).toBe('not_found');
});

test('what is no source is a TypeError', async () => {
  for (const part of [undefined, null, 7, {}, [], () => {}]) {
    await expect(openPart(part)).rejects.toThrow(TypeError);
  }
});

test('a stream that fails passes its error on', async () => {
  const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('torn')) });
  const source = await openPart(failing);
  expect((await rejection(source.read())).message).toBe('torn');
});

test('a stream is cancelled by close()', async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => {
      cancelled = true;
    },
  });
  const source = await openPart(endless);
  await source.read();
  await source.close();
  expect(cancelled).toBe(true);
});
