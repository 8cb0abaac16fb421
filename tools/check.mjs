// SPDX-License-Identifier: MIT
//
// npm run check: format, types, includes, imports and docs. The last line is 'N passed, N failed'.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeReference } from './build/docs/reference.mjs';
import { checkImports } from './check-imports.mjs';
import { checkIncludes } from './check-includes.mjs';
import { checkLinks } from './check-links.mjs';
import { runCommand } from './setup/command.mjs';
import { ensureDebianPackages, isDebian } from './setup/debian.mjs';
import { ensureNodeModules, projectFolder } from './setup/node-modules.mjs';
import { twoAtATime } from './test/two-at-a-time.mjs';

const kFolders = ['web', 'tests', 'tools', 'demo'];

/** @param {string} name */
const program = (name) => join(projectFolder, 'node_modules', '.bin', name);
/** @type {(command: string, args: string[]) => Promise<unknown>} */
const run = (command, args) => runCommand(command, args, { cwd: projectFolder, quiet: true });

async function clangFormat() {
  if (await isDebian()) await ensureDebianPackages(['clang-format']);
  const files = [];
  for (const folder of ['cpp', 'tests']) {
    const names = await readdir(join(projectFolder, folder), { recursive: true });
    files.push(...names.filter((name) => /\.(h|cc)$/.test(name)).map((name) => join(folder, name)));
  }
  await run('clang-format', ['--dry-run', '--Werror', ...files]);
}

/** @param {string[]} lines */
async function noneOf(lines) {
  if (lines.length > 0) throw new Error(lines.join('\n'));
}

await ensureNodeModules();
// Not before: these use packages.
const { checkFeatures } = await import('./check-features.mjs');
const { checkRelease } = await import('./check-release.mjs');
const { checkYaml } = await import('./check-yaml.mjs');

/** @type {[name: string, check: () => Promise<unknown>][]} */
const kChecks = [
  ['format of C++', clangFormat],
  [
    'format and lint of TypeScript and JavaScript',
    () => run(program('biome'), ['ci', ...kFolders]),
  ],
  ['types', () => run(program('tsc'), ['--noEmit'])],
  ['types of the demo', () => run(program('tsc'), ['-p', 'demo'])],
  ['types of the tools', () => run(program('tsc'), ['-p', 'tools'])],
  ["types of others' interfaces", () => run(program('tsc'), ['-p', 'tests/types'])],
  ['includes', async () => noneOf(await checkIncludes())],
  ['imports', async () => noneOf(await checkImports())],
  ['links in the documents', async () => noneOf(await checkLinks())],
  ['what the documents say of interfaces', async () => noneOf(await checkFeatures())],
  ['versions', async () => noneOf(await checkRelease())],
  ['workflows and forms', async () => noneOf(await checkYaml())],
  ['docs', makeReference],
];

let failed = 0;
await twoAtATime(
  kChecks,
  () => false,
  async ([name, check]) => {
    try {
      await check();
      process.stdout.write(`ok    ${name}\n`);
    } catch (error) {
      failed += 1;
      process.stdout.write(`FAIL  ${name}\n${error instanceof Error ? error.message : error}\n`);
    }
  },
);
process.stdout.write(`\n${kChecks.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
