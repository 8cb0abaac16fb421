// SPDX-License-Identifier: MIT
import type { Metadata } from '../gguf/types.js';

/** Layers that run, by a header's keys: not those that a file has for multi-token prediction. */
export function layerCount(metadata: Metadata): number {
  const architecture = String(metadata.get('general.architecture'));
  const number = (key: string) => Number(metadata.get(`${architecture}.${key}`) ?? 0);
  return number('block_count') - number('nextn_predict_layers');
}
