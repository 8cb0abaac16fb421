// SPDX-License-Identifier: MIT
//
// Firefox for the tests and the benchmarks: $FIREFOX, else Debian's, and what drives it. The driver
// is in the cache folder and not a dependency: 40 MB that only these commands need.

import { exists } from './cache-folder.mjs';
import { ensureDebianPackages, isDebian } from './debian.mjs';
import { ensureNpmPackages } from './npm-packages.mjs';

// The last series that runs on Node 20.
const kDriver = 'puppeteer-core@24.43.1';

/** @returns {Promise<{ program: string, modules: string }>} modules: where the driver is */
export async function ensureFirefox() {
  const program = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
  if (!(await exists(program))) {
    if (process.env.FIREFOX !== undefined || !(await isDebian())) {
      throw new Error(`${program} is missing: install Firefox, or set FIREFOX to its program`);
    }
    await ensureDebianPackages(['firefox-esr']);
  }
  return { program, modules: await ensureNpmPackages('drivers/firefox', [kDriver]) };
}
