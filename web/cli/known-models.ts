// SPDX-License-Identifier: MIT
import { createHash } from 'node:crypto';
import type { TensorFacts } from '../index.js';

/** What somebody else's implementation wrote, greedily. */
export interface KnownText {
  prompt: string;
  tokens: readonly number[];
  /**
   * By how much each token's logit was above the second one's, where that was published: a token that
   * won by less than half is not held against other arithmetic.
   */
  margins?: readonly number[];
  /** Of the file that it was written by. */
  weights: string;
  /** Who published it. */
  from: string;
}

export interface KnownModel {
  name: string;
  /** {@link digestOf} its tensors. */
  digest: string;
  texts: readonly KnownText[];
}

/** Models that are told by their tensors' names and shapes. */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    name: 'Qwen3.5-0.8B',
    digest: '40f1375656b7b72f0892ec447c92401e5675532960b8fd7db854970323664ffe',
    texts: [
      {
        prompt: 'Count from one to thirty: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,',
        tokens: [220, 16, 19, 11, 220, 16, 20, 11, 220, 16, 21, 11],
        margins: [5.7, 9.48, 7.61, 5.19, 5.85, 10.11, 7.94, 3.87, 5.89, 9.27, 7.42, 5.29],
        weights: 'Q8_0',
        from: 'tests of geist (geisten/geistlib)',
      },
    ],
  },
  {
    name: 'fastweights story 17M',
    digest: 'f98fd97cb63b0a03e0d52223b2315ee65c6ba9cd548ae13217a6d6b68b2a5dd7',
    texts: [
      {
        prompt: 'Once upon a time',
        tokens: [11, 415, 288, 258, 401, 756, 463, 629, 279, 519, 351, 2627],
        weights: 'BF16',
        from: 'transformers 5.17.0 in float32 (tests/golden/demo)',
      },
    ],
  },
];

/**
 * Of the tensors of a model's text part, whatever their types: a block for predicting several tokens
 * and what is for images are not of it.
 */
export function digestOf(tensors: readonly TensorFacts[]): string {
  const block = (name: string) => /^blk\.\d+\./.exec(name)?.[0];
  const predicting = new Set(tensors.map(({ name }) => /^blk\.\d+\.(?=nextn\.)/.exec(name)?.[0]));
  const lines = tensors
    .filter(({ name }) => !/^(v|mm)\./.test(name) && !(block(name) && predicting.has(block(name))))
    // The one that dialects of files call differently.
    .map(({ name, shape }) => `${name.replace(/ssm_dt$/, 'ssm_dt.bias')} ${shape.join('x')}\n`);
  return createHash('sha256').update(lines.sort().join('')).digest('hex');
}
