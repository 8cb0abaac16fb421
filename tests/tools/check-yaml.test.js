// SPDX-License-Identifier: MIT
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkYaml } from '../../tools/check-yaml.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'check-yaml-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is found once one file says something else. */
async function found(path, change) {
  const copy = mkdtempSync(join(folder, 'copy-'));
  mkdirSync(join(copy, '.github'));
  for (const name of ['.github', 'CITATION.cff', 'package.json']) {
    cpSync(join(project, name), join(copy, name), { recursive: true });
  }
  if (path) {
    const text = readFileSync(join(copy, path), 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(join(copy, path), change(text));
  }
  return checkYaml(copy);
}

const pages = '.github/workflows/pages.yml';
const bug = '.github/ISSUE_TEMPLATE/bug.yml';

test.each([
  ['nothing in what there is', undefined, undefined, []],
  [
    'a file that does not parse',
    pages,
    (text) => `${text}  - [`,
    [expect.stringMatching(/pages\.yml: .* at line 46/)],
  ],
  [
    'a script that is none',
    pages,
    (text) => text.replace('npm run build', 'npm run bulid'),
    [`${pages}: build: npm run bulid is no script`],
  ],
  [
    'an action without a version',
    pages,
    (text) => text.replace('deploy-pages@v4', 'deploy-pages'),
    [`${pages}: actions/deploy-pages names no version`],
  ],
  [
    'a job that waits for none',
    pages,
    (text) => text.replace('needs: build', 'needs: biuld'),
    [`${pages}: deploy needs a job that is not there`],
  ],
  [
    'a field without a label',
    bug,
    (text) => text.replace('label: Model\n', 'lable: Model\n'),
    [`${bug}: model has no label`],
  ],
  [
    'two fields of one name',
    bug,
    (text) => text.replace('id: engine', 'id: version'),
    [`${bug}: 'version' is no name of its own`],
  ],
  [
    'a citation without a date',
    'CITATION.cff',
    (text) => text.replace(/^date-released.*\n/m, ''),
    ['CITATION.cff: it has no date-released'],
  ],
])('finds %s', async (_, path, change, faults) => {
  expect(await found(path, change)).toEqual(faults);
});
