// SPDX-License-Identifier: MIT
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { dequantise } from '../../tools/gguf/dequantise.mjs';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { makeModel } from '../../tools/make-model.mjs';
import { makeOnnx } from '../../tools/make-onnx.mjs';
import { all, texts } from './protobuf.js';

const kShape = { linearValueHeads: 2 };
const kDecoder = 'decoder_model_merged_q4.onnx';
const kFloat = 1;
const kBytes = 2;

const folder = mkdtempSync(join(tmpdir(), 'fastweights-onnx-'));
const gguf = makeModel({ shape: kShape, type: 'q4_0', pure: true });
makeOnnx({ input: gguf, output: folder });
afterAll(() => rmSync(folder, { recursive: true }));

const read = (name) => readFileSync(join(folder, 'onnx', name));
const json = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const [graph] = all(read(kDecoder), 7);
const initializers = new Map(all(graph, 5).map((one) => [texts(one, 8)[0], one]));

/** Shape, type and bytes of weights in the file beside the graph. */
function weights(name) {
  const tensor = initializers.get(name);
  const where = Object.fromEntries(
    all(tensor, 13).map((entry) => [texts(entry, 1)[0], texts(entry, 2)[0]]),
  );
  const [offset, length] = [Number(where.offset), Number(where.length)];
  const bytes = Uint8Array.from(read(where.location).subarray(offset, offset + length));
  return { shape: all(tensor, 1), type: all(tensor, 2)[0], bytes };
}

test('there is what transformers.js asks for', () => {
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
    'config.json',
    'generation_config.json',
    'onnx',
    `onnx/${kDecoder}`,
    `onnx/${kDecoder}_data`,
    'onnx/embed_tokens_q4.onnx',
    'onnx/embed_tokens_q4.onnx_data',
    'tokenizer.json',
    'tokenizer_config.json',
  ]);
  const linear = 'linear_attention';
  expect(json('config.json').text_config.layer_types).toEqual([
    ...[linear, linear, linear, 'full_attention'],
  ]);
});

test('a state goes in and comes out of each layer, by the names of transformers.js', () => {
  const names = (field) => all(graph, field).map((value) => texts(value, 1)[0]);
  const states = ['conv.0', 'recurrent.0', 'conv.1', 'recurrent.1', 'conv.2', 'recurrent.2'];
  expect(names(11)).toEqual([
    ...['inputs_embeds', 'attention_mask', 'position_ids', 'num_logits_to_keep'],
    ...states.map((name) => `past_${name}`),
    ...['past_key_values.3.key', 'past_key_values.3.value'],
  ]);
  expect(names(12)).toEqual([
    'logits',
    ...states.map((name) => `present_${name}`),
    ...['present.3.key', 'present.3.value'],
  ]);
});

test.each(['token_embd.weight', 'blk.0.attn_qkv.weight', 'blk.3.ffn_down.weight'])(
  '%s means the numbers that it does in GGUF',
  (name) => {
    const source = openGguf(gguf);
    const tensor = source.tensors.find((one) => one.name === name);
    const [columns, rows] = tensor.shape;
    const codes = weights(name);
    const scales = weights(`${name}/scales`);
    expect([codes.type, codes.shape]).toEqual([kBytes, [rows, columns / 32, 16]]);
    expect([scales.type, scales.shape]).toEqual([kFloat, [rows, columns / 32]]);
    const factors = new Float32Array(scales.bytes.buffer);
    const values = Array.from(codes.bytes, (pair) => [pair & 15, pair >> 4])
      .flat()
      .map((code, i) => factors[i >> 5] * (code - 8));
    expect(values).toEqual([...dequantise('Q4_0', source.read(tensor), tensor.count)]);
  },
);

test('vectors keep their bytes', () => {
  const source = openGguf(gguf);
  const tensor = source.tensors.find(({ name }) => name === 'blk.1.ssm_a');
  expect(weights('blk.1.ssm_a').bytes).toEqual(Uint8Array.from(source.read(tensor)));
});

test('the tokenizer has the tokens, merges and template of the file', () => {
  const { metadata } = openGguf(gguf);
  const value = (key) => metadata.get(`tokenizer.${key}`).value;
  const { model, added_tokens } = json('tokenizer.json');
  expect(Object.keys(model.vocab)).toHaveLength(value('ggml.tokens').length);
  expect(value('ggml.tokens').map((token) => model.vocab[token])).toEqual([
    ...value('ggml.tokens').keys(),
  ]);
  expect(model.merges).toEqual(value('ggml.merges'));
  expect(added_tokens.map(({ content }) => content)).toEqual([
    ...['<|endoftext|>', '<|im_start|>', '<|im_end|>'],
  ]);
  expect(json('tokenizer_config.json').chat_template).toBe(value('chat_template'));
});

test.each([
  ['matrices of another type', { shape: kShape, type: 'q8_0' }, /token_embd.weight is Q8_0/],
  ['more value heads than key heads', { type: 'q4_0', pure: true }, /value heads/],
])('%s are refused', (_, options, message) => {
  const input = makeModel(options);
  expect(() => makeOnnx({ input, output: join(folder, 'refused') })).toThrow(message);
});
