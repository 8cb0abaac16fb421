// SPDX-License-Identifier: MIT
//
// Who may import whom in web/ (ARCHITECTURE.md): a room's allowed rooms, and no circle of files,
// whether values or only types are imported.

import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

import { projectFolder } from './setup/node-modules.mjs';

// Files beside the rooms that every room may import; the others there are what users import.
const kBase = new Set([
  ...['errors.ts', 'abort.ts', 'async-iterable.ts', 'disposal.ts', 'node.ts', 'option-names.ts'],
  'uri.ts',
]);

/** @type {Record<string, string[]>} */
const kAllowed = {
  base: [],
  gguf: ['base'],
  templates: ['base'],
  text: ['base', 'gguf', 'templates'],
  constraints: ['base', 'text'],
  tools: ['base', 'text', 'constraints'],
  options: ['base', 'constraints'],
  storage: ['base'],
  sources: ['base', 'gguf', 'storage'],
  checkpoints: ['base', 'gguf', 'text', 'storage', 'sources'],
  wasm: ['base', 'options'],
  engine: [
    ...['base', 'options', 'gguf', 'text', 'constraints', 'storage', 'sources', 'checkpoints'],
    ...['tools', 'wasm'],
  ],
  memory: ['base', 'options', 'storage', 'wasm'],
  worker: ['base', 'options', 'storage', 'sources', 'wasm', 'engine'],
  front: [
    ...['base', 'options', 'gguf', 'text', 'constraints', 'storage', 'sources', 'wasm'],
    ...['checkpoints', 'engine', 'memory', 'tools', 'worker'],
  ],
  adapters: ['base', 'options', 'constraints', 'text', 'engine', 'front'],
  cli: ['base', 'options', 'gguf', 'wasm', 'engine', 'front'],
};

/** @typedef {Map<string, string[]>} Imports of each file */

/** @returns {Promise<string[]>} one line per import, or circle of imports, that breaks a rule */
export async function checkImports(folder = join(projectFolder, 'web')) {
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.ts$/.test(name));
  /** @type {Imports} */
  const imports = new Map();
  for (const file of files) {
    imports.set(file, importsOf(file, await readFile(join(folder, file), 'utf8')));
  }
  return [...forbidden(imports), ...circles(imports)];
}

// By `import … from`, `export … from`, `import(…)` and plain `import`.
/** @type {(file: string, text: string) => string[]} */
function importsOf(file, text) {
  const kImport = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)\.js'/g;
  return [...text.matchAll(kImport)].map(
    ([, path]) => `${normalize(join(dirname(file), path))}.ts`,
  );
}

/** @param {string} file */
function roomOf(file) {
  const [room, inside] = file.split('/');
  if (inside !== undefined) return room;
  if (kBase.has(file)) return 'base';
  return file === 'options.ts' ? 'options' : 'front';
}

/** @param {Imports} imports */
function forbidden(imports) {
  return [...imports].flatMap(([file, others]) => {
    const from = roomOf(file);
    return others.flatMap((other) => {
      const to = roomOf(other);
      if (!imports.has(other)) return [`${file} imports ${other}, which does not exist`];
      if (from === to || kAllowed[from]?.includes(to)) return [];
      return [`${file} imports ${other}, but ${from} may not use ${to}`];
    });
  });
}

// Depth first: a file that is met again on the way to it closes a circle.
/** @param {Imports} imports */
function circles(imports) {
  /** @type {Set<string>} */
  const done = new Set();
  /** @type {string[]} */
  const way = [];
  /** @type {string[]} */
  const found = [];
  /** @param {string} file */
  const visit = (file) => {
    if (done.has(file)) return;
    const at = way.indexOf(file);
    if (at >= 0) {
      found.push(`import circle: ${[...way.slice(at), file].join(' -> ')}`);
      return;
    }
    way.push(file);
    for (const other of imports.get(file) ?? []) visit(other);
    way.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return found;
}
