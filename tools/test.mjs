// SPDX-License-Identifier: MIT
//
// npm test: everything, from nothing. Words after `--` pick suites by the start of their names
// (npm test -- api browser); `--slow` adds what takes minutes. The last line is 'N passed, N failed'.

import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { build } from './build.mjs';
import { endWith, optionsOf } from './options.mjs';
import { kSuites } from './test/suites.mjs';
import { twoAtATime } from './test/two-at-a-time.mjs';

// The longest takes 8 minutes, and 15 where all that it needs is downloaded and compiled first.
const kSuiteLimitMs = 40 * 60_000;

const { values, positionals: wanted } = optionsOf(import.meta.filename, {
  options: { slow: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const suites = kSuites.filter(
  ([name, , needs]) =>
    (values.slow || !needs?.slow) &&
    (wanted.length === 0 || wanted.some((word) => name.startsWith(word))),
);
if (suites.length === 0) {
  const known = kSuites.map(([name]) => name).join(', ');
  endWith(import.meta.filename, `no suite is called ${wanted.join(', ')}: ${known}`);
}

// Suites are no part of the terminal's process group; they end with this one.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

await build();
/** @typedef {import('./test/suites.mjs').Counts & { output: string, seconds: number }} Result */

/** @type {Map<string, Result>} */
const results = new Map();
await twoAtATime(
  suites,
  ([, , needs]) => needs?.alone ?? false,
  async ([name]) => {
    if (suites.length > 1) process.stderr.write(`${name} ...\n`);
    const result = await runSuite(name);
    results.set(name, result);
    if (suites.length > 1) process.stdout.write(`\n==== ${name}\n${result.output}\n`);
  },
);

const total = { passed: 0, failed: 0 };
process.stdout.write('\n');
for (const [name] of suites) {
  const { passed, failed, seconds } = /** @type {Result} */ (results.get(name));
  total.passed += passed;
  total.failed += failed;
  process.stdout.write(`${name}: ${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s\n`);
}
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

// In a process group of its own: what two suites print does not mix, one that dies ends only itself,
// and one that hangs is ended with all that it started. What a single one prints is shown as it comes.
/** @type {(name: string) => Promise<Result>} */
function runSuite(name) {
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'test', 'run-suite.mjs'), name],
    {
      env: { ...process.env, FASTWEIGHTS_SLOW: values.slow ? '1' : '' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const end = () => process.kill(-Number(child.pid), 'SIGKILL');
  process.once('exit', end);
  let output = '';
  const limit = setTimeout(() => {
    output += `\n${name} was ended after ${kSuiteLimitMs / 60_000} minutes\n`;
    end();
    // Browsers are in groups of their own, and may hold these.
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  }, kSuiteLimitMs);
  for (const stream of /** @type {const} */ (['stdout', 'stderr'])) {
    child[stream].setEncoding('utf8').on('data', (text) => {
      output += text;
      if (suites.length === 1) process[stream].write(text);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      process.off('exit', end);
      const counts = code === 0 && [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
      const [passed, failed] = counts ? counts.slice(1).map(Number) : [0, 1];
      resolve({ passed, failed, output, seconds: (performance.now() - start) / 1000 });
    });
  });
}
