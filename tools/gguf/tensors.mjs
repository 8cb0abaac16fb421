// SPDX-License-Identifier: MIT

/**
 * A tensor of a model: `init` names what its weights look like, and `low rank` matrices stay F16 as
 * llama.cpp's quantiser leaves them.
 *
 * @typedef {'projection' | 'low rank' | 'norm' | 'zeros' | 'conv' | 'decay' | 'timestep' | 'mix' | 'rates'} Init
 * @typedef {{ name: string, shape: number[], init: Init }} ModelTensor
 */

/** @type {(init: Init) => (name: string, ...shape: number[]) => ModelTensor} */
export const tensor =
  (init) =>
  (name, ...shape) => ({ name, shape, init });

/** A matrix [columns, rows]. */
export const projection = tensor('projection');
export const norm = tensor('norm');

/**
 * What stands around a model's layers: the embedding, the last norm, and a head if it is not tied.
 * @param {{ modelDim: number, vocab: number, tied: boolean }} shape
 * @param {string} [lastNorm]
 */
export const modelTensors = ({ modelDim, vocab, tied }, lastNorm = 'output_norm') => [
  projection('token_embd.weight', modelDim, vocab),
  norm(`${lastNorm}.weight`, modelDim),
  ...(tied ? [] : [projection('output.weight', modelDim, vocab)]),
];

/**
 * A LayerNorm.
 * @param {string} name
 * @param {number} dim
 */
export const layerNorm = (name, dim) => [
  norm(`${name}.weight`, dim),
  tensor('zeros')(`${name}.bias`, dim),
];

/**
 * What stands around RWKV's layers.
 * @param {{ modelDim: number, vocab: number }} shape
 */
export const rwkvModelTensors = ({ modelDim, vocab }) => [
  projection('token_embd.weight', modelDim, vocab),
  ...layerNorm('token_embd_norm', modelDim),
  ...layerNorm('output_norm', modelDim),
  projection('output.weight', modelDim, vocab),
];

/**
 * @param {string} block
 * @param {number} modelDim
 * @param {number} feedForwardDim
 */
export const swiGlu = (block, modelDim, feedForwardDim) => [
  projection(`${block}.ffn_gate.weight`, modelDim, feedForwardDim),
  projection(`${block}.ffn_up.weight`, modelDim, feedForwardDim),
  projection(`${block}.ffn_down.weight`, feedForwardDim, modelDim),
];

/**
 * Layers of a mixer and a SwiGLU, each behind a norm.
 * @param {{ layers: number, modelDim: number, feedForwardDim: number }} shape
 * @param {(block: string, layer: number) => ModelTensor[]} mixer
 * @param {string} [feedForwardNorm]
 */
export const layersWithSwiGlu = (shape, mixer, feedForwardNorm = 'ffn_norm.weight') =>
  Array.from({ length: shape.layers }, (_, layer) => {
    const block = `blk.${layer}`;
    return [
      norm(`${block}.attn_norm.weight`, shape.modelDim),
      ...mixer(block, layer),
      norm(`${block}.${feedForwardNorm}`, shape.modelDim),
      ...swiGlu(block, shape.modelDim, shape.feedForwardDim),
    ];
  }).flat();

/**
 * Softmax attention without gates.
 * @param {string} block
 * @param {{ modelDim: number, queryHeads: number, keyValueHeads: number, headDim: number }} shape
 */
export const attention = (block, { modelDim, queryHeads, keyValueHeads, headDim }) => [
  projection(`${block}.attn_q.weight`, modelDim, queryHeads * headDim),
  projection(`${block}.attn_k.weight`, modelDim, keyValueHeads * headDim),
  projection(`${block}.attn_v.weight`, modelDim, keyValueHeads * headDim),
  projection(`${block}.attn_output.weight`, queryHeads * headDim, modelDim),
];

/**
 * The Mamba mixer.
 * @param {string} block
 * @param {{ modelDim: number, innerDim: number, stateDim: number, stepRank: number,
 *   convKernel: number }} shape
 */
export const mambaMixer = (block, { modelDim, innerDim, stateDim, stepRank, convKernel }) => [
  projection(`${block}.ssm_in.weight`, modelDim, 2 * innerDim),
  tensor('conv')(`${block}.ssm_conv1d.weight`, convKernel, innerDim),
  tensor('zeros')(`${block}.ssm_conv1d.bias`, innerDim),
  projection(`${block}.ssm_x.weight`, innerDim, stepRank + 2 * stateDim),
  projection(`${block}.ssm_dt.weight`, stepRank, innerDim),
  tensor('timestep')(`${block}.ssm_dt.bias`, innerDim),
  tensor('decay')(`${block}.ssm_a`, stateDim, innerDim),
  norm(`${block}.ssm_d`, innerDim),
  projection(`${block}.ssm_out.weight`, innerDim, modelDim),
];

/**
 * The Mamba-2 mixer.
 * @param {string} block
 * @param {{ modelDim: number, innerDim: number, stateDim: number, heads: number, groups: number,
 *   convKernel: number }} shape
 * @param {{ isNormalised?: boolean }} [options]
 */
export function mamba2Mixer(block, shape, { isNormalised = true } = {}) {
  const { modelDim, innerDim, stateDim, heads, groups, convKernel } = shape;
  const channels = innerDim + 2 * groups * stateDim;
  return [
    projection(`${block}.ssm_in.weight`, modelDim, innerDim + channels + heads),
    tensor('conv')(`${block}.ssm_conv1d.weight`, convKernel, channels),
    tensor('zeros')(`${block}.ssm_conv1d.bias`, channels),
    tensor('timestep')(`${block}.ssm_dt.bias`, heads),
    tensor('decay')(`${block}.ssm_a`, 1, heads),
    norm(`${block}.ssm_d`, 1, heads),
    ...(isNormalised ? [norm(`${block}.ssm_norm.weight`, innerDim / groups, groups)] : []),
    projection(`${block}.ssm_out.weight`, innerDim, modelDim),
  ];
}

/**
 * Weights of a tensor that is never quantised.
 * @param {ModelTensor} tensor
 * @param {import('./random.mjs').RandomStream} random
 * @returns {Float64Array}
 */
export function initialValues({ init, shape }, random) {
  const count = shape.reduce((a, b) => a * b, 1);
  switch (init) {
    case 'norm':
      return random.normal(count, 0.1).map((x) => 1 + x);
    case 'zeros':
      return random.normal(count, 0.1);
    case 'conv':
      return random.normal(count, 1 / Math.sqrt(shape[0]));
    case 'decay':
      return random.uniform(count, -16, -0.5);
    case 'mix':
      return random.uniform(count, 0, 1);
    case 'rates':
      return random.uniform(count, -6, -1);
    case 'timestep': {
      // softplus of the bias is a time step between 0.001 and 0.1, as the models start their training with.
      const logSteps = random.uniform(count, Math.log(0.001), Math.log(0.1));
      return logSteps.map((x) => Math.log(Math.expm1(Math.exp(x))));
    }
  }
  throw new RangeError(`${init} has no values of its own`);
}

/**
 * @param {ModelTensor} tensor a matrix
 * @returns {number} deviation that keeps the size of activations
 */
export function projectionDeviation({ shape }) {
  return 1 / Math.sqrt(shape[0]);
}
