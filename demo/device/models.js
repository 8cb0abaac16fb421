// SPDX-License-Identifier: MIT

/**
 * @import { ModelSource } from 'fastweights'
 * @import { ModelMaker } from './made-model.js'
 */

/** Of random weights: what their matrices are stored in. */
export const TYPES = ['q4_k_m', 'q8_0'];

const EMBEDDED = new URL('../models/story-17m-q8_0.gguf', import.meta.url);

/** Random weights at published shapes, small ones first. @type {Record<string, string>} */
const SHAPES = {
  'rwkv7-0.1b': 'RWKV-7 0.1B',
  'granite-4.0-h-350m': 'Granite 4.0 H 350M',
  'mamba2-370m': 'Mamba-2 370M',
  'rwkv7-0.4b': 'RWKV-7 0.4B',
  'qwen3.5-0.8b': 'Qwen3.5 0.8B',
};

/**
 * A model to be measured.
 * @typedef {object} Candidate
 * @property {string} id
 * @property {string} name
 * @property {string} weights
 * @property {number} bytes of its weights
 * @property {() => ModelSource} open
 */

/** @type {(maker: ModelMaker, type: string) => Promise<Candidate[]>} */
export async function candidates(maker, type) {
  const made = Object.entries(SHAPES).map(async ([shape, name]) => {
    const wish = { shape, type };
    return {
      id: shape,
      name,
      weights: `random, ${type.toUpperCase()}`,
      bytes: await maker.bytes(wish),
      open: () => maker.stream(wish),
    };
  });
  const own = { id: 'own', name: 'The model of this site', weights: 'trained' };
  const [bytes, ...others] = await Promise.all([sizeOf(EMBEDDED), ...made]);
  return [{ ...own, bytes, open: () => EMBEDDED }, ...others];
}

/** Without fetching it. @param {URL} address @returns {Promise<number>} 0 where nobody says */
async function sizeOf(address) {
  try {
    const { headers } = await fetch(address, { method: 'HEAD' });
    return Number(headers.get('content-length'));
  } catch {
    // Off-line it may be kept all the same.
    return 0;
  }
}
