// SPDX-License-Identifier: MIT
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kEmbeddedModel } from '../../tools/setup/embedded-model.mjs';
import { exportStory } from '../../tools/story/export.mjs';
import { restoreStory } from '../../tools/story/restore.mjs';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'story-restore-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a restored checkpoint is written as the very file that it came from', () => {
  const checkpoint = join(folder, 'checkpoint');
  expect(restoreStory({ input: kEmbeddedModel, output: checkpoint }).tensors).toBeGreaterThan(200);
  const output = join(folder, 'again.gguf');
  exportStory({ folder: checkpoint, output });
  expect(readFileSync(output).equals(readFileSync(kEmbeddedModel))).toBe(true);
});

test('a file that is no story model is refused', () => {
  const output = join(folder, 'none');
  expect(() => restoreStory({ input: import.meta.filename, output })).toThrow('not a GGUF file');
});
