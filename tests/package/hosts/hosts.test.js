// SPDX-License-Identifier: MIT
// The packed package in an empty folder, on everything that runs JavaScript without a page. What
// docs/hosts.md says in its table.
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { kSmallModel } from '../../../tools/setup/embedded-model.mjs';
import { ensureHost } from '../../../tools/setup/hosts.mjs';

jest.setTimeout(120_000);

const project = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
const user = join(folder, 'user');
const installed = join(user, 'node_modules/fastweights');
afterAll(() => rmSync(folder, { recursive: true }));

const kCommand = [join(installed, 'dist/cli.js')];
const kDeno = ['run', '--no-prompt', '--allow-read'];

// How each starts a program and the package's command, what build runs by default, whether it has
// workers, what comes of keeping a session there, and whose sums of the relaxed build it has: V8's are rounded once where the processor can,
// JavaScriptCore's, as those of the other build, after each product.
const node = {
  ...{ run: [], command: kCommand, build: 'relaxed', workers: false, sums: 'V8' },
  kept: 'ModelError: cache_unavailable',
};
const kHosts = {
  'Node 20': { ...node, build: 'simd128' },
  'Node 22': node,
  'Node 24': node,
  'Node 26': node,
  'Deno 2': {
    ...node,
    ...{ run: kDeno, command: [...kDeno, 'npm:fastweights'], workers: true, kept: 4 },
  },
  'Bun 1': { ...node, command: ['x', '--bun', 'fastweights'], workers: true, sums: 'plain' },
};

const env = { ...process.env, NO_COLOR: '1', DENO_DIR: join(folder, 'deno') };
Object.assign(env, { DENO_NO_UPDATE_CHECK: '1', NODE_OPTIONS: '', NODE_NO_WARNINGS: undefined });

function run(program, args) {
  return new Promise((resolve) => {
    const options = { cwd: user, env, encoding: 'utf8', timeout: 60_000 };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr });
    });
  });
}

async function must(program, args) {
  const { code, stdout, stderr } = await run(program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

const programs = {};
beforeAll(async () => {
  mkdirSync(user);
  const [tarball] = await Promise.all([
    must('npm', ['pack', '--silent', '--pack-destination', folder, project]),
    ...Object.keys(kHosts).map(async (name) => {
      programs[name] = await ensureHost(name);
    }),
  ]);
  const dependencies = { fastweights: `file:../${tarball.trim()}` };
  const own = { name: 'user', private: true, type: 'module', dependencies };
  writeFileSync(join(user, 'package.json'), JSON.stringify(own));
  await must('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts']);
  for (const path of ['tests/package/hosts/program.mjs', 'demo/examples/node/write.mjs']) {
    copyFileSync(join(project, path), join(user, basename(path)));
  }
}, 300_000);

/** What the program says of each load. */
async function loads(name, options) {
  const args = ['program.mjs', kSmallModel, JSON.stringify(options)];
  return JSON.parse(await must(programs[name], [...kHosts[name].run, ...args]));
}

const texts = ({ text, next }) => ({ text, next });
const kSimd128 = { wasm: { build: 'simd128' } };
let expected;
beforeAll(async () => {
  const { results } = await loads('Node 24', [kSimd128, { wasm: { build: 'relaxed' } }]);
  const [plain, v8] = results.map(texts);
  expect(plain.text.length).toBeGreaterThan(60);
  expected = { plain, V8: v8 };
});

describe.each(Object.entries(kHosts))('%s', (name, { command, build, workers, kept, sums }) => {
  test('writes, saves, restores, with threads and without, and ends by itself', async () => {
    const options = [
      { ...kSimd128, threads: 1 },
      { ...kSimd128, threads: 2 },
    ];
    options.push({ threads: 1 }, { threads: 2 });
    const { results, missing, architecture, tensors } = await loads(name, options);
    expect(results.map((result) => result.error)).toEqual(options.map(() => undefined));
    expect(results.map(({ threads }) => threads)).toEqual([1, 2, 1, 2]);
    expect(results.map((result) => result.build)).toEqual(['simd128', 'simd128', build, build]);
    const own = build === 'relaxed' ? expected[sums] : expected.plain;
    expect(results.map(texts)).toEqual([expected.plain, expected.plain, own, own]);
    for (const { next, again } of results) expect(again).toBe(next);
    expect(results.map((result) => result.kept)).toEqual(options.map(() => kept));
    expect(missing).toEqual(['ModelError', 'not_found']);
    expect({ architecture, tensors }).toEqual({ architecture: 'qwen35', tensors: 129 });
  });

  test(workers ? 'runs in a worker where asked to' : 'says that it has no workers', async () => {
    const options = [{ ...kSimd128, worker: true, threads: 2 }];
    const { results } = await loads(name, options);
    if (workers) expect(results.map(texts)).toEqual([expected.plain]);
    else expect(results[0].error).toBe('TypeError: worker: this environment has no Worker');
  });

  test('has the command', async () => {
    const ask = async (...args) => {
      const given = [...args, '--model', kSmallModel, '--json'];
      return JSON.parse(await must(programs[name], [...command, ...given]));
    };
    expect((await ask('inspect')).architecture).toBe('qwen35');
    const how = ['--prompt', 'Once upon a time', '--seed', '3', '--max-tokens', '60'];
    const { text, threads } = await ask('generate', ...how, '--build', 'simd128', '--threads', '2');
    expect(text).toBe(expected.plain.text);
    expect(threads).toBe(2);
  });
});

/** What an example of demo/examples prints; an interrupt is sent once `isEnough` says so of its answer. */
async function runExample(name, args, isEnough = () => false) {
  const given = [...kHosts[name].run, 'write.mjs', ...args];
  const child = spawn(programs[name], given, { cwd: user, env });
  const said = { stdout: '', stderr: '' };
  let interrupted = false;
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', (text) => {
      said[stream] += text;
      // A second one would end it at once.
      if (!interrupted && isEnough(said.stdout)) interrupted = child.kill('SIGINT');
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, ...said };
}

describe.each(Object.keys(kHosts))('the example, on %s,', (name) => {
  const asked = [kSmallModel, ...'Write a story about a fox named Lily.'.split(' ')];

  test('writes its answer on stdout, and the rest beside it', async () => {
    const { code, stdout, stderr } = await runExample(name, asked);
    expect(stderr).toMatch(/ MB \(100 %\)\n\d+ tokens, \d+ a second\n$/);
    expect(stdout).toMatch(/Lily/);
    expect(code).toBe(0);
  });

  test('ends at an interrupt', async () => {
    const { code, stderr } = await runExample(name, asked, (answer) => answer.length > 40);
    expect(stderr).toMatch(/\nStopped\.\n$/);
    expect(code).toBe(130);
  });
});

test('the example says what is wrong', async () => {
  const missing = await runExample('Node 24', ['missing.gguf', 'Hi']);
  expect(missing.stderr).toMatch(/ModelError \(not_found\): .*missing\.gguf/);
  expect(missing.code).toBe(1);
  const nothing = await runExample('Node 24', []);
  expect(nothing.stderr).toBe('\nTypeError: write.mjs MODEL QUESTION...\n');
});

test('Deno without permission to read is told which one it lacks', async () => {
  const args = ['run', '--no-prompt', 'program.mjs', kSmallModel, '[]'];
  const { code, stderr } = await run(programs['Deno 2'], args);
  expect(code).toBe(1);
  expect(stderr).toMatch(/ModelError: .*story-17m-q8_0.gguf: cannot be read .*--allow-read/);
});
