// SPDX-License-Identifier: MIT
import { isFullAttention } from './qwen35-shapes.mjs';
import { modelTensors, norm, projection, swiGlu, tensor } from './tensors.mjs';

/**
 * @import { Dialect, Qwen35Shape } from './qwen35-shapes.mjs'
 * @import { ModelTensor } from './tensors.mjs'
 */

/** @type {(block: string, shape: Qwen35Shape, dialect: Dialect) => ModelTensor[]} */
function gatedDelta(block, shape, dialect) {
  const { modelDim, linearKeyHeads, linearValueHeads, linearHeadDim, convKernel } = shape;
  const inner = linearValueHeads * linearHeadDim;
  const channels = 2 * linearKeyHeads * linearHeadDim + inner;
  return [
    projection(`${block}.attn_qkv.weight`, modelDim, channels),
    projection(`${block}.attn_gate.weight`, modelDim, inner),
    projection(`${block}.ssm_beta.weight`, modelDim, linearValueHeads),
    projection(`${block}.ssm_alpha.weight`, modelDim, linearValueHeads),
    tensor('conv')(`${block}.ssm_conv1d.weight`, convKernel, channels),
    tensor('timestep')(
      dialect === 'ollama' ? `${block}.ssm_dt` : `${block}.ssm_dt.bias`,
      linearValueHeads,
    ),
    tensor('decay')(`${block}.ssm_a`, linearValueHeads),
    norm(`${block}.ssm_norm.weight`, linearHeadDim),
    projection(`${block}.ssm_out.weight`, inner, modelDim),
  ];
}

/** @type {(block: string, shape: Qwen35Shape) => ModelTensor[]} */
function softmaxAttention(block, { modelDim, queryHeads, keyValueHeads, headDim }) {
  return [
    // Each query head's rows are followed by the rows of its output gate.
    projection(`${block}.attn_q.weight`, modelDim, 2 * queryHeads * headDim),
    projection(`${block}.attn_k.weight`, modelDim, keyValueHeads * headDim),
    projection(`${block}.attn_v.weight`, modelDim, keyValueHeads * headDim),
    projection(`${block}.attn_output.weight`, queryHeads * headDim, modelDim),
    norm(`${block}.attn_q_norm.weight`, headDim),
    norm(`${block}.attn_k_norm.weight`, headDim),
  ];
}

/** @type {(index: number, shape: Qwen35Shape, dialect: Dialect) => ModelTensor[]} */
function layer(index, shape, dialect) {
  const block = `blk.${index}`;
  const { modelDim, feedForwardDim } = shape;
  return [
    norm(`${block}.attn_norm.weight`, modelDim),
    ...(isFullAttention(shape, index)
      ? softmaxAttention(block, shape)
      : gatedDelta(block, shape, dialect)),
    norm(`${block}.post_attention_norm.weight`, modelDim),
    ...swiGlu(block, modelDim, feedForwardDim),
  ];
}

/** @type {(index: number, shape: Qwen35Shape, dialect: Dialect) => ModelTensor[]} */
function predictionBlock(index, shape, dialect) {
  const block = `blk.${index}`;
  return [
    ...layer(index, shape, dialect),
    projection(`${block}.nextn.eh_proj.weight`, 2 * shape.modelDim, shape.modelDim),
    norm(`${block}.nextn.enorm.weight`, shape.modelDim),
    norm(`${block}.nextn.hnorm.weight`, shape.modelDim),
    norm(`${block}.nextn.shared_head_norm.weight`, shape.modelDim),
  ];
}

/**
 * @param {Qwen35Shape} shape
 * @param {Dialect} dialect
 * @returns {ModelTensor[]} in file order
 */
export function qwen35Tensors(shape, dialect) {
  const { layers, mtp } = shape;
  return [
    ...modelTensors(shape),
    ...Array.from({ length: layers }, (_, index) => layer(index, shape, dialect)).flat(),
    ...(mtp ? predictionBlock(layers, shape, dialect) : []),
  ];
}
