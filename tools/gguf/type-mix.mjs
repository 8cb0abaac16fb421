// SPDX-License-Identifier: MIT
import { fileTypes, tensorType } from './types.mjs';

/**
 * What a file of quantised weights is called by; all but Q4_K_M name the type of most of its tensors.
 * @type {readonly string[]}
 */
export const recipes = Object.freeze(Object.keys(fileTypes));

/**
 * @param {string} text in any case
 * @returns {string}
 */
export function parseRecipe(text) {
  const recipe = text.toUpperCase();
  if (!recipes.includes(recipe)) {
    throw new RangeError(`unknown type ${text}; known: ${recipes.join(', ').toLowerCase()}`);
  }
  return recipe;
}

/** Files of these recipes have their head, the matrix that makes logits, in Q6_K. */
const recipesWithFinerHead = new Set(['Q4_0', 'Q4_K_M']);

/**
 * When rows are not whole superblocks.
 * @type {Record<string, string>}
 */
const withoutSuperblocks = {
  Q2_K: 'Q4_0',
  Q3_K: 'Q4_0',
  Q4_K: 'Q5_0',
  Q5_K: 'Q5_1',
  Q6_K: 'Q8_0',
  IQ4_XS: 'IQ4_NL',
};

/**
 * @param {{ name: string, shape: number[] }} tensor
 * @returns {boolean} norms, decays, time steps and short convolutions keep single precision
 */
export function staysFloat32({ name, shape }) {
  return (
    shape.length !== 2 ||
    /(_norm|ssm_conv1d|shortconv\.conv|time_mix_first)\.weight$|\.ssm_(a|d)$/.test(name)
  );
}

/**
 * @param {{ name: string }} tensor
 * @returns {boolean} RWKV's small matrices keep the half precision that converters write
 */
const staysFloat16 = ({ name }) => /\.time_mix_(decay_)?[wavg][12]\.weight$/.test(name);

// The first and last eighth of the layers and every third between them.
/** @type {(layer: number, layers: number) => boolean} */
function deservesMoreBits(layer, layers) {
  const eighth = Math.floor(layers / 8);
  return layer < eighth || layer >= Math.floor((7 * layers) / 8) || (layer - eighth) % 3 === 2;
}

/** @type {(name: string, layers: number) => string} */
function mixedType(name, layers) {
  const match = /^blk\.(\d+)\.(attn_qkv|attn_v|ffn_down)\.weight$/.exec(name);
  return match && deservesMoreBits(Number(match[1]), layers) ? 'Q6_K' : 'Q4_K';
}

/** @type {(type: string, rowLength: number) => string} */
function fitRows(type, rowLength) {
  /** @param {string} candidate */
  const fits = (candidate) => rowLength % tensorType(candidate).elements === 0;
  if (fits(type)) return type;
  const fallback = withoutSuperblocks[type];
  return fallback && fits(fallback) ? fallback : 'F16';
}

/**
 * The type that llama.cpp's quantiser, without an importance matrix, stores a tensor in.
 * @param {string} recipe
 * @param {{ name: string, shape: number[] }} tensor
 * @param {{ layers: number, tied: boolean }} model
 * @param {boolean} [pure] every matrix in the type that the recipe is named after
 * @returns {string}
 */
export function storedType(recipe, tensor, { layers, tied }, pure = false) {
  if (staysFloat32(tensor)) return 'F32';
  if (staysFloat16(tensor) && recipe !== 'F32') return 'F16';
  if (pure) return fitRows(recipe === 'Q4_K_M' ? 'Q4_K' : recipe, tensor.shape[0]);
  const isHead = tensor.name === (tied ? 'token_embd.weight' : 'output.weight');
  if (isHead && recipesWithFinerHead.has(recipe)) return fitRows('Q6_K', tensor.shape[0]);
  return fitRows(recipe === 'Q4_K_M' ? mixedType(tensor.name, layers) : recipe, tensor.shape[0]);
}
