// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Jinja } from '../../build/web/text/jinja.js';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { describeModel, makeModel } from '../../tools/make-model.mjs';

const names = (options) => describeModel(options).tensors.map(({ name }) => name);
const metadataOf = (file, key) => file.metadata.get(key)?.value;

// Bytes of all tensors in the published files, in the order Q8_0, Q4_0, Q4_K_M.
test.each([
  ['qwen3.5-0.8b', [800881920, 490491136, 518335744]],
  ['qwen3.5-2b', [2001050880, 1191525632, 1263435008]],
  ['qwen3.5-4b', [4471435264, 2532931584, 2697836544]],
])('%s has the bytes of the published files', (shape, published) => {
  const bytes = ['q8_0', 'q4_0', 'q4_k_m'].map((type) => describeModel({ shape, type }).bytes);
  expect(bytes).toEqual(published);
});

test('0.8B: the tensors of a linear layer, of a softmax layer and around the layers', () => {
  const { tensors } = describeModel({ shape: 'qwen3.5-0.8b', type: 'q8_0' });
  const shapes = Object.fromEntries(
    tensors.map(({ name, shape, type }) => [name, [type, ...shape]]),
  );
  expect(tensors).toHaveLength(2 + 18 * 14 + 6 * 11);
  expect(shapes).toMatchObject({
    'token_embd.weight': ['Q8_0', 1024, 248320],
    'output_norm.weight': ['F32', 1024],
    'blk.0.attn_norm.weight': ['F32', 1024],
    'blk.0.attn_qkv.weight': ['Q8_0', 1024, 6144],
    'blk.0.attn_gate.weight': ['Q8_0', 1024, 2048],
    'blk.0.ssm_beta.weight': ['Q8_0', 1024, 16],
    'blk.0.ssm_alpha.weight': ['Q8_0', 1024, 16],
    'blk.0.ssm_conv1d.weight': ['F32', 4, 6144],
    'blk.0.ssm_dt.bias': ['F32', 16],
    'blk.0.ssm_a': ['F32', 16],
    'blk.0.ssm_norm.weight': ['F32', 128],
    'blk.0.ssm_out.weight': ['Q8_0', 2048, 1024],
    'blk.0.post_attention_norm.weight': ['F32', 1024],
    'blk.0.ffn_gate.weight': ['Q8_0', 1024, 3584],
    'blk.0.ffn_up.weight': ['Q8_0', 1024, 3584],
    'blk.0.ffn_down.weight': ['Q8_0', 3584, 1024],
    'blk.3.attn_q.weight': ['Q8_0', 1024, 4096],
    'blk.3.attn_k.weight': ['Q8_0', 1024, 512],
    'blk.3.attn_v.weight': ['Q8_0', 1024, 512],
    'blk.3.attn_output.weight': ['Q8_0', 2048, 1024],
    'blk.3.attn_q_norm.weight': ['F32', 256],
    'blk.3.attn_k_norm.weight': ['F32', 256],
    'blk.23.ffn_down.weight': ['Q8_0', 3584, 1024],
  });
  expect(shapes['output.weight']).toBeUndefined();
});

test('a pure model has every matrix in one type', () => {
  const typesOf = (options) =>
    new Set(describeModel({ shape: 'qwen3.5-0.8b', ...options }).tensors.map(({ type }) => type));
  expect(typesOf({ type: 'q4_0' })).toEqual(new Set(['F32', 'Q4_0', 'Q6_K']));
  expect(typesOf({ type: 'q4_0', pure: true })).toEqual(new Set(['F32', 'Q4_0']));
  expect(typesOf({ type: 'q4_k_m', pure: true })).toEqual(new Set(['F32', 'Q4_K']));
});

test('q4_k_m is the stock mix', () => {
  const { tensors } = describeModel({ shape: 'qwen3.5-0.8b', type: 'q4_k_m' });
  const inQ6K = (part) =>
    tensors
      .filter(({ name, type }) => name.endsWith(`${part}.weight`) && type === 'Q6_K')
      .map(({ name }) => Number(name.split('.')[1]));
  expect(inQ6K('attn_qkv')).toEqual([0, 1, 2, 5, 8, 14, 17, 20, 21, 22]);
  expect(inQ6K('ffn_down')).toEqual([0, 1, 2, 5, 8, 11, 14, 17, 20, 21, 22, 23]);
  expect(inQ6K('attn_v')).toEqual([11, 23]);
  expect(tensors.filter(({ type }) => type === 'Q6_K')).toHaveLength(25);
  expect(tensors[0].type).toBe('Q6_K');
});

test('rows that are no whole superblocks fall back to another type', () => {
  const typesOf = (type) =>
    [
      ...new Set(describeModel({ shape: 'tiny', type }).tensors.map((tensor) => tensor.type)),
    ].sort();
  expect(typesOf('q4_k')).toEqual(['F32', 'Q5_0']);
  expect(typesOf('q5_k')).toEqual(['F32', 'Q5_1']);
  expect(typesOf('q6_k')).toEqual(['F32', 'Q8_0']);
  expect(typesOf('q4_k_m')).toEqual(['F32', 'Q5_0', 'Q8_0']);
  expect(typesOf('q4_0')).toEqual(['F32', 'Q4_0', 'Q8_0']);
});

test('an untied head, a multi-token-prediction block, and layers of one kind', () => {
  const changed = (changes) => names({ shape: { base: 'tiny', ...changes } });
  expect(changed({ tied: false })).toContain('output.weight');
  expect(changed({ mtp: true })).toEqual(
    expect.arrayContaining([
      'blk.4.attn_q.weight',
      'blk.4.nextn.eh_proj.weight',
      'blk.4.nextn.shared_head_norm.weight',
    ]),
  );
  expect(changed({ fullAttentionInterval: 0 }).filter((name) => name.includes('attn_q.'))).toEqual(
    [],
  );
  expect(changed({ fullAttentionInterval: 1 }).filter((name) => name.includes('ssm'))).toEqual([]);
});

test('both dialects name the same hyper-parameters', () => {
  const native = openGguf(makeModel({ dialect: 'llama.cpp', recurrentLayers: true }));
  const ollama = openGguf(makeModel({ dialect: 'ollama' }));
  expect(metadataOf(native, 'qwen35.attention.head_count_kv')).toBe(2);
  expect(metadataOf(native, 'qwen35.attention.recurrent_layers')).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(metadataOf(native, 'qwen35.rope.dimension_sections')).toEqual([1, 1, 2, 0]);
  expect(metadataOf(ollama, 'qwen35.attention.head_count_kv')).toEqual([0, 0, 0, 2]);
  expect(metadataOf(ollama, 'qwen35.ssm.v_head_reordered')).toBe(true);
  expect(metadataOf(ollama, 'qwen35.rope.mrope_interleaved')).toBe(true);
  expect(native.tensors.some(({ name }) => name === 'blk.0.ssm_dt.bias')).toBe(true);
  expect(ollama.tensors.some(({ name }) => name === 'blk.0.ssm_dt')).toBe(true);
  for (const key of [
    'ssm.conv_kernel',
    'ssm.group_count',
    'ssm.inner_size',
    'ssm.state_size',
    'ssm.time_step_rank',
  ]) {
    expect(metadataOf(ollama, `qwen35.${key}`)).toBe(metadataOf(native, `qwen35.${key}`));
  }
  expect(metadataOf(native, 'qwen35.ssm.inner_size')).toBe(128);
});

test('metadata of the 0.8B shape', () => {
  const shape = { base: 'qwen3.5-0.8b', vocab: 300, modelDim: 32, feedForwardDim: 32 };
  const file = openGguf(makeModel({ shape, type: 'q8_0' }));
  const expected = {
    'qwen35.block_count': 24,
    'qwen35.context_length': 262144,
    'qwen35.attention.head_count': 8,
    'qwen35.attention.head_count_kv': 2,
    'qwen35.attention.key_length': 256,
    'qwen35.attention.value_length': 256,
    'qwen35.full_attention_interval': 4,
    'qwen35.rope.dimension_count': 64,
    'qwen35.rope.dimension_sections': [11, 11, 10, 0],
    'qwen35.rope.freq_base': 1e7,
    'qwen35.ssm.conv_kernel': 4,
    'qwen35.ssm.group_count': 16,
    'qwen35.ssm.inner_size': 2048,
    'qwen35.ssm.state_size': 128,
    'qwen35.ssm.time_step_rank': 16,
    'general.file_type': 7,
  };
  expect(
    Object.fromEntries(Object.keys(expected).map((key) => [key, metadataOf(file, key)])),
  ).toEqual(expected);
  expect(metadataOf(file, 'qwen35.attention.layer_norm_rms_epsilon')).toBeCloseTo(1e-6, 12);
});

test.each([259, 512, 8192])('the tokenizer of %d tokens is whole', (vocab) => {
  const file = openGguf(makeModel({ shape: { vocab } }));
  const tokens = metadataOf(file, 'tokenizer.ggml.tokens');
  const types = metadataOf(file, 'tokenizer.ggml.token_type');
  expect(tokens).toHaveLength(vocab);
  expect(types).toHaveLength(vocab);
  expect(new Set(tokens).size).toBe(vocab);
  expect(tokens.filter((token) => [...token].length === 1)).toHaveLength(256);
  const control = tokens.filter((_, id) => types[id] === 3);
  expect(control).toEqual(['<|endoftext|>', '<|im_start|>', '<|im_end|>']);
  expect(tokens[metadataOf(file, 'tokenizer.ggml.eos_token_id')]).toBe('<|im_end|>');
  const known = new Set(tokens.slice(0, 256));
  for (const merge of metadataOf(file, 'tokenizer.ggml.merges')) {
    const [left, right] = merge.split(' ');
    expect(known.has(left) && known.has(right)).toBe(true);
    known.add(left + right);
  }
  expect(known).toEqual(new Set(tokens.filter((_, id) => types[id] === 1)));
});

test('the chat template makes ChatML', () => {
  const template = new Jinja(metadataOf(openGguf(makeModel()), 'tokenizer.chat_template'));
  const messages = [
    { role: 'system', content: ' Be brief. ' },
    { role: 'user', content: 'Hi' },
  ];
  expect(template.render({ messages, add_generation_prompt: true })).toBe(
    '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n',
  );
});

test.each(['f32', 'q8_0', 'q4_k_m'])(
  '%s: the same seed gives the same bytes, another seed others',
  (type) => {
    const shape = { base: 'tiny-256', layers: 1 };
    const file = (seed) => Buffer.from(makeModel({ shape, type, seed }));
    const first = file(7);
    expect(first.equals(file(7))).toBe(true);
    expect(first.equals(file(8))).toBe(false);
    expect(first.equals(file('7'))).toBe(true);
  },
);

test('weights that are not quantised are in the range of trained ones', () => {
  const file = openGguf(
    makeModel({ shape: { base: 'tiny', linearKeyHeads: 16, linearValueHeads: 64 } }),
  );
  const read = (name) => {
    const tensor = file.tensors.find((candidate) => candidate.name === name);
    return Array.from(new Float32Array(file.read(tensor).slice().buffer));
  };
  const within = (values, low, high) => {
    expect(Math.min(...values)).toBeGreaterThan(low);
    expect(Math.max(...values)).toBeLessThan(high);
  };
  within(read('blk.0.ssm_a'), -16.01, -0.49);
  within(
    read('blk.0.ssm_dt.bias').map((x) => Math.log1p(Math.exp(x))),
    0.00099,
    0.101,
  );
  within(read('blk.0.attn_norm.weight'), 0.5, 1.5);
  within(read('blk.0.ssm_conv1d.weight'), -3, 3);
});

test('hyper-parameters that cannot be are refused', () => {
  for (const shape of [
    'qwen9',
    { base: 'qwen9' },
    { layer: 3 },
    { layers: 0 },
    { layers: 2.5 },
    { linearKeyHeads: 3 },
    { queryHeads: 3 },
    { rotaryDim: 64 },
    { vocab: 100 },
  ]) {
    expect(() => makeModel({ shape })).toThrow(RangeError);
  }
  expect(() => makeModel({ shape: { tied: 1 } })).toThrow(TypeError);
  expect(() => makeModel({ type: 'q1_k' })).toThrow('q1_k');
  expect(() => makeModel({ dialect: 'other' })).toThrow('other');
});

test('the command writes what the function makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'make-model-'));
  const output = join(folder, 'model.gguf');
  const command = (...args) =>
    execFileSync(process.execPath, ['tools/make-model.mjs', ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  try {
    const shape = '{"base":"tiny","layers":2}';
    const line = command('--shape', shape, '--type', 'q4_0', '--seed', '5', '--output', output);
    expect(line).toContain('30 tensors');
    const made = makeModel({ shape, type: 'q4_0', seed: 5 });
    expect(Buffer.from(made).equals(readFileSync(output))).toBe(true);
    expect(command('--help')).toContain('--dialect');
    expect(() => command('--type', 'q4_0')).toThrow('--output is missing');
    expect(() => command('--type', 'q9', '--output', output)).toThrow('unknown type q9');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
