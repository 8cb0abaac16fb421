// SPDX-License-Identifier: MIT
//
// What the tensors of a story model are called in GGUF and in a checkpoint.

/** @import { Weights } from './safetensors.mjs' */

/**
 * Name in GGUF, name in the checkpoint, what happens to a value on its way to GGUF, and on its way back.
 * @typedef {[string, string, Change?]} Tensor
 * @typedef {{ there: (x: number) => number, back: (x: number) => number }} Change
 */

/** @type {Change} */
const plusOne = { there: (x) => x + 1, back: (x) => x - 1 };
/** @type {Change} */
const negativeExp = { there: (x) => -Math.exp(x), back: (x) => Math.log(-x) };

/** A layer around its mixer's tensors. @type {(mixer: Tensor[]) => Tensor[]} */
const around = (mixer) => [
  ['attn_norm.weight', 'input_layernorm.weight', plusOne],
  ...mixer,
  ['post_attention_norm.weight', 'post_attention_layernorm.weight', plusOne],
  ['ffn_gate.weight', 'mlp.gate_proj.weight'],
  ['ffn_up.weight', 'mlp.up_proj.weight'],
  ['ffn_down.weight', 'mlp.down_proj.weight'],
];

// Heads of keys and of values are as many, so the order of value heads is the same in both.
const deltaLayer = around([
  ['attn_qkv.weight', 'linear_attn.in_proj_qkv.weight'],
  ['attn_gate.weight', 'linear_attn.in_proj_z.weight'],
  ['ssm_conv1d.weight', 'linear_attn.conv1d.weight'],
  ['ssm_dt.bias', 'linear_attn.dt_bias'],
  ['ssm_a', 'linear_attn.A_log', negativeExp],
  ['ssm_beta.weight', 'linear_attn.in_proj_b.weight'],
  ['ssm_alpha.weight', 'linear_attn.in_proj_a.weight'],
  ['ssm_norm.weight', 'linear_attn.norm.weight'],
  ['ssm_out.weight', 'linear_attn.out_proj.weight'],
]);

const attentionLayer = around([
  ['attn_q.weight', 'self_attn.q_proj.weight'],
  ['attn_k.weight', 'self_attn.k_proj.weight'],
  ['attn_v.weight', 'self_attn.v_proj.weight'],
  ['attn_output.weight', 'self_attn.o_proj.weight'],
  ['attn_q_norm.weight', 'self_attn.q_norm.weight', plusOne],
  ['attn_k_norm.weight', 'self_attn.k_norm.weight', plusOne],
]);

/** mtp.py's block. @type {Tensor[]} */
const guessBlock = [
  ...named(attentionLayer, '', 'layers.0.'),
  ['nextn.eh_proj.weight', 'fc.weight'],
  ['nextn.enorm.weight', 'pre_fc_norm_embedding.weight', plusOne],
  ['nextn.hnorm.weight', 'pre_fc_norm_hidden.weight', plusOne],
  ['nextn.shared_head_norm.weight', 'norm.weight', plusOne],
];

/** Tensors with something before each of their names. @type {(tensors: Tensor[], to: string, from: string) => Tensor[]} */
function named(tensors, to, from) {
  return tensors.map(([inFile, inCheckpoint, change]) => [
    to + inFile,
    from + inCheckpoint,
    change,
  ]);
}

/**
 * All of a model, in the order of its file.
 * @param {string[]} layerTypes as config.json names them
 * @returns {Tensor[]}
 */
export function modelTensors(layerTypes) {
  return [
    ['token_embd.weight', 'model.embed_tokens.weight'],
    ['output_norm.weight', 'model.norm.weight', plusOne],
    ...layerTypes.flatMap((type, i) =>
      named(
        type === 'full_attention' ? attentionLayer : deltaLayer,
        `blk.${i}.`,
        `model.layers.${i}.`,
      ),
    ),
  ];
}

/** Those of mtp.py's block behind so many layers. @type {(layers: number) => Tensor[]} */
export const guessTensors = (layers) => named(guessBlock, `blk.${layers}.`, 'mtp.');

/**
 * A tensor as GGUF has it, its contiguous dimension first.
 * @type {(tensor: Tensor, checkpoint: Map<string, Weights>) => Weights & { name: string }}
 */
export function toGguf([name, from, change], checkpoint) {
  const found = checkpoint.get(from);
  if (!found) throw new RangeError(`the checkpoint has no ${from}`);
  return {
    name,
    shape: found.shape.filter((size, i) => i === 0 || size !== 1).reverse(),
    values: change ? found.values.map(change.there) : found.values,
  };
}
