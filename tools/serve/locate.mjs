// SPDX-License-Identifier: MIT

import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * The file that a request's path names.
 *
 * @param {string} root the served folder, as realpath gives it
 * @param {string} pathname still percent-encoded
 * @returns {Promise<{ path: string, stats: import('node:fs').Stats } | { moved: true } | undefined>}
 *     `moved`: the address of a folder lacks its last slash; undefined: there is no such file
 */
export async function locate(root, pathname) {
  let decoded;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  // Backslashes part folders on Windows; a leading dot names what is not meant to be seen.
  if (/[\0\\]/.test(decoded) || decoded.split('/').some((part) => part.startsWith('.'))) {
    return undefined;
  }
  try {
    let path = await inside(root, join(root, decoded));
    let stats = await stat(path);
    if (stats.isDirectory()) {
      if (!decoded.endsWith('/')) return { moved: true };
      path = await inside(root, join(path, 'index.html'));
      stats = await stat(path);
    } else if (decoded.endsWith('/')) {
      return undefined;
    }
    return stats.isFile() ? { path, stats } : undefined;
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ELOOP'].includes(code)) {
      return undefined;
    }
    throw error;
  }
}

// A link may lead anywhere, so what counts is where it ends.
/** @type {(root: string, path: string) => Promise<string>} */
async function inside(root, path) {
  const real = await realpath(path);
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return real;
  throw Object.assign(new Error('outside of the served folder'), { code: 'ENOENT' });
}
