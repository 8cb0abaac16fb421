// SPDX-License-Identifier: MIT
//
// Who may include whom (ARCHITECTURE.md): a module's allowed modules, and the one home of each
// outside header.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from './setup/node-modules.mjs';

/** @type {Record<string, string[]>} */
const kAllowed = {
  base: [],
  kernels: ['base'],
  formats: ['base', 'kernels'],
  mixers: ['base', 'kernels', 'formats'],
  memory: ['base', 'kernels'],
  architectures: ['base'],
  runtime: ['base', 'kernels', 'formats', 'mixers', 'architectures'],
  bindings: ['base', 'kernels', 'formats', 'memory', 'runtime'],
};

/** @type {[header: RegExp, home: string][]} */
const kHomes = [
  [/^wasm_simd128\.h$/, 'kernels/simd/'],
  [/^xnnpack\.h$/, 'formats/xnnpack.cc'],
  [/^emscripten\//, 'bindings/'],
];

/** @returns {Promise<string[]>} one line per include that breaks a rule */
export async function checkIncludes() {
  const cpp = join(projectFolder, 'cpp');
  const files = await readdir(cpp, { recursive: true });
  const broken = [];
  for (const file of files.filter((name) => /\.(h|cc|inc)$/.test(name))) {
    const text = await readFile(join(cpp, file), 'utf8');
    for (const [, bracket, header] of text.matchAll(/^#include ([<"])([^>"]+)[>"]/gm)) {
      const home = kHomes.find(([pattern]) => pattern.test(header))?.[1];
      if (home && !file.startsWith(home))
        broken.push(`${file} includes ${header}, which is ${home}'s alone`);
      const [from] = file.split('/');
      const [to] = header.split('/');
      if (bracket === '"' && to !== from && !kAllowed[from].includes(to)) {
        broken.push(`${file} includes ${header}, but ${from} may not use ${to}`);
      }
    }
  }
  return broken;
}
