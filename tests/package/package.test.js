// SPDX-License-Identifier: MIT
// The package as its users get it: packed, installed offline in an empty folder, and used there.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { jest } from '@jest/globals';
import { kAdapters } from '../../tools/build/bundle.mjs';
import { kBuilds } from '../../tools/build/wasm.mjs';
import { kSmallModel } from '../../tools/setup/embedded-model.mjs';
import { ensureNpmPackages } from '../../tools/setup/npm-packages.mjs';

jest.setTimeout(120_000);

// Bytes after brotli: one .wasm file; the JavaScript that loads a model, in a worker or in the page,
// and completes text, with one glue and, where there are threads, their script; what is added by a
// chat, by a checkpoint, by tokenizers of other kinds than byte-level BPE, by caching or verifying a file,
// and by a constraint and its regular expressions.
const WASM_LIMIT = 350_000;
const JS_LIMIT = 52_000;
const JS_LIMIT_WITH_THREADS = 55_000;
const SERVICE_WORKER_LIMIT = 166_400;
const LAZY_LIMITS = {
  'chat-template': 21_000,
  'checkpoint-files': 22_500,
  conversation: 4000,
  'other-models': 5000,
  'kept-part': 2500,
  models: 4000,
  sha256: 3000,
  speculation: 3400,
  'wasm-memory': 6000,
  sessions: 3500,
  'saved-file': 4000,
  'saved-session': 9000,
  prefixes: 12_500,
  'context-room': 1000,
  alternatives: 1000,
  score: 1000,
  'state-reading': 1500,
  constrain: 10_000,
  answering: 6500,
  'hold-answer': 32_000,
  schema: 13_000,
  regex: 14_000,
};

// What is there by then, as it asks for it.
const ASKED_BY = {
  'checkpoint-files': ['inspection'],
  'kept-part': ['inspection'],
  schema: ['constrain'],
};

const project = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'package-'));
const user = join(folder, 'user');
const installed = join(user, 'node_modules/fastweights');
afterAll(() => rmSync(folder, { recursive: true }));

function run(program, args, cwd) {
  return new Promise((resolve) => {
    const options = { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr });
    });
  });
}

async function must(program, args, cwd) {
  const { code, stdout, stderr } = await run(program, args, cwd);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

/** A module of the user's, run in the user's folder; gives what it prints, as JSON. */
async function runUser(source) {
  writeFileSync(join(user, 'main.mjs'), source);
  return JSON.parse(await must(process.execPath, ['main.mjs'], user));
}

let files;
let tarball;
beforeAll(async () => {
  const packed = await must('npm', ['pack', '--json', '--pack-destination', folder], project);
  const [{ filename, files: listed }] = JSON.parse(packed);
  files = listed.map(({ path }) => path);
  tarball = join(folder, filename);
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{"name":"user","private":true,"type":"module"}');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await must('npm', ['install', ...quiet, tarball], user);
});

const installedText = (path) => readFileSync(join(installed, path), 'utf8');
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
const pack = (path) => brotliCompressSync(readFileSync(join(installed, path)), quality).length;

test('installs without anything else', () => {
  expect(readdirSync(join(user, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'fastweights',
  ]);
  const {
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
    scripts = {},
  } = JSON.parse(installedText('package.json'));
  expect(dependencies).toBeUndefined();
  // Only whoever imports fastweights/react or fastweights/langchain needs them, and has them.
  expect(peerDependencies).toEqual({ '@langchain/core': '>=1.4', react: '>=18' });
  for (const name of Object.keys(peerDependencies)) {
    expect(peerDependenciesMeta[name]).toEqual({ optional: true });
  }
  for (const name of ['preinstall', 'install', 'postinstall'])
    expect(scripts[name]).toBeUndefined();
});

test('contains what runs and nothing else', () => {
  const expected = [
    /^(README|CHANGELOG|SECURITY|THIRD_PARTY_NOTICES)\.md$/,
    /^(LICENSE|package\.json)$/,
    /^dist\/(index|errors|engine|worker|service-worker|thread-simd128|thread-relaxed|cli|[a-z0-9-]+-[A-Z0-9]{8})\.js(\.map)?$/,
    new RegExp(`^dist/(${kAdapters.join('|')})\\.js(\\.map)?$`),
    /^dist\/wasm\/fastweights-(simd128|relaxed)(-threads)?\.(mjs|wasm)$/,
    /^dist\/types\/([\w-]+\/){0,2}[\w-]+\.d\.ts$/,
  ];
  expect(files.filter((path) => !expected.some((pattern) => pattern.test(path)))).toEqual([]);
  for (const build of kBuilds) {
    expect(files).toContain(`dist/wasm/fastweights-${build}.wasm`);
    expect(files).toContain(`dist/wasm/fastweights-${build}.mjs`);
  }
  for (const name of [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'SECURITY.md',
    'THIRD_PARTY_NOTICES.md',
  ]) {
    expect(files).toContain(name);
  }
});

test('says nothing of the machine or the network it was made on', () => {
  const suspicious =
    /(?:["'`( ]|file:\/\/)\/(?:work|home|root|tmp|usr|opt)\/|registry\.|localhost[:/]|\b127\.0\.0\.1\b|sourceMappingURL=(?![\w-]+\.js\.map\n)/;
  const found = [];
  for (const path of files) {
    const text = readFileSync(join(installed, path), 'latin1');
    const match = suspicious.exec(text);
    if (match) found.push(`${path}: ${text.slice(match.index - 40, match.index + 60)}`);
  }
  expect(found).toEqual([]);
});

test('loads a model and writes with it', async () => {
  const found = await runUser(`
    import { loadModel } from 'fastweights';
    const model = await loadModel(${JSON.stringify(kSmallModel)});
    let text = '';
    for await (const piece of model.generate('Once upon a time', { temperature: 0, maxTokens: 12 })) {
      text += piece;
    }
    const session = await model.createSession({ temperature: 0 });
    const answer = await session.prompt('Write a story.', { maxTokens: 8 });
    const { build, facts } = model;
    await model.dispose();
    console.log(JSON.stringify({ text, answer, build, facts }));
  `);
  expect(found.text).toBe(', there was a little boy who loved to play with blocks');
  expect(found.answer.length).toBeGreaterThan(10);
  const relaxed = Number(process.versions.node.split('.')[0]) >= 21;
  expect(found.build).toBe(relaxed ? 'relaxed' : 'simd128');
});

test('stands behind the interfaces that others defined', async () => {
  const found = await runUser(`
    import { loadModel } from 'fastweights';
    import { languageModel } from 'fastweights/ai-sdk';
    import { createClient } from 'fastweights/openai';
    import { LanguageModel } from 'fastweights/prompt-api';
    const model = await loadModel(${JSON.stringify(kSmallModel)});
    const messages = [{ role: 'user', content: 'Write a story.' }];
    const { choices } = await createClient(model).chat.completions.create({
      messages, temperature: 0, max_tokens: 8,
    });
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Write a story.' }] }];
    const call = { prompt, temperature: 0, maxOutputTokens: 8 };
    const { content } = await languageModel(model).doGenerate(call);
    const session = await LanguageModel.create({
      model, samplingMode: 'most-predictable', generation: { maxTokens: 8 },
    });
    const answer = await session.prompt('Write a story.');
    const gone = await LanguageModel.create({ model: 'missing.gguf' }).catch((error) => error);
    await model.dispose();
    const texts = [choices[0].message.content, content[0].text, answer];
    console.log(JSON.stringify({ texts, failure: [gone.name, gone.cause.name] }));
  `);
  expect(new Set(found.texts).size).toBe(1);
  expect(found.texts[0].length).toBeGreaterThan(10);
  expect(found.failure[1]).toBe('ModelError');
});

test('ends by itself once its models are disposed of or forgotten', async () => {
  const started = performance.now();
  await runUser(`
    import { loadModel } from 'fastweights';
    const model = await loadModel(${JSON.stringify(kSmallModel)});
    const session = await model.createSession();
    const reader = session.promptStreaming('Hi').getReader();
    await reader.read();
    console.log('{}');
  `);
  expect(performance.now() - started).toBeLessThan(30_000);
});

test('has a command', async () => {
  const npx = await must(
    'npx',
    ['--no-install', 'fastweights', 'inspect', '--model', kSmallModel, '--json'],
    user,
  );
  const { architecture, tensors } = JSON.parse(npx);
  expect(architecture).toBe('qwen35');
  expect(tensors).toHaveLength(129);
});

test('gives its files by the names in its exports', async () => {
  const found = await runUser(`
    import { readFileSync } from 'node:fs';
    const sizes = {};
    for (const name of ['fastweights', 'fastweights/worker', 'fastweights/service-worker', 'fastweights/package.json',
        'fastweights/wasm/fastweights-simd128.wasm', 'fastweights/wasm/fastweights-relaxed.wasm',
        ...${JSON.stringify(kAdapters.map((name) => `fastweights/${name}`))}]) {
      sizes[name] = readFileSync(new URL(import.meta.resolve(name))).length;
    }
    let hidden = 'resolved';
    try {
      import.meta.resolve('fastweights/dist/cli.js');
    } catch (error) {
      hidden = error.code;
    }
    console.log(JSON.stringify({ sizes, hidden }));
  `);
  expect(Object.values(found.sizes).every((size) => size > 0)).toBe(true);
  expect(found.hidden).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
});

const USE = `
import {
  inspectModel,
  loadModel,
  modelCache,
  ModelError,
  type GenerationResult,
  type Inspection,
  type LoadOptions,
  type Message,
  type Model,
  type ModelErrorCode,
  type Session,
} from 'fastweights';
import { createProvider, type Provider } from 'fastweights/ai-sdk';
import { createClient, createFetch, type ChatCompletion } from 'fastweights/openai';
import { LanguageModel, languageModelOf } from 'fastweights/prompt-api';
import { useChat, useModel, type Loading } from 'fastweights/react';
import { loadModel as loadHere } from 'fastweights/service-worker';
import 'fastweights/worker';

const options: LoadOptions = { onProgress: ({ loaded, total }) => console.log(loaded / (total ?? 1)) };
const model: Model = await loadModel('model.gguf', options);
const messages: Message[] = [{ role: 'system', content: 'Be brief.' }];
const session: Session = await model.createSession({ initialPrompts: messages, temperature: 0 });
for await (const piece of session.promptStreaming('Hi', { maxTokens: 5 })) console.log(piece.length);
const text: string = await session.prompt('Hi');
const result: GenerationResult = await model.generate([1, 2], { logprobs: 3 }).result;
const row: Float32Array = await model.logits([1], { all: true });
const found: Inspection = await inspectModel(new Blob([]));
const code: ModelErrorCode = new ModelError('truncated', 'x').code;
await modelCache.list();
const completion: ChatCompletion = await createClient(model).chat.completions.create({
  messages: [{ role: 'user', content: 'Hi' }],
});
const provider: Provider = createProvider({ story: model });
const ask: typeof fetch = createFetch(model);
const held: LanguageModel = await languageModelOf(model).create();
const hooks: [typeof useChat, (source: string) => Loading] = [useChat, useModel];
console.log(completion.usage.total_tokens, provider('story').modelId, ask, held.contextUsage, hooks);
console.log(text, result.timings.decodeMs, row[0], found.memory.stateBytes, code);
await using other: Model = await loadHere(new URL('https://example.org/m.gguf'));
console.log(other.contextWindow);
// @ts-expect-error An option that does not exist.
await session.prompt('Hi', { temprature: 1 });
// @ts-expect-error A code that does not exist.
new ModelError('broken', 'x');
// @ts-expect-error Not made by hand.
const wrong: string = await model.logits([1]);
console.log(wrong);
`;

// What bundlers' templates give an app: no iterators of streams, and nothing that is to be disposed of.
const FEWER = 'ES2022,DOM,DOM.Iterable';

test.each([
  ['Node16', 'Node16', 'ES2022'],
  ['NodeNext', 'NodeNext', 'ES2022'],
  ['ESNext', 'Bundler', 'ES2022'],
  ['ESNext', 'Bundler', 'ESNext'],
  ['ESNext', 'Bundler', 'ES2022', FEWER],
])(
  'has types for module %s with resolution %s and target %s',
  async (module, resolution, target, lib = '') => {
    writeFileSync(join(user, 'use.ts'), lib ? USE.replace('await using', 'const') : USE);
    const tsc = join(project, 'node_modules/typescript/bin/tsc');
    const { code, stdout } = await run(
      process.execPath,
      [
        ...[tsc, '--noEmit', '--strict', '--module', module, '--moduleResolution', resolution],
        ...['--target', target, ...(lib ? ['--lib', lib] : []), 'use.ts'],
      ],
      user,
    );
    expect(stdout).toBe('');
    expect(code).toBe(0);
  },
);

// Neither asks anybody for anything.
const kCheckers = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];

test('publint and Are the types wrong? find nothing', async () => {
  const modules = await ensureNpmPackages('package-checkers', kCheckers);
  const publint = await run(join(modules, '.bin/publint'), ['run', tarball, '--strict'], folder);
  expect(publint.stdout).toContain('All good!');
  // TypeScript's oldest resolution knows no `exports`, and modules are all that there is here.
  const only = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm'];
  const args = [tarball, ...only, '--format', 'json'];
  const { stdout, code } = await run(join(modules, '.bin/attw'), args, folder);
  expect(code).toBe(0);
  const { analysis } = JSON.parse(stdout);
  expect(Object.keys(analysis.entrypoints)).toContain('./worker');
  const problems = analysis.problems.filter(
    ({ kind, resolutionKind }) => kind !== 'CJSResolvesToESM' && resolutionKind !== 'node10',
  );
  expect(problems).toEqual([]);
});

test('hooks say that they are for clients', () => {
  expect(installedText('dist/react.js')).toMatch(/^["']use client["'];/);
});

/** Files that modules import at once, by the text of their imports. */
function together(entries) {
  const found = new Set(entries);
  for (const path of found) {
    for (const [, name] of installedText(path).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) {
      found.add(`dist/${name}`);
    }
  }
  return found;
}

const all = (name) => files.filter((path) => new RegExp(`^dist/${name}-\\w{8}\\.js$`).test(path));
const sourcesOf = (path) => JSON.parse(installedText(`${path}.map`)).sources;
const isTemplates = (source) => source.includes('/web/templates/');

test('keeps the template engine apart from what every page downloads', () => {
  const scripts = files.filter((path) => path.startsWith('dist/') && path.endsWith('.js'));
  scripts.splice(scripts.indexOf('dist/service-worker.js'), 1);
  const [engine, ...others] = scripts.filter((path) => sourcesOf(path).some(isTemplates));
  expect(others).toEqual([]);
  expect(engine).toMatch(/^dist\/chat-template-/);
  for (const source of sourcesOf(engine).filter((one) => !isTemplates(one))) {
    expect(source).toMatch(/\/text\/(chat-template|jinja|template-messages|world-chat)\.ts$/);
  }
});

const LOADING = ['dist/index.js', 'dist/worker.js', 'dist/engine.js'];

// What an engine fetches and a page, too, is there for each.
test.each(Object.entries(LAZY_LIMITS))('adds little by what %s is for', (name, limit) => {
  const earlier = (ASKED_BY[name] ?? []).flatMap(all);
  const always = together([...LOADING, ...earlier]);
  expect(all(name).length).toBeGreaterThan(0);
  for (const file of all(name)) {
    const added = [...together([file])].filter((path) => !always.has(path));
    expect(added).toContain(file);
    expect(added.reduce((sum, path) => sum + pack(path), 0)).toBeLessThan(limit);
  }
});

test('a worker asks for what it loads at once, in few files', () => {
  // What its first file asks for, and it has no import that it would wait for.
  expect(together(['dist/worker.js']).size).toBe(1);
  const asked = [...installedText('dist/worker.js').matchAll(/\bimport\("\.\/([^"]+)"\)/g)];
  const scripts = asked.map(([, path]) => `dist/${path}`).filter((path) => path.endsWith('.js'));
  // Nothing that comes with them is to be asked for later.
  expect([...together(scripts)].sort()).toEqual([...scripts].sort());
  expect([...together(['dist/engine.js'])].sort()).toEqual(['dist/engine.js', 'dist/errors.js']);
  expect(scripts.length).toBeLessThanOrEqual(6);
});

test('gives service workers everything at once, and nothing that they may not do', () => {
  const entry = 'dist/service-worker.js';
  const forbidden = /\bimport\(|\bnew Worker\b|"\.\/(worker|thread-)/;
  expect(forbidden.exec(installedText(entry))).toBeNull();
  const glue = ['simd128', 'relaxed'].map((build) => `dist/wasm/fastweights-${build}.mjs`);
  const imported = [...installedText(entry).matchAll(/\bfrom"\.\/([^"]+)"/g)];
  expect(imported.map(([, path]) => `dist/${path}`)).toEqual(glue);
  const size = [entry, ...glue].reduce((sum, path) => sum + pack(path), 0);
  expect(size).toBeLessThan(SERVICE_WORKER_LIMIT);
});

// tests/browser/downloads.test.js measures what pages really ask for; this is what they could.
test.each(kBuilds)('is small with the %s build', (build) => {
  const threads = build.endsWith('-threads');
  const scripts = together(LOADING);
  scripts.add(`dist/wasm/fastweights-${build}.mjs`);
  if (threads) scripts.add(`dist/thread-${build.replace('-threads', '')}.js`);
  const size = [...scripts].reduce((sum, path) => sum + pack(path), 0);
  expect(size).toBeLessThan(threads ? JS_LIMIT_WITH_THREADS : JS_LIMIT);
  expect(size).toBeGreaterThan(JS_LIMIT / 2);
  const wasm = pack(`dist/wasm/fastweights-${build}.wasm`);
  expect(wasm).toBeLessThan(WASM_LIMIT);
  expect(wasm).toBeGreaterThan(20_000);
});

test('has simd128 builds that run anywhere, and relaxed builds that need relaxed SIMD', () => {
  const valid = (build) =>
    WebAssembly.validate(readFileSync(join(installed, `dist/wasm/fastweights-${build}.wasm`)));
  for (const build of ['simd128', 'simd128-threads']) expect(valid(build)).toBe(true);
  // i8x16.relaxed_swizzle, in the smallest module that uses it.
  const engineHasRelaxed = WebAssembly.validate(
    new Uint8Array([
      ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0],
      ...[65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11],
    ]),
  );
  expect(engineHasRelaxed).toBe(Number(process.versions.node.split('.')[0]) >= 21);
  for (const build of ['relaxed', 'relaxed-threads']) expect(valid(build)).toBe(engineHasRelaxed);
});
