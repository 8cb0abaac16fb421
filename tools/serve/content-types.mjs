// SPDX-License-Identifier: MIT

import { extname } from 'node:path';

/** @type {Record<string, string>} */
const kTypes = {
  '.css': 'text/css; charset=utf-8',
  '.gguf': 'application/octet-stream',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  // Browsers download text/markdown rather than show it.
  '.md': 'text/plain; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** @param {string} path @returns {string} its media type */
export function contentType(path) {
  return kTypes[extname(path).toLowerCase()] ?? 'application/octet-stream';
}
