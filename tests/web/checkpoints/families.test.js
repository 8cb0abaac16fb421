// SPDX-License-Identifier: MIT
// Each family by the configuration and the table of tensors of a small checkpoint.
import { readdirSync, readFileSync } from 'node:fs';
import { FAMILIES } from '../../../build/web/checkpoints/families.js';
import { translate } from '../../../build/web/checkpoints/translate.js';

const GOLDEN = new URL('../../golden/checkpoints/', import.meta.url);
const cases = readdirSync(GOLDEN).map((name) => {
  const golden = JSON.parse(readFileSync(new URL(name, GOLDEN)));
  return [golden.config.model_type, golden];
});

/** Entries as a header gives them. */
const entriesOf = (tensors, typeName = 'F32') =>
  Object.entries(tensors).map(([name, shape], i) => ({
    ...{ name, type: typeName === 'F32' ? 0 : 30, typeName, offset: i * 1e6, part: 0 },
    shape: [...shape].reverse(),
    bytes: shape.reduce((product, size) => product * size, typeName === 'F32' ? 4 : 2),
  }));

const read = ({ config, tensors }, changes = {}, more = {}) =>
  translate(
    { config: JSON.stringify({ ...config, ...changes }) },
    entriesOf({ ...tensors, ...more }),
  );

/** What it throws. */
function failure(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test('every family has a checkpoint here, or shares its reader with one that has', () => {
  const readers = new Set(cases.map(([type]) => FAMILIES[type].map));
  const without = Object.keys(FAMILIES).filter((type) => !readers.has(FAMILIES[type].map));
  expect(without).toEqual([]);
});

describe.each(cases)('%s', (type, golden) => {
  test('is read without a tensor or a field left over', () => {
    const { metadata, tensors } = read(golden);
    expect(metadata.get('general.architecture')).toBe(FAMILIES[type].architecture);
    const names = tensors.map(({ entry }) => entry.name);
    expect(new Set(names).size).toBe(names.length);
    for (const { entry } of tensors) {
      const elements = entry.shape.reduce((product, size) => product * size, 1);
      expect([entry.name, entry.bytes]).toEqual([entry.name, elements * 4]);
    }
  });

  test('matrices of 16 bits stay so; vectors become F32', () => {
    const { config, tensors } = golden;
    const texts = { config: JSON.stringify(config) };
    const table = translate(texts, entriesOf(tensors, 'BF16')).tensors;
    for (const { entry, origin } of table) {
      expect([entry.name, entry.typeName]).toEqual([
        entry.name,
        'source' in origin ? 'BF16' : 'F32',
      ]);
    }
    const matrix = table.find(({ entry }) => entry.name === 'token_embd.weight');
    expect(matrix.entry.typeName).toBe('BF16');
  });

  test('a tensor that nothing reads is refused by name', () => {
    const more = { 'model.layers.0.self_attn.q_proj.bias': [64] };
    const error = failure(() => read(golden, {}, more));
    expect(error).toMatchObject({
      code: 'unsupported_architecture',
      subject: Object.keys(more)[0],
    });
  });

  test('a tensor that is not there is named', () => {
    const { config, tensors } = golden;
    const missing = Object.keys(tensors).at(-1);
    const { [missing]: _, ...others } = tensors;
    const error = failure(() => read({ config, tensors: others }));
    expect(error).toMatchObject({ code: 'missing_tensor', subject: missing });
  });

  test('a field that nobody knows is refused by name, unless it is null', () => {
    const error = failure(() => read(golden, { attention_sinks: 4 }));
    expect(error).toMatchObject({ code: 'invalid_metadata', subject: 'attention_sinks' });
    expect(error.message).toContain('attention_sinks');
    read(golden, { attention_sinks: null });
  });

  test.each([
    ['quantization_config', { bits: 4 }],
    ['rope_scaling', { type: 'yarn', factor: 4 }],
    ['hidden_act', 'gelu'],
    ['attn', { layers: [], num_heads: 2, softcap: 3 }],
    ['time_step_limit', [0.01]],
    ['num_local_experts', 8],
  ])('a configuration with another %s is refused by name', (field, value) => {
    // Fields of one family are unknown to others; those without positions scale none.
    if (field === 'rope_scaling' && ['granitemoehybrid', 'nemotron_h'].includes(type)) return;
    if (field === 'hidden_act' && type === 'lfm2') return;
    const error = failure(() => read(golden, { [field]: value }));
    expect(error.code).toBe('invalid_metadata');
    expect(error.subject === field || error.subject.startsWith(`${field}.`)).toBe(true);
  });

  test.each([2 ** 53 - 1, 2 ** 32 - 1, 1e8, 4097])('%d layers are refused at once', (layers) => {
    // A list of the layers says another number.
    const { layer_types, ...config } = golden.config;
    const changed = { ...config, num_hidden_layers: layers };
    const error = failure(() => read({ ...golden, config: changed }));
    expect(error).toMatchObject({ code: 'invalid_metadata', subject: 'num_hidden_layers' });
  });

  if (!golden.gguf) return;
  test("its keys and tensors are those of llama.cpp's converter", () => {
    const { metadata, tensors } = read(golden);
    const shapes = Object.fromEntries(tensors.map(({ entry }) => [entry.name, entry.shape]));
    expect(shapes).toEqual(golden.gguf.tensors);
    for (const [key, value] of Object.entries(golden.gguf.metadata)) {
      if (UNREAD.some((name) => key.endsWith(name))) continue;
      const ours = metadata.get(key);
      const close = typeof value === 'number' ? Math.fround(ours) : ours;
      expect([key, close]).toEqual([key, typeof value === 'number' ? Math.fround(value) : value]);
    }
  });
});

// What the converter also writes, and what reads no file of ours; granite's heads are wrong in that of
// a configuration with transformers' new names of layers.
const UNREAD = [
  ...['.vocab_size', '.rope.dimension_sections', '.recurrent_layers', '.full_attention_interval'],
  ...['.expert_count', '.expert_used_count', '.expert_shared_feed_forward_length'],
  ...['hybrid.context_length', 'nemotron_h.context_length', 'granitehybrid.rope.freq_base'],
  'granitehybrid.attention.head_count_kv',
];

test('a width that the embedding does not have makes no order of rows', () => {
  const golden = cases.find(([type]) => type === 'granitemoehybrid')[1];
  const changes = { hidden_size: 2 ** 40, position_embedding_type: 'rope', mamba_d_head: 'auto' };
  const error = failure(() => read(golden, changes));
  expect(error).toMatchObject({ code: 'invalid_metadata', subject: 'hidden_size' });
});

test('a model_type that nobody reads is named with what is near', () => {
  const error = failure(() => translate({ config: '{"model_type": "mamba3"}' }, []));
  expect(error).toMatchObject({ code: 'unsupported_architecture', subject: 'mamba3' });
  expect(error.message).toMatch(/nearest is 'mamba2?'/);
});

test('a model_type of any length is told shortly and at once', () => {
  const config = JSON.stringify({ model_type: 'x'.repeat(4e6) });
  const start = performance.now();
  const error = failure(() => translate({ config }, []));
  expect(error.code).toBe('unsupported_architecture');
  expect(performance.now() - start).toBeLessThan(1000);
  expect(error.message.length + error.subject.length).toBeLessThan(1000);
});

test('time steps that are held within limits say so', () => {
  const golden = cases.find(([type]) => type === 'mamba2')[1];
  const key = 'mamba2.ssm.time_step_limit';
  expect(read(golden).metadata.has(key)).toBe(false);
  expect(read(golden, { time_step_limit: [0.01, 0.1] }).metadata.get(key)).toEqual([0.01, 0.1]);
});

test('biases are mapped where the configuration says that there are some', () => {
  const golden = cases.find(([type]) => type === 'mamba2')[1];
  const error = failure(() => read(golden, { use_bias: true }));
  expect(error.subject).toBe('backbone.layers.0.mixer.in_proj.bias');
  const biases = Object.fromEntries(
    [0, 1, 2, 3].flatMap((i) => [
      [`backbone.layers.${i}.mixer.in_proj.bias`, [296]],
      [`backbone.layers.${i}.mixer.out_proj.bias`, [64]],
    ]),
  );
  const names = read(golden, { use_bias: true }, biases).tensors.map(({ entry }) => entry.name);
  expect(names).toEqual(expect.arrayContaining(['blk.0.ssm_in.bias', 'blk.3.ssm_out.bias']));
});

test('words that Python writes for numbers are read, in strings they are text', () => {
  const golden = cases.find(([type]) => type === 'mamba2')[1];
  const text = JSON.stringify({
    ...golden.config,
    time_step_limit: 0,
    _name_or_path: 'NaN, Infinity',
  });
  const config = text.replace('"time_step_limit":0', '"time_step_limit": [0.0, Infinity]');
  translate({ config }, entriesOf(golden.tensors));
  const error = failure(() =>
    translate({ config: config.replace('Infinity]', 'NaN]') }, entriesOf(golden.tensors)),
  );
  expect(error).toMatchObject({ code: 'invalid_metadata', subject: 'time_step_limit' });
});

test('the text part of a checkpoint with vision is read, and the rest is let be', () => {
  const golden = cases.find(([type]) => type === 'qwen3_5_text')[1];
  const { tie_word_embeddings, ...text_config } = golden.config;
  const config = {
    ...{ model_type: 'qwen3_5', text_config, tie_word_embeddings },
    ...{ vision_config: { depth: 2 }, image_token_id: 3, video_token_id: 4 },
    ...{ vision_start_token_id: 5, vision_end_token_id: 6 },
  };
  const tensors = Object.fromEntries(
    Object.entries(golden.tensors).map(([name, shape]) => [
      name.replace(/^model\./, 'model.language_model.'),
      shape,
    ]),
  );
  const more = { 'model.visual.patch_embed.proj.weight': [8, 8], 'mtp.fc.weight': [64, 128] };
  const whole = read({ config, tensors: { ...tensors, ...more } });
  const alone = read(golden);
  expect(whole.metadata).toEqual(alone.metadata);
  expect(whole.tensors.map(({ entry }) => entry.name)).toEqual(
    alone.tensors.map(({ entry }) => entry.name),
  );
  const inner = { ...config, text_config: { ...text_config, sliding_window: 4 } };
  const error = failure(() => read({ config: inner, tensors }));
  expect(error.subject).toBe('text_config.sliding_window');
});

test('layers of softmax attention in a checkpoint of linear attention are mapped as such', () => {
  const { config, tensors } = cases.find(([type]) => type === 'gla')[1];
  const own = Object.entries(tensors).filter(([name]) => !/layers\.1\.attn\./.test(name));
  const projections = ['q', 'k', 'v', 'o'].map((name) => [
    `model.layers.1.attn.${name}_proj.weight`,
    [128, 128],
  ]);
  const attn = { layers: [1], num_heads: 4, num_kv_heads: 4, rope_theta: 5e4, window_size: 64 };
  const golden = {
    config: { ...config, attn },
    tensors: Object.fromEntries([...own, ...projections]),
  };
  const { metadata, tensors: table } = read(golden);
  expect(metadata.get('gla.full_attention.head_count')).toBe(4);
  expect(metadata.get('gla.full_attention.rope_freq_base')).toBe(5e4);
  expect(metadata.get('gla.full_attention.sliding_window')).toBe(64);
  const second = table.map(({ entry }) => entry.name).filter((name) => /^blk\.1\.attn_/.test(name));
  expect(second.sort()).toEqual(
    ['k', 'norm', 'output', 'q', 'v'].map((name) => `blk.1.attn_${name}.weight`),
  );
  const error = failure(() =>
    read({ ...golden, config: { ...config, attn: { ...attn, layers: [9] } } }),
  );
  expect(error.subject).toBe('attn.layers');
});
