// SPDX-License-Identifier: MIT
//
// The programs that WebKitGTK needs beside it, each ended with this process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const kPatienceMs = 20_000;

/**
 * A virtual display.
 *
 * @param {string} program
 * @returns {Promise<{ name: string, end(): Promise<void> }>}
 */
export async function startDisplay(program) {
  // It takes a free number and writes it to the file that it is told.
  const args = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const { child, end } = start(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = await Promise.race([
    once(/** @type {import('node:stream').Readable} */ (child.stdio[3]), 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${program} ended`))),
  ]);
  return { name: `:${String(number).trim()}`, end };
}

/**
 * A driver that answers.
 *
 * @param {string} program
 * @param {Record<string, string>} env
 * @returns {Promise<{ url: string, end(): Promise<void> }>}
 */
export async function startDriver(program, env) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { child, end } = start(program, [`--port=${port}`], {
    // As root there is no sandbox, and no graphics processor here.
    env: {
      ...process.env,
      ...env,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
    stdio: 'ignore',
  });
  const last = Date.now() + kPatienceMs;
  while (!(await fetch(`${url}/status`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || Date.now() > last) throw new Error(`${program} does not answer`);
    await pause(20);
  }
  return { url, end };
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
function start(program, args, options) {
  const child = spawn(program, args, options);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  return {
    child,
    async end() {
      process.off('exit', kill);
      child.kill();
      const timer = setTimeout(kill, 2000);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
