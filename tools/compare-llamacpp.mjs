#!/usr/bin/env node
// SPDX-License-Identifier: MIT
//
// This package's logits beside llama.cpp's, from the same file and tokens: a second opinion on
// architectures that the goldens of the tests hold to transformers and to their authors' code.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { fastweights, markdown } from './bench/command-line.mjs';
import { shapeNames } from './gguf/families.mjs';
import { RandomStream } from './gguf/random.mjs';
import { ensureLlamaCpp } from './llamacpp/library.mjs';
import { makeModel } from './make-model.mjs';
import { runCommand } from './setup/command.mjs';

const usage = `Logits beside llama.cpp's, from the same file and tokens; the package must have been built.

  node tools/compare-llamacpp.mjs [options] [FILE.gguf ...]

  FILE              without any, small random models of every architecture
  --type TYPE       weights of those  [f32]
  --tokens COUNT    random ones  [100]
  --tolerance X     of the relative root mean square at any position  [1e-4]
  --help

With quantised weights llama.cpp rounds the products' inputs to 8 bits in its own way, for which a
difference of some per cent is none. Of Nemotron-H's time steps it holds none above 0.001, as transformers
and this package do: 5e-3.
`;

const kRun = join(import.meta.dirname, 'llamacpp', 'logits-run.mjs');

/** @type {(file: string) => Promise<Float32Array>} */
async function floatsOf(file) {
  const { buffer, byteOffset, length } = await readFile(file);
  return new Float32Array(buffer.slice(byteOffset, byteOffset + length));
}

/** @type {(found: Float32Array, expected: Float32Array) => number} */
function relativeError(found, expected) {
  const squares = (/** @type {(i: number) => number} */ of) =>
    expected.reduce((sum, _, i) => sum + of(i) ** 2, 0);
  return Math.sqrt(squares((i) => found[i] - expected[i]) / squares((i) => expected[i]));
}

/**
 * @param {string} file
 * @param {number} count tokens
 * @param {string} folder for what both write
 * @param {string} library llama.cpp's
 * @returns {Promise<number>} the largest difference of a position
 */
async function compare(file, count, folder, library) {
  const { memory } = await fastweights(process.execPath, ['inspect', '--model', file]);
  const { vocabSize } = memory;
  const random = new RandomStream('tokens', basename(file));
  const tokens = Array.from(random.uniform(count, 0, vocabSize), Math.floor).join(',');
  const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
  const options = ['--model', file, '--tokens', tokens, '--all', '--output', ours];
  await fastweights(process.execPath, ['logits', ...options]);
  await runCommand(process.execPath, [kRun, library, file, tokens, theirs], { quiet: true });
  const [found, expected] = [await floatsOf(ours), await floatsOf(theirs)];
  const row = (/** @type {Float32Array} */ all, /** @type {number} */ position) =>
    all.subarray(position * vocabSize, (position + 1) * vocabSize);
  if (found.length !== expected.length) return Number.NaN;
  return Math.max(
    ...Array.from({ length: count }, (_, i) => relativeError(row(found, i), row(expected, i))),
  );
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      type: { type: 'string', default: 'f32' },
      tokens: { type: 'string', default: '100' },
      tolerance: { type: 'string', default: '1e-4' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const library = await ensureLlamaCpp();
  const folder = await mkdtemp(join(tmpdir(), 'compare-'));
  try {
    const files = positionals.length > 0 ? positionals : makeModels(values.type, folder);
    const rows = [];
    for (const file of files) {
      const error = await compare(file, Number(values.tokens), folder, library).catch(String);
      rows.push([basename(file), error]);
    }
    process.stdout.write(`${markdown(['file', 'largest difference'], rows)}\n`);
    const agrees = (/** @type {unknown} */ error) => Number(error) <= Number(values.tolerance);
    if (!rows.every(([, error]) => agrees(error))) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @type {(type: string, folder: string) => string[]} */
function makeModels(type, folder) {
  return shapeNames
    .filter((name) => name.startsWith('tiny'))
    .map((shape) => {
      const output = join(folder, `${shape}-${type}.gguf`);
      makeModel({ shape, type, output });
      return output;
    });
}

await main();
