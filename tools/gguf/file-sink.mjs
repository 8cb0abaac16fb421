// SPDX-License-Identifier: MIT
import { closeSync, openSync, writeSync } from 'node:fs';

/** @import { Sink } from './writer.mjs' */

/**
 * @param {string} path
 * @returns {Sink}
 */
export function fileSink(path) {
  const file = openSync(path, 'w');
  return {
    write(bytes) {
      let done = 0;
      while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done);
    },
    close: () => closeSync(file),
  };
}
