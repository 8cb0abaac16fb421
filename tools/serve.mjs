// SPDX-License-Identifier: MIT
//
// A server of static files with the headers that the package is made for. Run directly,
// it serves the demo, build/demo (--port N, --host NAME).

import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { optionsOf } from './options.mjs';
import { contentType } from './serve/content-types.mjs';
import { locate } from './serve/locate.mjs';
import { isUnchanged, parseRange, rangeStillMeant } from './serve/ranges.mjs';
import { projectFolder } from './setup/node-modules.mjs';

/** @import { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http' */

/** All that the demo page and the package need; demo/index.html states the same for other hosts. */
export const kContentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * That of the demo's page of models, and of its worker: where somebody's model is, nobody knows before.
 */
export const kModelsPolicy = kContentSecurityPolicy.replace(
  "connect-src 'self' blob:",
  "connect-src 'self' blob: https: http://localhost:* http://127.0.0.1:*",
);

/** The policy of a file of the demo, by its path. @param {string} pathname */
export const policyOf = (pathname) =>
  /\/(models\.html|shelf\/[^/]+)$/.test(pathname) ? kModelsPolicy : kContentSecurityPolicy;

const kIsolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Serves a folder until closed.
 *
 * @param {string} folder
 * @param {object} [options]
 * @param {number} [options.port] another free one is taken when it is in use; 0: any
 * @param {string} [options.host]
 * @param {Record<string, string>} [options.mounts] other folders, by the first name of their paths
 * @param {string} [options.policy] the Content-Security-Policy of every file; by default that of {@link policyOf}
 * @param {boolean} [options.isolated] whether pages become cross-origin isolated
 * @param {boolean} [options.ranges] false: Range requests get the whole file, as on simple hosts
 * @param {(request: IncomingMessage, response: ServerResponse) => boolean | void} [options.onRequest]
 *     sees every request first; true: it answers itself
 * @returns {Promise<{ url: string, close(): Promise<void> }>} url ends with a slash
 */
export async function serve(folder, options = {}) {
  const { port = 8080, host = '127.0.0.1', mounts = {}, onRequest } = options;
  const { policy, isolated = true, ranges = true } = options;
  const root = await realpath(folder);
  const mounted = new Map();
  for (const [name, place] of Object.entries(mounts)) mounted.set(name, await realpath(place));
  const server = createServer((request, response) => {
    if (onRequest?.(request, response)) return;
    const roots = { root, mounted };
    answer(roots, request, response, { policy, isolated, ranges }).catch((error) => {
      // A reader that went away is none of our business.
      if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
      process.stderr.write(`${request.url}: ${error.stack}\n`);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  await listen(server, port, host).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return listen(server, 0, host);
  });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${address.port}/`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @type {(server: Server, port: number, host: string) => Promise<void>} */
function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * @param {{ root: string, mounted: Map<string, string> }} roots
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {{ policy?: string, isolated: boolean, ranges: boolean }} manner
 */
async function answer({ root, mounted }, request, response, { policy, isolated, ranges }) {
  const { method = '', url = '' } = request;
  const [pathname, query] = url.split('?', 2);
  const fixed = {
    'content-security-policy': policy ?? policyOf(pathname),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(isolated ? kIsolation : {}),
  };
  /** @type {(status: number, headers?: OutgoingHttpHeaders) => ServerResponse} */
  const say = (status, headers = {}) => response.writeHead(status, { ...fixed, ...headers }).end();

  if (!['GET', 'HEAD'].includes(method)) return say(405, { allow: 'GET, HEAD' });
  const [, name, rest] = /^\/([^/]+)(\/.*)$/.exec(pathname) ?? [];
  const mount = mounted.get(name);
  const found = mount ? await locate(mount, rest) : await locate(root, pathname);
  if (!found) return say(404);
  if ('moved' in found) {
    // Two slashes in front would name another host.
    const location = `${pathname}/`.replace(/^\/+/, '/') + (query === undefined ? '' : `?${query}`);
    return say(301, { location });
  }

  const { path, stats } = found;
  const etag = `"${stats.size.toString(16)}-${Math.round(stats.mtimeMs).toString(16)}"`;
  const lastModified = stats.mtime.toUTCString();
  const version = { etag, lastModified };
  /** @type {OutgoingHttpHeaders} */
  const headers = { etag, 'last-modified': lastModified, 'cache-control': 'no-cache' };
  if (isUnchanged(request.headers, version)) return say(304, headers);

  const asked = ranges && rangeStillMeant(request.headers['if-range'], version);
  const range = asked ? parseRange(request.headers.range, stats.size) : undefined;
  if (ranges) headers['accept-ranges'] = 'bytes';
  if (range === 'unsatisfiable') return say(416, { 'content-range': `bytes */${stats.size}` });
  const { start, end } = range ?? { start: 0, end: stats.size - 1 };
  headers['content-type'] = contentType(path);
  headers['content-length'] = end - start + 1;
  if (range) headers['content-range'] = `bytes ${start}-${end}/${stats.size}`;
  response.writeHead(range ? 206 : 200, { ...fixed, ...headers });
  if (method === 'HEAD' || stats.size === 0) response.end();
  else await pipeline(createReadStream(path, { start, end }), response);
}

if (process.argv[1] === import.meta.filename) {
  const { values } = optionsOf(import.meta.filename, {
    options: { port: { type: 'string' }, host: { type: 'string' } },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  const { url } = await serve(join(projectFolder, 'build', 'demo'), { port, host: values.host });
  process.stdout.write(`${url}\n`);
}
