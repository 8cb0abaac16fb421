// SPDX-License-Identifier: MIT
// The static server itself, without a browser.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kContentSecurityPolicy, serve } from '../../tools/serve.mjs';

let outer;
let server;

beforeAll(async () => {
  outer = await mkdtemp(join(tmpdir(), 'serve-'));
  const site = join(outer, 'site');
  await mkdir(join(site, 'sub dir'), { recursive: true });
  await writeFile(join(outer, 'secret.txt'), 'secret');
  await writeFile(join(site, 'index.html'), '<p>home');
  await writeFile(join(site, 'sub dir', 'index.html'), '<p>sub');
  await writeFile(join(site, 'data.bin'), '0123456789');
  await writeFile(join(site, 'empty.txt'), '');
  await writeFile(join(site, 'code.wasm'), '');
  await writeFile(join(site, 'code.mjs'), '');
  await writeFile(join(site, '.hidden'), 'secret');
  await symlink(join(outer, 'secret.txt'), join(site, 'way-out.txt'));
  server = await serve(site, { port: 0 });
});
afterAll(async () => {
  await server.close();
  await rm(outer, { recursive: true });
});

/** The path goes out as it is: fetch would tidy it up. */
function ask(path, { method = 'GET', headers = {}, of = server } = {}) {
  const { hostname, port } = new URL(of.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, async (response) => {
      const parts = [];
      for await (const part of response) parts.push(part);
      const { statusCode: status, headers: found } = response;
      resolve({ status, headers: found, body: Buffer.concat(parts).toString() });
    });
    sent.on('error', reject);
    sent.end();
  });
}

test.each([
  ['/', 'text/html; charset=utf-8', '<p>home'],
  ['/index.html?x=1', 'text/html; charset=utf-8', '<p>home'],
  ['/sub%20dir/', 'text/html; charset=utf-8', '<p>sub'],
  ['/data.bin', 'application/octet-stream', '0123456789'],
  ['/code.wasm', 'application/wasm', ''],
  ['/code.mjs', 'text/javascript; charset=utf-8', ''],
  ['/empty.txt', 'text/plain; charset=utf-8', ''],
])('%s is there, of type %s', async (path, type, body) => {
  const found = await ask(path);
  expect(found).toMatchObject({ status: 200, body });
  expect(found.headers['content-type']).toBe(type);
  expect(found.headers['content-length']).toBe(String(body.length));
  expect(found.headers['content-security-policy']).toBe(kContentSecurityPolicy);
  expect(found.headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(found.headers['cross-origin-embedder-policy']).toBe('require-corp');
  const head = await ask(path, { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers['content-length']).toBe(String(body.length));
});

test.each([
  '/nothing',
  '/data.bin/',
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/sub%20dir/../../secret.txt',
  '/..%5csecret.txt',
  '/way-out.txt',
  '/.hidden',
  '/data.bin%00',
  '/%E0%A4%A',
  `/${'a'.repeat(5000)}`,
])('%s is not there', async (path) => {
  const found = await ask(path);
  expect(found.status).toBe(404);
  expect(found.body).toBe('');
});

test('a folder without its slash leads to the folder, on this host', async () => {
  const found = await ask('//sub%20dir?x=1');
  expect(found.status).toBe(301);
  expect(found.headers.location).toBe('/sub%20dir/?x=1');
});

test('other methods are refused', async () => {
  const found = await ask('/data.bin', { method: 'POST' });
  expect(found.status).toBe(405);
  expect(found.headers.allow).toBe('GET, HEAD');
});

test.each([
  ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
  ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  ['bytes=4-2', 200, '0123456789', undefined],
  ['bytes=0-1,4-5', 200, '0123456789', undefined],
  ['lines=1-2', 200, '0123456789', undefined],
])('range %s gives %i', async (range, status, body, place) => {
  const found = await ask('/data.bin', { headers: { range } });
  expect(found).toMatchObject({ status, body });
  expect(found.headers['content-range']).toBe(place);
});

test('knows what the client has', async () => {
  const { etag, 'last-modified': lastModified } = (await ask('/data.bin')).headers;
  const answer = async (headers) => (await ask('/data.bin', { headers })).status;
  expect(await answer({ 'if-none-match': etag })).toBe(304);
  expect(await answer({ 'if-none-match': `"x", W/${etag}` })).toBe(304);
  expect(await answer({ 'if-none-match': '"x"' })).toBe(200);
  expect(await answer({ 'if-modified-since': lastModified })).toBe(304);
  expect(await answer({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200);
  expect(await answer({ range: 'bytes=2-', 'if-range': etag })).toBe(206);
  expect(await answer({ range: 'bytes=2-', 'if-range': '"x"' })).toBe(200);
});

test('takes another port, and leaves out ranges and isolation where asked', async () => {
  const port = Number(new URL(server.url).port);
  const other = await serve(join(outer, 'site'), { port, ranges: false, isolated: false });
  try {
    expect(other.url).not.toBe(server.url);
    const found = await ask('/data.bin', { of: other, headers: { range: 'bytes=2-' } });
    expect(found).toMatchObject({ status: 200, body: '0123456789' });
    expect(found.headers['accept-ranges']).toBeUndefined();
    expect(found.headers['cross-origin-opener-policy']).toBeUndefined();
  } finally {
    await other.close();
  }
});

test('serves other folders by the first name of a path, under another policy', async () => {
  const mounts = { more: join(outer, 'site', 'sub dir') };
  const policy = "default-src 'self'";
  const other = await serve(join(outer, 'site'), { port: 0, mounts, policy });
  try {
    const found = await ask('/more/index.html', { of: other });
    expect(found).toMatchObject({ status: 200, body: '<p>sub' });
    expect(found.headers['content-security-policy']).toBe(policy);
    expect((await ask('/data.bin', { of: other })).body).toBe('0123456789');
    for (const path of ['/more/../data.bin', '/more/way-out.txt', '/more/nothing']) {
      expect((await ask(path, { of: other })).status).toBe(404);
    }
  } finally {
    await other.close();
  }
});
