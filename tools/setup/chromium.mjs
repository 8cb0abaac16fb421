// SPDX-License-Identifier: MIT
//
// The browser of the tests and the benchmarks: $CHROMIUM, else Debian's.

import { exists } from './cache-folder.mjs';
import { ensureDebianPackages, isDebian } from './debian.mjs';

// It asks nobody for anything: no updates, no accounts, no experiments.
const kFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const program = () => process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Installs it where that is possible; an error that says what to do where it is not. */
export async function ensureChromium() {
  if (await exists(program())) return;
  if (process.env.CHROMIUM === undefined && (await isDebian())) {
    await ensureDebianPackages(['chromium']);
    return;
  }
  throw new Error(`${program()} is missing: install Chromium, or set CHROMIUM to its program`);
}

/**
 * @param {string[]} [flags] more of them
 * @returns {Promise<import('playwright-core').Browser>}
 */
export async function launchChromium(flags = []) {
  // Loaded late: set-up may have to install it first.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: program(), args: [...kFlags, ...flags] });
}

/**
 * With what an earlier one has left in a folder.
 *
 * @param {string} folder
 * @param {string[]} [extensions] folders of extensions that it loads
 * @returns {Promise<import('playwright-core').BrowserContext>}
 */
export async function launchProfile(folder, extensions = []) {
  const { chromium } = await import('playwright-core');
  const loading = [
    `--load-extension=${extensions.join()}`,
    '--disable-features=DisableLoadExtensionCommandLineSwitch',
  ];
  return chromium.launchPersistentContext(folder, {
    executablePath: program(),
    args: extensions.length > 0 ? [...kFlags, ...loading] : kFlags,
    ignoreDefaultArgs: extensions.length > 0 ? ['--disable-extensions'] : [],
  });
}
