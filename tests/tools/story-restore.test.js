// SPDX-License-Identifier: MIT
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dequantise } from '../../tools/gguf/dequantise.mjs';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { kEmbeddedModel } from '../../tools/setup/embedded-model.mjs';
import { exportStory } from '../../tools/story/export.mjs';
import { restoreStory } from '../../tools/story/restore.mjs';

/** The weights of the norm before the head. @param {string} path */
function outputNorm(path) {
  const file = openGguf(path);
  try {
    const norm = file.tensors.find(({ name }) => name === 'output_norm.weight');
    return dequantise(norm.type, file.read(norm), norm.count);
  } finally {
    file.close();
  }
}

let folder = '';
let checkpoint = '';
let restored;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'story-restore-'));
  checkpoint = join(folder, 'checkpoint');
  restored = restoreStory({ input: kEmbeddedModel, output: checkpoint });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a restored checkpoint is written as the very file that it came from', () => {
  expect(restored.tensors).toBeGreaterThan(200);
  const output = join(folder, 'again.gguf');
  exportStory({ folders: [checkpoint], output });
  expect(readFileSync(output).equals(readFileSync(kEmbeddedModel))).toBe(true);
});

test('of several checkpoints the mean is written, and one of another shape is refused', () => {
  const other = join(folder, 'other');
  cpSync(checkpoint, other, { recursive: true });
  const path = join(other, 'model-00001-of-00001.safetensors');
  const bytes = readFileSync(path);
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  const header = bytes.toString('utf8', 8, start);
  const at = start + JSON.parse(header)['model.norm.weight'].data_offsets[0];
  const before = bytes.readFloatLE(at);
  bytes.writeFloatLE(before + 3, at);
  writeFileSync(path, bytes);

  const output = join(folder, 'mean.gguf');
  exportStory({ folders: [checkpoint, other], output });
  const [first, mean] = [kEmbeddedModel, output].map(outputNorm);
  expect(mean[0] - first[0]).toBeCloseTo(1.5, 5);
  expect(mean.slice(1)).toEqual(first.slice(1));

  bytes.write(header.replace('"shape":[640]', '"shape":[320]'), 8);
  writeFileSync(path, bytes);
  const folders = [checkpoint, other];
  expect(() => exportStory({ folders, output })).toThrow(`${other} has no such model.`);
});

test('a file that is no story model is refused', () => {
  const output = join(folder, 'none');
  expect(() => restoreStory({ input: import.meta.filename, output })).toThrow('not a GGUF file');
});
