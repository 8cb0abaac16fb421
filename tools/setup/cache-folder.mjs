// SPDX-License-Identifier: MIT
//
// What is set up once a machine lives in the user's cache folder, outside the checkout.

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { access, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** $FASTWEIGHTS_CACHE, else $XDG_CACHE_HOME/fastweights, else ~/.cache/fastweights. */
export function cacheFolder() {
  const { FASTWEIGHTS_CACHE, XDG_CACHE_HOME } = process.env;
  const folder = FASTWEIGHTS_CACHE
    ? resolve(FASTWEIGHTS_CACHE)
    : join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'fastweights');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * The folder `name` of the cache, made by `fill` unless it is there with the same `stamp`. `fill`
 * works in a temporary folder that gets its name only when complete, and one process at a time.
 *
 * @param {string} name
 * @param {string} stamp what the content depends on, versions for example
 * @param {(folder: string) => Promise<void>} fill
 */
export async function ensureCachedFolder(name, stamp, fill) {
  const folder = join(cacheFolder(), name);
  const isComplete = async () =>
    (await readFile(join(folder, '.complete'), 'utf8').catch(() => '')) === stamp;
  if (await isComplete()) return folder;

  return oneAtATime(name, async () => {
    if (await isComplete()) return folder;
    const partial = `${folder}.partial`;
    await rm(partial, { recursive: true, force: true });
    mkdirSync(partial);
    await fill(partial);
    await writeFile(join(partial, '.complete'), stamp);
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
    return folder;
  });
}

/**
 * Does `work` while nobody else does any under the same name.
 *
 * @template T
 * @param {string} name of a lock: a path, if relative in the cache folder
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function oneAtATime(name, work) {
  const unlock = await lock(resolve(cacheFolder(), `${name}.lock`));
  try {
    return await work();
  } finally {
    unlock();
  }
}

// flock(1) holds the lock for as long as our end of its stdin is open: the kernel lets go of it
// however this process ends.
/** @param {string} file */
async function lock(file) {
  if (!(await exists('/usr/bin/flock'))) return () => {};
  const holder = spawn('flock', ['--exclusive', file, 'sh', '-c', 'echo locked; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = setTimeout(() => {
    process.stderr.write(`waiting for another set-up that holds ${file} ...\n`);
  }, 1000);
  await new Promise((resolve, reject) => {
    holder.stdout.once('data', resolve);
    holder.once('error', reject);
    holder.once('exit', () => reject(new Error(`flock ${file} failed`)));
  });
  clearTimeout(waiting);
  return () => holder.stdin.end();
}

/** @param {string} path */
export async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
