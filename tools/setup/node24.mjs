// SPDX-License-Identifier: MIT
//
// A Node with relaxed SIMD, for tests and benchmarks: this one if it is new enough, else one from
// the package registry in the cache folder.

import { ensureNodeRelease } from './node-release.mjs';

/** @returns {Promise<string>} the program */
export async function ensureNode24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return ensureNodeRelease(24);
}
