// SPDX-License-Identifier: MIT
// The checkpoint that a small qwen35 GGUF was converted from.
import { openGguf } from '../../tools/gguf/reader.mjs';
import { tensorOf } from './safetensors.js';

const NAMES = {
  attn_norm: 'input_layernorm',
  post_attention_norm: 'post_attention_layernorm',
  ffn_gate: 'mlp.gate_proj',
  ffn_up: 'mlp.up_proj',
  ffn_down: 'mlp.down_proj',
  attn_qkv: 'linear_attn.in_proj_qkv',
  attn_gate: 'linear_attn.in_proj_z',
  ssm_beta: 'linear_attn.in_proj_b',
  ssm_alpha: 'linear_attn.in_proj_a',
  ssm_out: 'linear_attn.out_proj',
  ssm_conv1d: 'linear_attn.conv1d',
  ssm_norm: 'linear_attn.norm',
  attn_q: 'self_attn.q_proj',
  attn_k: 'self_attn.k_proj',
  attn_v: 'self_attn.v_proj',
  attn_output: 'self_attn.o_proj',
  attn_q_norm: 'self_attn.q_norm',
  attn_k_norm: 'self_attn.k_norm',
};
const OUTSIDE = {
  'token_embd.weight': 'model.embed_tokens.weight',
  'output.weight': 'lm_head.weight',
  'output_norm.weight': 'model.norm.weight',
};
// Stored less 1 there.
const CENTRED = /(input_layernorm|post_attention_layernorm|[qk]_norm|model\.norm)\.weight$/;

/**
 * Tensors under transformers' names, in the order in which it has them: value heads by the key head
 * that they read, where a GGUF has the first of each key head first.
 *
 * @param {string} path
 */
export function checkpointTensors(path) {
  const file = openGguf(path);
  const size = (name) => Number(file.metadata.get(`qwen35.${name}`).value);
  const keyHeads = size('ssm.group_count');
  const valueHeads = size('ssm.time_step_rank');
  const valueDim = size('ssm.inner_size') / valueHeads;
  const keyChannels = keyHeads * size('ssm.state_size');
  const readers = valueHeads / keyHeads;
  // Where a grouped head lies in the file.
  const place = (head) => (head % readers) * keyHeads + Math.floor(head / readers);
  /** Groups of `each` values behind the first `before`, one a value head. */
  const grouped = (values, before, each) => {
    const all = Float32Array.from(values);
    for (let head = 0; head < valueHeads; head++) {
      const from = before + place(head) * each;
      all.set(values.subarray(from, from + each), before + head * each);
    }
    return all;
  };
  const columnsGrouped = (values, columns) => {
    const all = Float32Array.from(values);
    for (let at = 0; at < values.length; at += columns) {
      all.set(grouped(values.subarray(at, at + columns), 0, valueDim), at);
    }
    return all;
  };

  const tensors = {};
  for (const tensor of file.tensors) {
    const name = nameOf(tensor.name);
    const columns = tensor.shape[0];
    const bytes = file.read(tensor);
    let values = new Float32Array(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    );
    if (CENTRED.test(name)) values = values.map((value) => value - 1);
    if (name.endsWith('A_log'))
      values = grouped(
        values.map((value) => Math.log(-value)),
        0,
        1,
      );
    if (name.endsWith('dt_bias')) values = grouped(values, 0, 1);
    if (/in_proj_[ab]\./.test(name)) values = grouped(values, 0, columns);
    if (/in_proj_z\./.test(name)) values = grouped(values, 0, valueDim * columns);
    if (/in_proj_qkv\.|conv1d\./.test(name)) {
      values = grouped(values, 2 * keyChannels * columns, valueDim * columns);
    }
    if (/linear_attn\.out_proj\./.test(name)) values = columnsGrouped(values, columns);
    const shape = [...tensor.shape].reverse();
    if (/conv1d\./.test(name)) shape.splice(1, 0, 1);
    tensors[name] = tensorOf(shape, values);
  }
  file.close?.();
  return tensors;
}

function nameOf(name) {
  if (OUTSIDE[name]) return OUTSIDE[name];
  const [, layer, kind, end] = /^blk\.(\d+)\.(\w+)(?:\.(\w+))?$/.exec(name);
  const prefix = `model.layers.${layer}.`;
  if (kind === 'ssm_a') return `${prefix}linear_attn.A_log`;
  if (kind === 'ssm_dt') return `${prefix}linear_attn.dt_bias`;
  return `${prefix}${NAMES[kind]}.${end}`;
}
