// SPDX-License-Identifier: MIT
//
// WebKitGTK for the tests and the benchmarks: Debian's small browser of it with the driver that it
// comes with, a display for it to draw on, and what speaks to the driver.

import { readdir } from 'node:fs/promises';

import { exists } from './cache-folder.mjs';
import { ensureDebianPackages, isDebian } from './debian.mjs';
import { ensureNpmPackages } from './npm-packages.mjs';

// The last one that runs on Node 20.
const kClient = 'selenium-webdriver@4.46.0';
const kDriver = '/usr/bin/WebKitWebDriver';
const kDisplay = '/usr/bin/Xvfb';

/**
 * @returns {Promise<{ browser: string, driver: string, display: string, modules: string }>} three
 *     programs, and the folder that the driver's client is in
 */
export async function ensureWebKit() {
  if (!(await exists(kDriver)) || !(await exists(kDisplay))) {
    if (!(await isDebian())) throw new Error('WebKitGTK is set up on Debian only');
    await ensureDebianPackages(['webkit2gtk-driver', 'xvfb']);
  }
  const modules = await ensureNpmPackages('drivers/webkit', [kClient]);
  return { browser: await miniBrowser(), driver: kDriver, display: kDisplay, modules };
}

// Beside the library, in a folder named after the processor.
async function miniBrowser() {
  for (const name of await readdir('/usr/lib')) {
    const program = `/usr/lib/${name}/webkit2gtk-4.1/MiniBrowser`;
    if (await exists(program)) return program;
  }
  throw new Error("webkit2gtk-4.1's MiniBrowser is missing");
}
