// SPDX-License-Identifier: MIT

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { projectFolder } from '../../tools/setup/node-modules.mjs';

/** @type {(name: string, ...words: string[]) => { status: number | null, stdout: string, stderr: string }} */
const run = (name, ...words) =>
  spawnSync(process.execPath, [join(projectFolder, 'tools', `${name}.mjs`), ...words], {
    encoding: 'utf8',
  });

const kScripts = [
  ['start', 'npm start'],
  ['build', 'npm run build'],
  ['test', 'npm test'],
  ['bench', 'npm run bench'],
  ['fuzz', 'npm run fuzz'],
];

test.each(kScripts)('%s says how it is called, and does nothing else', (name, command) => {
  const { status, stdout, stderr } = run(name, '--help');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.startsWith(command)).toBe(true);
});

test.each([
  ['start', '--prot', "Unknown option '--prot'"],
  ['build', 'wasm', 'Unexpected argument'],
  ['test', 'nothing-known', 'no suite is called nothing-known: native, '],
  ['bench', 'nothing-known', "there is no benchmark 'nothing-known'"],
  ['fuzz', 'nothing-known', 'no target is called nothing-known: '],
])('%s does not take %s, and says what it takes', (name, word, message) => {
  const { status, stdout, stderr } = run(name, word);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr.startsWith(message)).toBe(true);
  expect(stderr).toContain(`\n\nnpm `);
});
