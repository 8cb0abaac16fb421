// SPDX-License-Identifier: MIT

/**
 * What tells one version of a file from another.
 * @typedef {{ etag: string, lastModified: string }} Version
 */

/**
 * The one range that a request asks for, as RFC 9110 reads it. Several ranges at once are answered
 * with the whole file, as the RFC allows.
 *
 * @param {string | undefined} header the Range header
 * @param {number} size of the file
 * @returns {{ start: number, end: number } | 'unsatisfiable' | undefined} both ends included;
 *     undefined: the whole file
 */
export function parseRange(header, size) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first, last] = match;
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/**
 * Whether a range may be honoured: without If-Range, or when it names this version of the file.
 * @type {(ifRange: string | string[] | undefined, version: Version) => boolean}
 */
export function rangeStillMeant(ifRange, { etag, lastModified }) {
  return ifRange === undefined || ifRange === etag || ifRange === lastModified;
}

/**
 * Whether the client has this version already. If-None-Match goes before If-Modified-Since.
 * @type {(headers: import('node:http').IncomingHttpHeaders, version: Version) => boolean}
 */
export function isUnchanged(headers, { etag, lastModified }) {
  const known = headers['if-none-match'];
  if (known !== undefined) {
    return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return since >= Date.parse(lastModified);
}
