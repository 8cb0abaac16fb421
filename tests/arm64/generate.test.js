// SPDX-License-Identifier: MIT
// The package in Node on ARM64: what it writes there.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { ensureArm64Node } from '../../tools/setup/arm64.mjs';
import { kSmallModel } from '../../tools/setup/embedded-model.mjs';
import { ensureNode24 } from '../../tools/setup/node24.mjs';

jest.setTimeout(300_000);

const local = (path) => fileURLToPath(new URL(path, import.meta.url));
const CLI = local('../../dist/cli.js');

/** What a Node writes with a build, greedily, so that one wrong bit of a logit may show. */
function story([program, ...args], build, more = []) {
  const words = ['generate', '--model', kSmallModel, '--prompt', 'Once upon a time', '--json'];
  const options = ['--build', build, '--temperature', '0', '--max-tokens', '48', ...more];
  return new Promise((resolve, reject) => {
    execFile(program, [...args, CLI, ...words, ...options], (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(JSON.parse(stdout));
    });
  });
}

const NODES = [
  [24, 'no dot'],
  [26, 'dot'],
];

describe.each(NODES)('Node %i on a processor with "%s"', (major, processor) => {
  test.each(['simd128', 'relaxed'])('writes by %s what it writes here', async (build) => {
    const there = await story(await ensureArm64Node(major, processor), build);
    const here = await story([await ensureNode24()], build);
    expect(there.build).toBe(build);
    expect(there.tokens.length).toBe(48);
    expect(there.text).toBe(here.text);
  });
});

test('two threads write there what one writes', async () => {
  const node = await ensureArm64Node(26, 'dot');
  const [one, two] = await Promise.all([
    story(node, 'relaxed', ['--threads', '1']),
    story(node, 'relaxed', ['--threads', '2']),
  ]);
  expect(two.tokens).toEqual(one.tokens);
});
