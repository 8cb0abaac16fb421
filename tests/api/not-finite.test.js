// SPDX-License-Identifier: MIT
// Weights and states that are no numbers, and draws that nothing is left for.
import { createHash } from 'node:crypto';
import { ModelError } from '../../dist/index.js';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { makeModel } from '../../tools/make-model.mjs';
import { linearModel, loadModel, rejection } from './models.js';

const GREEDY = { temperature: 0, maxTokens: 4, ignoreEos: true };
const SHAPE = { layers: 2, fullAttentionInterval: 2 };

/** A tensor's bytes in a file. */
function bytesOf(file, name) {
  const { tensors, dataStart } = openGguf(file);
  const { offset, size } = tensors.find((tensor) => tensor.name === name);
  return new DataView(file.buffer, file.byteOffset + dataStart + offset, size);
}

/** Where each type has a number, in bytes from the start of its blocks, and how such a number is NaN. */
const NUMBERS = {
  f32: [0, (view, at, sign) => view.setUint32(at, sign ? 0xff800000 : 0x7fc00000, true)],
  f16: [2, (view, at, sign) => view.setUint16(at, sign ? 0xfc00 : 0x7e01, true)],
  bf16: [2, (view, at, sign) => view.setUint16(at, sign ? 0xff80 : 0x7fc0, true)],
  q8_0: [34, (view, at, sign) => view.setUint16(at, sign ? 0xfc00 : 0x7e00, true)],
  q4_0: [18, (view, at, sign) => view.setUint16(at, sign ? 0xfc00 : 0x7e00, true)],
  q4_k: [146, (view, at, sign) => view.setUint16(at, sign ? 0xfc00 : 0x7e00, true)],
  q6_k: [208, (view, at, sign) => view.setUint16(at, sign ? 0xfc00 : 0x7e00, true)],
};

describe.each(Object.entries(NUMBERS))('weights of %s', (type, [at, damage]) => {
  test.each([false, true])('that are no numbers are refused (infinite: %s)', async (sign) => {
    const file = makeModel({ shape: { ...SHAPE, modelDim: 256, feedForwardDim: 256 }, type });
    const name = 'blk.0.ffn_up.weight';
    damage(bytesOf(file, name), at, sign);
    const error = await rejection(loadModel(file));
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: 'not_finite', subject: name });
    expect(error.message).toMatch(/NaN or infinite/);
  });
});

test('a norm that is no number is refused', async () => {
  const file = linearModel();
  bytesOf(file, 'output_norm.weight').setFloat32(8, Number.NaN, true);
  expect(await rejection(loadModel(file))).toMatchObject({ code: 'not_finite' });
});

describe('a model whose numbers overflow', () => {
  let model;
  beforeAll(async () => {
    const file = linearModel();
    const norm = bytesOf(file, 'blk.1.post_attention_norm.weight');
    for (let at = 0; at < norm.byteLength; at += 4) norm.setFloat32(at, 3e38, true);
    model = await loadModel(file);
  });
  afterAll(() => model.dispose());

  test.each([
    ['a prompt', async () => (await model.createSession()).prompt('hello', GREEDY)],
    ['sampling', async () => (await model.createSession()).prompt('hello', { maxTokens: 2 })],
    ['a plain text', () => model.generate('hello', GREEDY).result],
    ['texts together', () => model.generateBatch(['hello', 'you'], GREEDY)[1].result],
    ['logits', () => model.logits([1, 2])],
    ['all logits', () => model.logits([1, 2], { all: true })],
    ['perplexity', () => model.perplexity('hello you '.repeat(200), { context: 64 })],
  ])('%s ends in words', async (_, work) => {
    const error = await rejection(work());
    expect(error).toBeInstanceOf(ModelError);
    expect(error.code).toBe('not_finite');
  });
});

describe('a model of finite weights', () => {
  let model;
  beforeAll(async () => {
    model = await loadModel(linearModel());
  });
  afterAll(() => model.dispose());

  test('a state that is no number ends the next prompt, and no other', async () => {
    const session = await model.createSession({ seed: 3 });
    await session.prompt('one', GREEDY);
    const saved = Buffer.from(await session.save());
    const expected = await session.prompt('two', GREEDY);
    const body = Buffer.from(saved.subarray(0, -32));
    const start = 16 + body.readUInt32LE(12);
    const data = body.subarray(start);
    for (let at = 0; at + 4 <= data.length; at += 4) data.writeUInt32LE(0x7fc00000, at);
    const forged = Buffer.concat([body, createHash('sha256').update(body).digest()]);
    const restored = await model.restore(forged);
    expect(await rejection(restored.prompt('two', GREEDY))).toMatchObject({ code: 'not_finite' });
    expect(await rejection(restored.prompt('two', GREEDY))).toBeInstanceOf(ModelError);
    restored.destroy();
    const again = await model.restore(saved);
    expect(await again.prompt('two', GREEDY)).toBe(expected);
  });

  test('where logitBias forbids every token there is a RangeError, and the session goes on', async () => {
    const session = await model.createSession();
    const all = Array.from({ length: model.vocabSize }, (_, token) => [token, -Infinity]);
    for (const temperature of [0, 1]) {
      const error = await rejection(
        session.prompt('hello', { ...GREEDY, temperature, logitBias: Object.fromEntries(all) }),
      );
      expect(error).toBeInstanceOf(RangeError);
      expect(error.message).toMatch(/forbids every token/);
    }
    await session.rewind(0);
    expect(await session.prompt('hello', GREEDY)).not.toBe('');
  });
});
