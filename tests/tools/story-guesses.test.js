// SPDX-License-Identifier: MIT
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { kEmbeddedModel, kSmallModel } from '../../tools/setup/embedded-model.mjs';
import { addGuesses } from '../../tools/story/add-guesses.mjs';
import { safetensors } from '../../tools/story/safetensors.mjs';
import { guessTensors } from '../../tools/story/tensor-names.mjs';

const [WIDTH, FEED, HEADS, SIZE] = [640, 128, 2, 128];
const shapes = {
  'fc.weight': [WIDTH, 2 * WIDTH],
  q_proj: [2 * HEADS * SIZE, WIDTH],
  k_proj: [SIZE, WIDTH],
  v_proj: [SIZE, WIDTH],
  o_proj: [WIDTH, HEADS * SIZE],
  q_norm: [SIZE],
  k_norm: [SIZE],
  gate_proj: [FEED, WIDTH],
  up_proj: [FEED, WIDTH],
  down_proj: [WIDTH, FEED],
};

let folder = '';
const inFolder = (name) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'story-guesses-'));
  const tensors = guessTensors(0).map(([, name]) => {
    const key = Object.keys(shapes).find((part) => name.includes(part));
    const shape = shapes[key] ?? [WIDTH];
    const values = new Float32Array(shape.reduce((a, b) => a * b)).map((_, i) => (i % 255) - 127);
    return [name, { shape, bytes: new Uint8Array(values.buffer) }];
  });
  writeFileSync(inFolder('mtp.safetensors'), safetensors(tensors));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a model gets a block for guesses, and keeps all else to the bit', () => {
  const output = inFolder('out.gguf');
  addGuesses({ model: kEmbeddedModel, block: inFolder('mtp.safetensors'), output });
  const [before, after] = [kEmbeddedModel, output].map(openGguf);
  try {
    const changed = [...after.metadata]
      .map(([key, { value }]) => [key, before.metadata.get(key)?.value, value])
      .filter(([, was, is]) => JSON.stringify(was) !== JSON.stringify(is));
    expect(changed).toEqual([
      ['qwen35.block_count', 10, 11],
      ['qwen35.attention.head_count', 5, HEADS],
      ['qwen35.nextn_predict_layers', undefined, 1],
    ]);
    expect(after.metadata.size).toBe(before.metadata.size + 1);
    const bytes = (file, tensor) => Buffer.from(file.read(tensor));
    for (const [i, tensor] of before.tensors.entries()) {
      expect(after.tensors[i]).toEqual(tensor);
      expect(bytes(after, after.tensors[i]).equals(bytes(before, tensor))).toBe(true);
    }
    const added = after.tensors.slice(before.tensors.length);
    expect(added.every(({ name }) => name.startsWith('blk.10.'))).toBe(true);
    expect(added.find(({ name }) => name === 'blk.10.nextn.eh_proj.weight')).toMatchObject({
      type: 'Q8_0',
      shape: [2 * WIDTH, WIDTH],
    });
    // Norms are kept less one in a checkpoint.
    const norm = added.find(({ name }) => name === 'blk.10.nextn.enorm.weight');
    expect(bytes(after, norm).readFloatLE(0)).toBe(-126);
  } finally {
    for (const file of [before, after]) file.close();
  }
});

test('a block of another model is refused, and a model that has one', () => {
  const [block, output] = ['mtp.safetensors', 'none.gguf'].map(inFolder);
  expect(() => addGuesses({ model: kSmallModel, block, output })).toThrow(
    'has a block for guesses',
  );
  const other = inFolder('other.safetensors');
  const tensors = guessTensors(0).map(([, name]) => {
    const bytes = new Uint8Array(4 * 32 * 16);
    return [name, { shape: [16, 32], bytes }];
  });
  writeFileSync(other, safetensors(tensors));
  expect(() => addGuesses({ model: kEmbeddedModel, block: other, output })).toThrow(
    'a block from 32 to 16 is of another model: its width is 640',
  );
  expect(() => addGuesses({ model: import.meta.filename, block, output })).toThrow('not a GGUF');
});
