// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dequantise } from '../../tools/gguf/dequantise.mjs';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { fileTypes, tensorTypes } from '../../tools/gguf/types.mjs';
import { describeModel, makeModel, twin } from '../../tools/make-model.mjs';
import { requantise } from '../../tools/requantise.mjs';

const shape = {
  base: 'tiny-256',
  layers: 2,
  fullAttentionInterval: 2,
  feedForwardDim: 256,
  vocab: 300,
  tied: false,
};
const source = makeModel({ shape, type: 'f32' });
const weightsOf = (file, tensor) => dequantise(tensor.type, file.read(tensor), tensor.count);

test.each([...Object.keys(tensorTypes), 'Q4_K_M'])(
  '%s: types and placement are those of a model made so',
  (type) => {
    const file = openGguf(requantise({ input: source, type: type.toLowerCase() }));
    const { tensors } = describeModel({ shape, type });
    expect(
      file.tensors.map(({ name, shape: sides, type: stored }) => [name, sides, stored]),
    ).toEqual(tensors.map(({ name, shape: sides, type: stored }) => [name, sides, stored]));
    expect(file.metadata.get('general.file_type').value).toBe(fileTypes[type]);
  },
);

test('metadata but the file type is passed on byte for byte', () => {
  const before = openGguf(source).metadata;
  const after = openGguf(requantise({ input: source, type: 'q6_k' })).metadata;
  expect([...after.keys()]).toEqual([...before.keys()]);
  for (const [key, entry] of before) {
    if (key !== 'general.file_type') expect(after.get(key).encoded()).toEqual(entry.encoded());
  }
});

test('weights stay close, and those in single precision stay the same', () => {
  const before = openGguf(source);
  const after = openGguf(requantise({ input: source, type: 'q8_0' }));
  for (const [i, tensor] of before.tensors.entries()) {
    const wanted = weightsOf(before, tensor);
    const stored = weightsOf(after, after.tensors[i]);
    const errors = wanted.map((x, j) => Math.abs(x - stored[j]));
    const largest = (values) => values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    // Half a step of rounding, and the scale is itself rounded to eleven bits.
    const steps = after.tensors[i].type === 'F32' ? 0 : 0.57;
    expect(largest(errors)).toBeLessThanOrEqual((steps * largest(wanted)) / 127);
  }
});

test.each(['q4_k_m', 'iq4_nl', 'bf16'])(
  'the twin of a %s model has exactly its weights',
  (type) => {
    const model = makeModel({ shape, type });
    const [stored, plain] = [openGguf(model), openGguf(twin(model))];
    expect(plain.metadata.get('general.file_type').value).toBe(0);
    for (const [i, tensor] of stored.tensors.entries()) {
      expect(plain.tensors[i].type).toBe('F32');
      const rounded = Float64Array.from(weightsOf(stored, tensor), Math.fround);
      expect(
        Buffer.from(weightsOf(plain, plain.tensors[i]).buffer).equals(Buffer.from(rounded.buffer)),
      ).toBe(true);
    }
  },
);

test('the same type again changes nothing', () => {
  for (const type of ['q8_0', 'q4_k_m', 'f16']) {
    const model = makeModel({ shape, type });
    expect(Buffer.from(requantise({ input: model, type })).equals(model)).toBe(true);
  }
});

test('the command writes what the function makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'requantise-'));
  const [input, output] = [join(folder, 'in.gguf'), join(folder, 'out.gguf')];
  const command = (...args) =>
    execFileSync(process.execPath, ['tools/requantise.mjs', ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  try {
    writeFileSync(input, source);
    command(input, '--type', 'q5_1', '--output', output);
    expect(
      Buffer.from(requantise({ input: source, type: 'q5_1' })).equals(readFileSync(output)),
    ).toBe(true);
    expect(command('--help')).toContain('--type');
    expect(() => command(input)).toThrow('needed');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
