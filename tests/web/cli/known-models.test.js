// SPDX-License-Identifier: MIT
import { digestOf, KNOWN_MODELS } from '../../../build/web/cli/known-models.js';
import { describeModel } from '../../../tools/make-model.mjs';

const named = (name) => KNOWN_MODELS.find((model) => model.name === name);

test.each([
  ["llama.cpp's", {}],
  ["Ollama's", { dialect: 'ollama' }],
])('Qwen3.5-0.8B is known by its tensors in %s dialect, whatever their types', (_, variant) => {
  for (const type of ['q8_0', 'q4_k_m']) {
    for (const mtp of [false, true]) {
      const { tensors } = describeModel({ shape: { base: 'qwen3.5-0.8b', mtp }, type, ...variant });
      const images = [{ name: 'v.patch_embd.weight', type: 'F16', shape: [16, 16, 3, 768] }];
      expect(digestOf([...tensors, ...images])).toBe(named('Qwen3.5-0.8B').digest);
    }
  }
});

test('one tensor more, less or of another shape is another model', () => {
  const { tensors } = describeModel({ shape: 'qwen3.5-0.8b' });
  const [first, ...others] = tensors;
  const changed = { ...first, shape: first.shape.map((length) => length + 32) };
  const more = { ...first, name: 'output.weight' };
  const digests = [[first, ...others], others, [changed, ...others], [more, ...tensors]].map(
    digestOf,
  );
  expect(new Set(digests).size).toBe(4);
});

test('what is known of a model can be held against it', () => {
  for (const { texts } of KNOWN_MODELS) {
    for (const { prompt, tokens, margins = [], from } of texts) {
      expect(prompt.length * tokens.length * from.length).toBeGreaterThan(0);
      expect([0, tokens.length]).toContain(margins.length);
    }
  }
});
