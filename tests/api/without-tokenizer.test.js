// SPDX-License-Identifier: MIT
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { editModel } from './edit-model.js';
import { BUILD, collect, ids, linearModel, loadModel, rejection } from './models.js';

const bytes = linearModel();
const KEYS = ['model', 'pre', 'tokens', 'token_type', 'merges'];
const bare = editModel(bytes, {
  drop: [...KEYS.map((key) => `tokenizer.ggml.${key}`), 'tokenizer.chat_template'],
});

let model;
let original;
beforeAll(async () => {
  [model, original] = [await loadModel(bare), await loadModel(bytes)];
});
afterAll(async () => {
  await model.dispose();
  await original.dispose();
});

test('a model without a tokenizer has its facts and logits', async () => {
  expect([model.vocabSize, model.architecture]).toEqual([original.vocabSize, 'qwen35']);
  const prompt = ids(40);
  expect(await model.logits(prompt)).toEqual(await original.logits(prompt));
});

test('it goes on from ids with ids, whose texts are nothing', async () => {
  const options = { maxTokens: 20, temperature: 0, logprobs: 2 };
  const found = await collect(model.generate(ids(20), options));
  const wanted = await collect(original.generate(ids(20), options));
  expect(found.tokens).toEqual(wanted.tokens);
  expect([found.text, found.finishReason]).toEqual(['', wanted.finishReason]);
  expect(found.logprobs.map(({ logprob }) => logprob)).toEqual(
    wanted.logprobs.map(({ logprob }) => logprob),
  );
});

test('it ends where the file says that it ends', async () => {
  const [, second] = (await collect(model.generate(ids(9), { maxTokens: 2, temperature: 0 })))
    .tokens;
  const ended = editModel(bare, { set: { 'tokenizer.ggml.eos_token_id': ['uint32', second] } });
  const other = await loadModel(ended);
  const { tokens, finishReason } = await collect(other.generate(ids(9), { temperature: 0 }));
  expect([tokens.at(-1), finishReason]).toEqual([second, 'stop']);
  await other.dispose();
});

test.each([
  ['tokenize', () => model.tokenize('a')],
  ['detokenize', () => model.detokenize([1])],
  ['perplexity', () => model.perplexity('a'.repeat(300))],
  ['generate from text', () => collect(model.generate('a'))],
  ['generate with a stop string', () => collect(model.generate([1], { stop: 'a' }))],
  ['generate with a constraint', () => collect(model.generate([1], { constraint: /a/ }))],
  ['chat', async () => (await model.createSession()).prompt('a')],
])('what needs text fails by name: %s', async (_, work) => {
  const error = await rejection(work());
  expect([error.name, error.code, error.subject]).toEqual([
    'ModelError',
    'unsupported_tokenizer',
    'tokenizer.ggml.tokens',
  ]);
  expect(error.message).toContain('the model has no tokenizer');
});

test('the command line takes ids', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'without-tokenizer-'));
  const path = join(folder, 'bare.gguf');
  writeFileSync(path, bare);
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
  const build = BUILD ? ['--build', BUILD] : [];
  const run = (...args) =>
    promisify(execFile)(process.execPath, [cli, 'logits', '--model', path, ...args, ...build]);
  const { stdout } = await run('--tokens', '1,2,3', '--json');
  expect(JSON.parse(stdout).shape).toEqual([1, original.vocabSize]);
  const error = await rejection(run('--prompt', 'a'));
  expect(error.stderr).toContain('the model has no tokenizer');
  rmSync(folder, { recursive: true });
});
