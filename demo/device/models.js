// SPDX-License-Identifier: MIT

import { EMBEDDED } from '../embedded.js';

/**
 * @import { ModelSource } from 'fastweights'
 * @import { ModelMaker } from './made-model.js'
 */

/** Of random weights: what their matrices are stored in. */
export const TYPES = ['q4_k_m', 'q8_0'];

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
  return [
    { ...own, bytes: EMBEDDED.bytes, open: () => EMBEDDED.url },
    ...(await Promise.all(made)),
  ];
}
