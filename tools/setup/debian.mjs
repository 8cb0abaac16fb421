// SPDX-License-Identifier: MIT
//
// The machine's own Debian packages.

import { exists, oneAtATime } from './cache-folder.mjs';
import { outputOf, runCommand } from './command.mjs';
import { step } from './step.mjs';

/** @import { CommandOptions, CommandResult } from './command.mjs' */

export async function isDebian() {
  return exists('/usr/bin/apt-get');
}

export function isRoot() {
  return process.getuid?.() === 0;
}

/**
 * Installs those of the packages that are missing; an error that lists them where that is not
 * possible.
 *
 * @param {string[]} names
 */
export async function ensureDebianPackages(names) {
  const missing = await missingPackages(names);
  if (missing.length === 0) return;
  if (!(await isDebian()) || !isRoot()) {
    throw new Error(
      `these Debian packages, or what they stand for, are needed: ${missing.join(' ')}`,
    );
  }
  await oneAtATime('debian-packages', async () => {
    const left = await missingPackages(missing);
    if (left.length > 0) await install(left);
  });
}

/** @param {string[]} names */
async function install(names) {
  await step(`installing ${names.join(' ')} by apt-get`, async () => {
    // Others on this machine, not of ours, may hold dpkg's lock.
    /** @type {(args: string[], options?: CommandOptions) => Promise<CommandResult>} */
    const apt = (args, options) =>
      runCommand('apt-get', ['-o', 'DPkg::Lock::Timeout=600', '-qq', ...args], {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
        quiet: true,
        ...options,
      });
    const all = ['install', '--yes', '--no-install-recommends', ...names];
    const { code } = await apt(all, { check: false });
    if (code === 0) return;
    // The lists may never have been fetched, or be too old.
    await apt(['update']);
    await apt(all);
  });
}

/** @param {string[]} names */
async function missingPackages(names) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders
  const format = '${Package} ${db:Status-Status}\n';
  const { stdout } = await runCommand(
    'dpkg-query',
    ['--show', `--showformat=${format}`, ...names],
    {
      capture: true,
      check: false,
      env: { LC_ALL: 'C' },
    },
  ).catch(() => ({ stdout: '' }));
  const installed = new Set(
    stdout.split('\n').flatMap((line) => (line.endsWith(' installed') ? [line.split(' ')[0]] : [])),
  );
  return names.filter((name) => !installed.has(name));
}

/** The Debian archive that this machine is set up to use; undefined: it names none. */
export async function debianMirror() {
  const lines = await outputOf('apt-get', [
    'indextargets',
    '--format=$(REPO_URI)',
    'Created-By: Packages',
    'Origin: Debian',
    'Component: main',
  ]);
  return lines.split('\n').find((uri) => uri && !uri.includes('security'));
}
