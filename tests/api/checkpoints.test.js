// SPDX-License-Identifier: MIT
// Safetensors checkpoints, from their files to their logits.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hubUrl, inspectModel, isKept } from '../../dist/index.js';
import { checkpointTensors } from '../support/qwen35-checkpoint.js';
import { safetensors, tensorOf } from '../support/safetensors.js';
import { sharded } from '../support/tiny-checkpoint.js';
import { collect, fixtures, loadModel, rejection, relativeError } from './models.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const golden = new URL('../golden/checkpoints/qwen3_5_text.json', import.meta.url);
const { path, sequences } = fixtures.find(({ name }) => name === 'qwen3_5');
const TENSORS = checkpointTensors(path);
const { config } = JSON.parse(readFileSync(golden));
const CONFIG = Buffer.from(JSON.stringify(config));
const WEIGHTS = safetensors(TENSORS);

const folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
writeFileSync(join(folder, 'config.json'), CONFIG);
for (const [name, bytes] of Object.entries(sharded(TENSORS, 2))) {
  writeFileSync(join(folder, name), bytes);
}
afterAll(() => rmSync(folder, { recursive: true }));

// Two value heads read each key head: their order counts.
describe.each([
  ['a folder', () => folder],
  ['files', () => [new File([WEIGHTS], 'model.safetensors'), new File([CONFIG], 'config.json')]],
  ['buffers', () => ({ config: CONFIG, weights: WEIGHTS })],
])('a checkpoint from %s', (_, source) => {
  let model;
  beforeAll(async () => {
    model = await loadModel(source());
  });
  afterAll(() => model.dispose());

  test('has the logits of its reference implementation', async () => {
    for (const { ids, logits } of sequences) {
      const found = await model.logits(ids, { all: true });
      expect(relativeError(found, logits)).toBeLessThan(1e-5);
    }
  });

  test('writes what its reference implementation writes', async () => {
    const { ids, greedy16 } = sequences[0];
    const { tokens } = await collect(
      model.generate(ids, { temperature: 0, maxTokens: 16, ignoreEos: true }),
    );
    expect(tokens).toEqual(greedy16);
  });

  test('says what it is, and that texts need a tokenizer', async () => {
    expect([model.architecture, model.vocabSize]).toEqual(['qwen35', 512]);
    const error = await rejection(model.tokenize('text'));
    expect(error).toMatchObject({ name: 'ModelError', code: 'unsupported_tokenizer' });
  });
});

test('BF16 and requantised weights keep the logits near', async () => {
  const halves = Object.fromEntries(
    Object.entries(TENSORS).map(([name, { shape, bytes }]) => [
      name,
      tensorOf(shape, new Float32Array(bytes.buffer), 'BF16'),
    ]),
  );
  const { ids, logits } = sequences[1];
  const wanted = logits.subarray(-512);
  for (const [source, weights, most] of [
    [{ config: CONFIG, weights: safetensors(halves) }, 'stored', 0.05],
    [{ config: CONFIG, weights: WEIGHTS }, 'qc8', 0.15],
  ]) {
    const model = await loadModel(source, { weights });
    const error = relativeError(await model.logits(ids), wanted);
    expect(error).toBeLessThan(most);
    expect(error).toBeGreaterThan(1e-4);
    await model.dispose();
  }
});

test('weights of 16 bits take half of what those of 32 take', async () => {
  const halves = Object.fromEntries(
    Object.entries(TENSORS).map(([name, { shape, bytes }]) => [
      name,
      tensorOf(shape, new Float32Array(bytes.buffer), 'BF16'),
    ]),
  );
  const [wide, narrow] = await Promise.all(
    [WEIGHTS, safetensors(halves)].map((weights) => inspectModel({ config: CONFIG, weights })),
  );
  const ratio = narrow.memory.weightsBytes / wide.memory.weightsBytes;
  // Tiles of 16 bits are padded less.
  expect(ratio).toBeGreaterThan(0.45);
  expect(ratio).toBeLessThan(0.55);
  expect(narrow.architecture).toBe('qwen35');
  expect(narrow.tensors.map(({ name }) => name)).toContain('blk.3.attn_q_norm.weight');
});

test('a checkpoint with a damaged tensor table frees everything, and the next one loads', async () => {
  const [first, ...others] = Object.keys(TENSORS);
  const some = Object.fromEntries(others.map((name) => [name, TENSORS[name]]));
  const error = await rejection(loadModel({ config: CONFIG, weights: safetensors(some) }));
  expect(error).toMatchObject({ code: 'missing_tensor', subject: first });
  const wrong = { ...TENSORS, [first]: tensorOf([512, 32], new Float32Array(512 * 32)) };
  const shape = await rejection(loadModel({ config: CONFIG, weights: safetensors(wrong) }));
  expect(shape).toMatchObject({ code: 'shape_mismatch', subject: 'token_embd.weight' });
  await (await loadModel(folder)).dispose();
});

test('the command line takes a folder', async () => {
  const ids = sequences[0].ids.join(',');
  const args = [CLI, 'logits', '--model', folder, '--tokens', ids, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 });
  const { logits } = JSON.parse(stdout);
  expect(relativeError(Float32Array.from(logits), sequences[0].logits.subarray(-512))).toBeLessThan(
    1e-5,
  );
});

test('what lies on disk needs no download', async () => {
  expect(await isKept(`${folder}/`)).toBe(true);
  expect(await isKept({ config: CONFIG, weights: WEIGHTS })).toBe(true);
});

test('addresses of a model hub', () => {
  expect(hubUrl('owner/name')).toBe('https://huggingface.co/owner/name/resolve/main/');
  const options = { revision: 'refs/pr/1', host: 'https://mirror.example/' };
  expect(hubUrl('owner/name', 'sub folder/model-Q4_0.gguf', options)).toBe(
    'https://mirror.example/owner/name/resolve/refs%2Fpr%2F1/sub%20folder/model-Q4_0.gguf',
  );
  for (const [repository, file] of [
    ['name'],
    ['a/b/c'],
    ['../name'],
    ['owner/name', '../../x'],
    ['owner/name', '/x'],
  ]) {
    expect(() => hubUrl(repository, file)).toThrow(TypeError);
  }
});
