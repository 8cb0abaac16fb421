// SPDX-License-Identifier: MIT
// Whatever a server says of a file and wherever it hangs up, what is delivered are the file's bytes at
// their places, all of them unless a ModelError says otherwise.
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { openPart } from '../../../build/web/sources/open-part.js';
import { must, unlessRefused } from './expect.js';

// Above the gap over which a reader asks for another range.
const kFile = Uint8Array.from({ length: 1_300_003 }, (_, i) => (i * 31 + (i >> 9)) & 255);
const kZipped = gzipSync(kFile, { level: 1 });
const kSize = kFile.length;

// Pauses between attempts, and the minute after which a connection is lost, in a thousandth of the time.
const { setTimeout } = globalThis;
globalThis.setTimeout = (call, ms = 0, ...rest) => setTimeout(call, ms / 1000, ...rest);

const often = (value, ...others) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, fc.constantFrom(...others));
const reply = fc.record({
  status: often(200, 204, 304, 404, 416, 429, 500, 503),
  range: often('honest', 'ignored', 'elsewhere', 'nameless', 'other size', 'nonsense', '*'),
  length: often('honest', 'none', 'more', 'less'),
  encoding: often('', '', 'gzip', 'a lie'),
  etag: often('"v1"', '"v2"', 'W/"v1"', ''),
  hangUp: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 2 }),
  stalls: often(false, true),
});

export const arbitrary = fc.record({
  // To one request after the other; then the server is honest.
  replies: fc.array(reply, { maxLength: 5 }),
  skips: fc.array(fc.constantFrom(0, 1, 1000, 70_000, 1_100_000, 2 * kSize), { maxLength: 3 }),
});

const kHonest = {
  ...{ status: 200, range: 'honest', length: 'honest', encoding: '' },
  ...{ etag: '"v1"', hangUp: null, stalls: false },
};

export const examples = [
  {
    replies: [
      { ...kHonest, length: 'none' },
      { ...kHonest, range: 'nonsense' },
    ],
    skips: [2 * kSize],
  },
  {
    replies: [
      { ...kHonest, length: 'none', hangUp: 0 },
      { ...kHonest, hangUp: 0.9999992307710058 },
      { ...kHonest, encoding: 'a lie' },
    ],
    skips: [],
  },
];

const plans = new Map();
const server = createServer((request, response) => {
  const plan = plans.get(request.url) ?? [];
  respond(plan.shift() ?? kHonest, request, response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();

function respond({ status, range, length, encoding, etag, hangUp, stalls }, request, response) {
  const headers = etag ? { etag } : {};
  if (status !== 200) return response.writeHead(status, headers).end();
  const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const validator = request.headers['if-range'];
  const isSame = !validator || validator === etag;
  const isRange = asked && range !== 'ignored' && encoding !== 'gzip' && isSame;
  // What the reply says of itself is where its bytes come from.
  let from = isRange ? Math.min(Number(asked[1]), kSize - 1) : 0;
  if (isRange && range === 'elsewhere') from = Math.floor(from / 2);
  if (isRange) {
    const size = range === 'other size' ? kSize + 5 : range === '*' ? '*' : kSize;
    if (range === 'nonsense') headers['content-range'] = `bytes ${from}-/x`;
    else if (range !== 'nameless') headers['content-range'] = `bytes ${from}-${kSize - 1}/${size}`;
  }
  if (encoding) headers['content-encoding'] = 'gzip';
  const body = encoding === 'gzip' ? kZipped : kFile.subarray(from);
  const said = { honest: body.length, more: body.length + 9, less: body.length >> 1 }[length];
  if (said !== undefined) headers['content-length'] = said;
  response.writeHead(isRange ? 206 : 200, headers);
  const most = length === 'less' ? said : body.length;
  if (hangUp === null && !stalls) return void response.end(body.subarray(0, most));
  const part = body.subarray(0, Math.floor((hangUp ?? 0.5) * most));
  response.flushHeaders();
  response.write(part, () => {
    if (!stalls) setTimeout(() => response.destroy(), 2);
  });
}

let inputs = 0;

export async function check({ replies, skips }) {
  inputs += 1;
  const path = `/${inputs}`;
  plans.set(path, [...replies]);
  let source;
  const done = await unlessRefused(async () => {
    source = await openPart(`http://127.0.0.1:${port}${path}`);
    for (const skip of skips) {
      await source.seek(source.position + skip);
      if (!(await readOne(source))) return true;
    }
    while (await readOne(source));
    return true;
  });
  plans.delete(path);
  await source?.close();
  const isShort = replies.some((one) => one.length === 'less' || one.status === 204);
  const end = source?.position ?? 0;
  must(!done || end >= kSize || isShort, `the file ended at byte ${end}`);
}

async function readOne(source) {
  const at = source.position;
  const piece = await source.read();
  if (!piece) return false;
  must(source.position === at + piece.length, 'the position is not that of the bytes');
  must(piece.length > 0 && at + piece.length <= kSize, `bytes up to ${at + piece.length}`);
  must(
    Buffer.compare(piece, kFile.subarray(at, at + piece.length)) === 0,
    `other bytes at ${at} of ${piece.length}`,
  );
  return true;
}

export async function end() {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
