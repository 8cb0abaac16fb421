// SPDX-License-Identifier: MIT
// The blocks as files of somebody who uses the package, and programs that run them there.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kEmbeddedModel, kEmbeddedName } from '../../tools/setup/embedded-model.mjs';
import { editModel } from '../api/edit-model.js';
import { project } from './blocks.js';

// Texts come to an end soon: what has no limit is cut where the file's context ends.
const SHORT = { 'qwen35.context_length': ['uint32', 120] };
const NPX = `#!/bin/sh
[ "$1" = fastweights ] || exit 1
shift
exec "${process.execPath}" "${join(project, 'dist/cli.js')}" "$@"
`;

/** A folder with the embedded model, a text, the package's command, and agents' packages as one. */
export function moveIn(folder) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  // What `@openai/agents` is: its two parts, which are here.
  const agents = 'node_modules/@openai/agents';
  const text = "export * from '@openai/agents-core';\nexport * from '@openai/agents-openai';\n";
  const own = { name: '@openai/agents', type: 'module', main: 'index.js', types: 'index.d.ts' };
  write(`${agents}/package.json`, JSON.stringify(own));
  for (const file of ['index.js', 'index.d.ts']) write(`${agents}/${file}`, text);
  write('text.txt', 'Once upon a time, there was a little fox who loved berries. '.repeat(20));
  write('bin/npx', NPX);
  chmodSync(join(folder, 'bin/npx'), 0o755);
  write(kEmbeddedName, editModel(readFileSync(kEmbeddedModel), { set: SHORT }));
  return write;
}

/** Runs a program there; its code, and what it said. */
export const run = (folder, program, args) =>
  new Promise((resolve) => {
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
    const options = { cwd: folder, env, maxBuffer: 2 ** 26 };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr }),
    );
  });

/** What came of each module, by its path. */
export async function runModules(folder, paths) {
  const runner = join(project, 'tests/docs/runner.js');
  const found = await run(folder, process.execPath, [runner, join(folder, 'run'), ...paths]);
  const lines = found.stdout.split('\n').filter(Boolean);
  const outcomes = new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.name, one]));
  const next = paths.find((path) => !outcomes.has(path));
  if (next) outcomes.set(next, { error: `the process ended: ${found.code}\n${found.stderr}` });
  return outcomes;
}
