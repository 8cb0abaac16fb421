// SPDX-License-Identifier: MIT
//
// Writes llama-cpp.gguf, .json and .bin beside this file: a random model with a block for multi-token
// prediction, a text, and the block's logits by llama.cpp. Run by hand, with git and a C++ compiler:
//
//   node tests/golden/guesses/llama-cpp.mjs

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { RandomStream } from '../../../tools/gguf/random.mjs';
import { ensureLlamaCpp } from '../../../tools/llamacpp/library.mjs';
import { makeModel } from '../../../tools/make-model.mjs';
import { runCommand } from '../../../tools/setup/command.mjs';

const kTokens = 48;
const kShape = {
  ...{ base: 'tiny', mtp: true, layers: 2, fullAttentionInterval: 2 },
  ...{ vocab: 320, feedForwardDim: 96 },
};

const here = import.meta.dirname;
const output = join(here, 'llama-cpp.gguf');
makeModel({ shape: kShape, type: 'f32', output });
const random = new RandomStream('tokens', 'llama-cpp');
const ids = Array.from(random.uniform(kTokens, 0, kShape.vocab), Math.floor);
await writeFile(join(here, 'llama-cpp.json'), `[${JSON.stringify({ ids }).replace(':', ': ')}]\n`);

// node-llama-cpp has its sources as a bundle of git's, and the library apart from itself.
const package_ = dirname(dirname(fileURLToPath(await ensureLlamaCpp())));
const platform = `linux-${process.arch}`;
const libraries = join(package_, '..', '@node-llama-cpp', platform, 'bins', platform);
const folder = await mkdtemp(join(tmpdir(), 'llama-cpp-'));
try {
  const sources = join(folder, 'sources');
  const bundle = join(package_, 'llama', 'gitRelease.bundle');
  await runCommand('git', ['clone', bundle, sources], { quiet: true });
  const headers = ['include', 'ggml/include', 'src'].map((name) => `-I${join(sources, name)}`);
  const linked = ['libllama.v0.5.0.so', 'libggml.v0.5.0.so', 'libggml-base.so'];
  const program = join(folder, 'llama-cpp');
  await runCommand('c++', [
    ...['-std=c++17', '-O1', ...headers, join(here, 'llama-cpp.cc'), '-o', program],
    ...[`-L${libraries}`, ...linked.map((name) => `-l:${name}`)],
    ...[`-Wl,-rpath,${libraries}`, '-Wl,--allow-shlib-undefined'],
  ]);
  const logits = join(here, 'llama-cpp.bin');
  await runCommand(program, [libraries, output, ids.join(), logits], { quiet: true });
} finally {
  await rm(folder, { recursive: true, force: true });
}
