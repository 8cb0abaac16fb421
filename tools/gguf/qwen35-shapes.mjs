// SPDX-License-Identifier: MIT

/**
 * Hyper-parameters of a Qwen3.5-like text model.
 * @typedef {object} Qwen35Shape
 * @property {number} layers without the multi-token-prediction block
 * @property {number} fullAttentionInterval every n-th layer is softmax attention; 0: every layer is linear
 * @property {number} modelDim
 * @property {number} feedForwardDim
 * @property {number} vocab
 * @property {number} queryHeads of softmax attention
 * @property {number} keyValueHeads
 * @property {number} headDim
 * @property {number} rotaryDim leading dimensions of a head that are rotated
 * @property {number} linearKeyHeads of the gated delta layers
 * @property {number} linearValueHeads a multiple of linearKeyHeads
 * @property {number} linearHeadDim
 * @property {number} convKernel
 * @property {number} contextLength
 * @property {number} ropeBase
 * @property {number} rmsEpsilon
 * @property {boolean} tied the head is the embedding matrix
 * @property {boolean} mtp append a multi-token-prediction block
 *
 * Whose names for tensors and metadata a file has.
 * @typedef {'llama.cpp' | 'ollama'} Dialect
 */

/** @type {Qwen35Shape} */
const published = {
  layers: 24,
  fullAttentionInterval: 4,
  modelDim: 1024,
  feedForwardDim: 3584,
  vocab: 248320,
  queryHeads: 8,
  keyValueHeads: 2,
  headDim: 256,
  rotaryDim: 64,
  linearKeyHeads: 16,
  linearValueHeads: 16,
  linearHeadDim: 128,
  convKernel: 4,
  contextLength: 262144,
  ropeBase: 1e7,
  rmsEpsilon: 1e-6,
  tied: true,
  mtp: false,
};

// More value heads than key heads, as from 4B on: the pairing of heads shows in the result.
const tiny = {
  ...published,
  layers: 4,
  modelDim: 64,
  feedForwardDim: 192,
  vocab: 512,
  queryHeads: 4,
  headDim: 32,
  rotaryDim: 8,
  linearKeyHeads: 2,
  linearValueHeads: 4,
  linearHeadDim: 32,
  contextLength: 4096,
};

/** @type {Readonly<Record<string, Qwen35Shape>>} */
export const qwen35Shapes = Object.freeze({
  'qwen3.5-0.8b': published,
  'qwen3.5-2b': { ...published, modelDim: 2048, feedForwardDim: 6144 },
  'qwen3.5-4b': {
    ...published,
    layers: 32,
    modelDim: 2560,
    feedForwardDim: 9216,
    queryHeads: 16,
    keyValueHeads: 4,
    linearValueHeads: 32,
  },
  tiny,
  // Rows of whole superblocks, so that no type falls back to another.
  'tiny-256': {
    ...tiny,
    modelDim: 256,
    feedForwardDim: 512,
    headDim: 64,
    rotaryDim: 16,
    linearHeadDim: 64,
  },
});

/**
 * @param {Qwen35Shape} shape
 * @throws RangeError
 */
export function checkShape(shape) {
  for (const [name, value] of Object.entries(shape)) {
    if (typeof value === 'boolean' || name === 'rmsEpsilon' || name === 'ropeBase') continue;
    if (!Number.isInteger(value) || value < (name === 'fullAttentionInterval' ? 0 : 1)) {
      throw new RangeError(`${name} must be a positive integer, not ${value}`);
    }
  }
  if (shape.linearValueHeads % shape.linearKeyHeads !== 0) {
    throw new RangeError('linearValueHeads must be a multiple of linearKeyHeads');
  }
  if (shape.queryHeads % shape.keyValueHeads !== 0) {
    throw new RangeError('queryHeads must be a multiple of keyValueHeads');
  }
  if (shape.rotaryDim % 2 !== 0 || shape.rotaryDim > shape.headDim) {
    throw new RangeError('rotaryDim must be even and at most headDim');
  }
}

/**
 * @param {Qwen35Shape} shape
 * @param {number} layer
 * @returns {boolean} false for a gated delta layer
 */
export function isFullAttention({ layers, fullAttentionInterval }, layer) {
  if (layer >= layers) return true;
  return fullAttentionInterval > 0 && (layer + 1) % fullAttentionInterval === 0;
}
