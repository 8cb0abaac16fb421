// SPDX-License-Identifier: MIT
// What readers copy from README.md and docs: every block is compiled, and run with the embedded model in
// the place of the files and addresses that it names, unless a comment before it says why not.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { allBlocks, blocksOf, fileOf, NO_CODE, PARSED, project, RUN, scriptsOf } from './blocks.js';
import { moduleOf, syntaxErrors, typeErrors } from './compile.js';
import { moveIn, run, runModules } from './user.js';

jest.setTimeout(120_000);

// Of a package that is not installed here there are no types.
const ANOTHERS = /^another package's/;

const blocks = allBlocks();
const of = (...languages) => blocks.filter(({ language }) => languages.includes(language));
const named = (some) => some.map((block) => [block.name, block]);
const isRun = ({ reason }) => reason === undefined;

const compiled = of(...RUN).filter(({ language }) => language !== 'sh');
const modules = compiled.filter(isRun);
const moduleAt = (block) => fileOf(block).path.replace(/\.[a-z]+$/, '.js');

// Within the package, so that its name means itself.
mkdirSync(join(project, 'build'), { recursive: true });
const folder = mkdtempSync(join(project, 'build', 'docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

let wrong;
let outcomes;
beforeAll(async () => {
  const write = moveIn(folder);
  for (const block of compiled) {
    const { path, text } = fileOf(block);
    write(`types/${path}`, text);
    // Where a page's server has its models, there is a path here.
    const code = moduleOf(path, text).replaceAll("'/models/", `'${folder}/`);
    write(`run/${moduleAt(block)}`, code);
  }
  const running = runModules(folder, modules.map(moduleAt));
  const own = compiled.filter(({ reason }) => !ANOTHERS.test(reason));
  const paths = own.map((block) => fileOf(block).path);
  wrong = typeErrors(join(folder, 'types'), paths);
  outcomes = await running;
}, 300_000);

test('every block is of a language that is known, and those that are not run say why', () => {
  const known = [...RUN, ...PARSED, ...NO_CODE];
  expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
  const left = blocks.filter(({ reason }) => reason !== undefined);
  expect(left.filter(({ reason }) => reason.length < 10)).toEqual([]);
  expect(modules.length).toBeGreaterThan(2 * left.length);
});

test('a fence without a language is no block that is known', () => {
  const text = '<!-- not run: it is a test -->\n```js\nx\n```\n\n```\ny\n```\n';
  expect(blocksOf('a.md', text)).toMatchObject([
    { name: 'a.md:2', language: 'js', reason: 'it is a test', code: 'x\n' },
    { name: 'a.md:6', language: '', reason: undefined, code: 'y\n' },
  ]);
});

test.each(named(compiled))('%s compiles', (_, block) => {
  const { path, text } = fileOf(block);
  expect(syntaxErrors(path, text)).toEqual([]);
  expect(wrong.get(path)).toBeUndefined();
});

test.each(named(modules))('%s runs', (_, block) => {
  const outcome = outcomes.get(moduleAt(block));
  expect(outcome).toBeDefined();
  expect(outcome.error).toBeUndefined();
});

test.each(named(of('json')))('%s is JSON', (_, { code }) => {
  expect(Object.keys(JSON.parse(code)).length).toBeGreaterThan(0);
});

test.each(named(of('html')))('%s has an import map that finds the package', (_, { code }) => {
  const [map] = scriptsOf(code).maps.map((text) => JSON.parse(text));
  const { exports } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  expect(map.imports.fastweights).toBe(`/node_modules/fastweights${exports['.'].default.slice(1)}`);
});

test.each(named(of('sh').filter(isRun)))('%s runs in a shell', async (_, { code }) => {
  const { code: status, stderr } = await run(folder, 'sh', ['-eu', '-c', code]);
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
});
