// SPDX-License-Identifier: MIT
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkImports } from '../../tools/check-imports.mjs';

let folder;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'imports-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function check(files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return checkImports(folder);
}

test('the package has neither a circle nor a forbidden import', async () => {
  expect(await checkImports()).toEqual([]);
});

test.each([
  ['values', "import { b } from './b.js';\n", "export { a } from './a.js';\n"],
  ['types', "import type { b } from './b.js';\n", "import type {\n  a,\n} from './a.js';\n"],
  ['later imports', "import './b.js';\n", "const { a } = await import('./a.js');\n"],
])('a circle of %s is refused', async (_, a, b) => {
  const found = await check({ 'text/a.ts': a, 'text/b.ts': b });
  expect(found).toEqual(['import circle: text/a.ts -> text/b.ts -> text/a.ts']);
});

test('a room imports what it may, and nothing else', async () => {
  const found = await check({
    'errors.ts': '',
    'gguf/header.ts': "import { ModelError } from '../errors.js';\n",
    'engine/engine.ts': "import { readHeader } from '../gguf/header.js';\n",
    'storage/opfs.ts': "import type { Engine } from '../engine/engine.js';\n",
    'text/tokenizer.ts': "import { gone } from './gone.js';\n",
  });
  expect(found.sort()).toEqual([
    'storage/opfs.ts imports engine/engine.ts, but storage may not use engine',
    'text/tokenizer.ts imports text/gone.ts, which does not exist',
  ]);
});
