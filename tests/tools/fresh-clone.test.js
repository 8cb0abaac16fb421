// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { projectFolder } from '../../tools/setup/node-modules.mjs';

// `import … from '…'`, `export … from '…'` and `import '…'`, which are followed before a line runs.
const kStaticImport = /^(?:import|export)\s(?:[^'"();]*?from\s*)?'([^']+)'/gm;

/** @type {(file: string, seen?: Set<string>) => string[]} `file imports package`, for each */
function packagesBehind(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  return [...readFileSync(file, 'utf8').matchAll(kStaticImport)].flatMap(([, name]) => {
    if (name.startsWith('node:')) return [];
    if (name.startsWith('.')) return packagesBehind(join(dirname(file), name), seen);
    return [`${file} imports ${name}`];
  });
}

const tool = (/** @type {string} */ name) => join(projectFolder, 'tools', `${name}.mjs`);

test.each(['start', 'build', 'test', 'check', 'bench', 'fuzz'])(
  'npm run %s in a fresh clone asks for no package before all are installed',
  (name) => {
    expect(packagesBehind(tool(name))).toEqual([]);
  },
);

test('a package that is asked for is found', () => {
  expect(packagesBehind(tool('check-features'))).toEqual([
    `${tool('check-features')} imports typescript`,
  ]);
});
