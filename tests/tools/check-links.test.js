// SPDX-License-Identifier: MIT
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkLinks } from '../../tools/check-links.mjs';

const root = mkdtempSync(join(tmpdir(), 'links-'));
afterAll(() => rmSync(root, { recursive: true }));

const write = (path, text) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

test('links, headings, scripts and the index of guides are looked at', async () => {
  write('package.json', '{"scripts":{"build":"true"}}');
  for (const name of ['ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG', 'SECURITY']) {
    write(`${name}.md`, `# ${name}\n`);
  }
  write('demo/models/README.md', '# Model\n');
  write('tests/models/README.md', '# Model\n');
  write('demo/examples/extension/README.md', '# Extension\n');
  write('README.md', '[a](docs/a.md#weights-as-in-the-file-or-smaller) `npm run build`\n');
  write('docs/README.md', '[a](a.md) [up](../README.md)\n');
  write('docs/a.md', '# A\n\n## Weights: as in the file, or smaller\n\n```js\n[x](y)\n# no\n```\n');
  expect(await checkLinks(root)).toEqual([]);

  write('README.md', '[a](docs/a.md#no) [b](docs/b.md) [c](#c) `npm run other`\n');
  write('docs/c.md', '# C\n');
  expect(await checkLinks(root)).toEqual([
    'README.md links to docs/a.md#no, but docs/a.md has no such heading',
    'README.md links to docs/b.md, which is not there',
    'README.md links to #c, but README.md has no such heading',
    'README.md names npm run other, which is no script',
    'docs/README.md does not link to docs/c.md',
  ]);
});
