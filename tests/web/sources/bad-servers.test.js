// SPDX-License-Identifier: MIT
//
// Servers that lie, trickle or fall silent: what is delivered are the file's bytes, or there is a
// ModelError.
import { ModelError } from '../../../build/web/errors.js';
import { openPart } from '../../../build/web/sources/open-part.js';
import { serve } from '../../support/file-server.js';
import { rejection } from '../../support/rejection.js';

const SIZE = 3_000_001;
const BYTES = Buffer.alloc(SIZE);
for (let i = 0; i < SIZE; i++) BYTES[i] = (i * 2654435761) >>> 13;

let server;
let file;
beforeEach(async () => {
  file = { bytes: BYTES, etag: '"v1"' };
  server = await serve({ '/file': file });
});
afterEach(() => server.close());

const opened = (options) => openPart(server.url('/file'), options);
async function drain(source) {
  const pieces = [];
  for (let piece = await source.read(); piece; piece = await source.read()) {
    pieces.push(Buffer.from(piece));
  }
  await source.close();
  return Buffer.concat(pieces);
}

describe('a range that does not say where it begins', () => {
  test('is taken where its length shows it', async () => {
    Object.assign(file, { rangeTold: false, dropAfter: [1_000_000] });
    expect((await drain(await opened())).equals(BYTES)).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['neither the length of the file is known', {}],
    ['nor the range is one', { bytes: BYTES.subarray(0, SIZE - 5) }],
  ])('is not taken where %s: the file is read again', async (_, change) => {
    Object.assign(file, { rangeTold: false, lengthKnown: false, dropAfter: [1_000_000] });
    file.onRequest = ({ headers }) => {
      Object.assign(file, headers.range ? change : { bytes: BYTES });
    };
    expect((await drain(await opened())).equals(BYTES)).toBe(true);
    expect(server.requests.map(({ headers }) => Boolean(headers.range))).toEqual([
      false,
      true,
      false,
    ]);
  });

  test.each([
    ['nothing of it', { rangeTold: false }],
    ['what cannot be read of it', { contentRange: 'bytes 2500000-/x' }],
  ])('and says %s, is not taken for a jump: the bytes between are read', async (_, says) => {
    Object.assign(file, { ...says, lengthKnown: false });
    file.onRequest = ({ headers }) => {
      if (headers.range) file.bytes = BYTES.subarray(7);
    };
    const source = await opened();
    await source.read();
    await source.seek(2_500_000);
    expect((await drain(source)).equals(BYTES.subarray(2_500_000))).toBe(true);
  });
});

test('a server that sends a byte at a time and hangs up is given up', async () => {
  file.dropAfter = new Array(1000).fill(1);
  const error = await rejection(opened().then(drain));
  expect(error).toBeInstanceOf(ModelError);
  expect(error).toMatchObject({ code: 'network', subject: server.url('/file') });
  expect(error.message).toMatch(/connection lost at byte \d of 3000001/);
  expect(server.requests.length).toBeLessThan(6);
}, 20_000);

test('connections that bring something each are no reason to give up', async () => {
  file.dropAfter = new Array(12).fill(200_000);
  expect((await drain(await opened())).equals(BYTES)).toBe(true);
  expect(server.requests).toHaveLength(13);
}, 20_000);

describe('a server that falls silent', () => {
  test('is asked again after stallTimeout', async () => {
    file.stallAfter = 1_000_000;
    file.onRequest = (_, count) => {
      if (count === 2) file.stallAfter = undefined;
    };
    expect((await drain(await opened({ stallTimeout: 300 }))).equals(BYTES)).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  test.each([0, 20_000])(
    'is given up where it does so again and again (after %s bytes)',
    async (at) => {
      file.stallAfter = at;
      const error = await rejection(opened({ stallTimeout: 100 }).then(drain));
      expect(error).toMatchObject({ name: 'ModelError', code: 'network' });
      expect(error.message).toMatch(/connection lost at byte/);
      expect(error.cause.message).toMatch(/sent nothing for 0.1 s/);
    },
    60_000,
  );

  test('before it answers, too', async () => {
    const silent = await serve();
    const error = await rejection(openPart(silent.url('/file'), { stallTimeout: 100 }));
    expect(error).toMatchObject({ name: 'ModelError', code: 'network' });
    expect(error.message).toMatch(/cannot be fetched: the server sent nothing for 0.1 s/);
    await silent.close();
  });
});
