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
