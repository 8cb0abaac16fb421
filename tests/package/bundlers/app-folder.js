// SPDX-License-Identifier: MIT
// An app as its author has it: a folder of its own outside the checkout, with the bundler's packages,
// this package from its tarball, and the app.
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureNpmPackages } from '../../../tools/setup/npm-packages.mjs';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const shared = fileURLToPath(new URL('./app', import.meta.url));
const kBuildLimitMs = 300_000;
const run = promisify(execFile);

// They ask nobody for anything, and take this for neither a test nor a terminal.
const env = {
  ...process.env,
  NODE_ENV: undefined,
  NODE_OPTIONS: undefined,
  JEST_WORKER_ID: undefined,
  BROWSERSLIST_IGNORE_OLD_DATA: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NO_UPDATE_NOTIFIER: '1',
  CI: '1',
};

/** The package as it is published, packed into `folder`. */
export async function packPackage(folder) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: project });
  const [{ filename }] = JSON.parse(stdout);
  return join(folder, filename);
}

/** An app's folder with nothing in it but its packages and, from `tarball`, this one. */
async function makeFolder(packages, tarball) {
  const app = await mkdtemp(join(tmpdir(), 'app-'));
  const modules = join(app, 'node_modules');
  if (packages.length > 0) {
    // By what they are: both of Next's take the same.
    const name = `bundlers/${packages[0].replace(/^@|@[^@]+$/g, '').replace('/', '-')}`;
    await copyTree(await ensureNpmPackages(name, packages, { native: true }), modules);
  }
  const installed = join(modules, 'fastweights');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  return app;
}

/**
 * One of demo/examples, with what its package.json names but for types, which nothing runs.
 *
 * @param {string} name
 * @param {string} tarball
 * @returns {Promise<{ app: string, scripts: Record<string, string[]> }>} what its scripts start
 */
export async function makeExample(name, tarball) {
  const example = join(project, 'demo/examples', name);
  const own = JSON.parse(await readFile(join(example, 'package.json'), 'utf8'));
  const packages = Object.entries({ ...own.dependencies, ...own.devDependencies })
    .filter(([dependency]) => !/^fastweights$|^@types\//.test(dependency))
    .map((entry) => entry.join('@'));
  const app = await makeFolder(packages, tarball);
  await cp(example, app, { recursive: true });
  const scripts = Object.entries(own.scripts ?? {}).map(([key, text]) => [key, text.split(' ')]);
  return { app, scripts: Object.fromEntries(scripts) };
}

/**
 * @param {object} bundler one of the files beside this one
 * @param {string} tarball
 */
export async function makeApp(bundler, tarball) {
  const app = await makeFolder(bundler.packages ?? [], tarball);
  await cp(shared, app, { recursive: true });
  const named = { name: 'app', private: true, type: 'module', ...bundler.package };
  const files = { 'package.json': JSON.stringify(named), ...bundler.files };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(app, path)), { recursive: true });
    await writeFile(join(app, path), text);
  }
  for (const [to, from] of Object.entries(bundler.copies ?? {})) {
    await cp(join(app, from), join(app, to), { recursive: true });
  }
  return app;
}

// By links where the cache is on the same disk: Next has 340 MB.
async function copyTree(from, to) {
  await run('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true });
    await run('cp', ['-a', from, to]);
  });
}

/** What a bundler prints while it builds; an error with it where that fails. */
export async function build(app, [program, ...args]) {
  try {
    const { stdout, stderr } = await run(join(app, 'node_modules/.bin', program), args, {
      cwd: app,
      env,
      timeout: kBuildLimitMs,
      maxBuffer: 2 ** 26,
    });
    return stdout + stderr;
  } catch (error) {
    throw new Error(
      `${program} ${args.join(' ')}: ${error.message}\n${error.stdout}\n${error.stderr}`,
    );
  }
}

/**
 * Runs a server until it is closed.
 *
 * @param {string} app
 * @param {(port: string) => string[]} command
 * @returns {Promise<{ url: string, close(): Promise<void> }>} once it answers
 */
export async function runServer(app, command) {
  const port = String(await freePort());
  const [program, ...args] = command(port);
  // A group of its own, as these start processes that outlive them.
  const child = spawn(join(app, 'node_modules/.bin', program), args, {
    cwd: app,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  let ended = false;
  const end = new Promise((resolve) => {
    child.on('close', () => {
      ended = true;
      resolve();
    });
  });
  const close = async () => {
    if (!ended) process.kill(-child.pid, 'SIGKILL');
    await end;
  };
  const url = `http://127.0.0.1:${port}/`;
  const deadline = Date.now() + kBuildLimitMs;
  for (;;) {
    const answered = await fetch(url).catch(() => undefined);
    if (answered?.ok) return { url, close, output: () => output };
    if (ended || answered?.status >= 500 || Date.now() > deadline) {
      await close();
      throw new Error(
        `${program} ${args.join(' ')} serves nothing: ${answered?.status}\n${output}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
