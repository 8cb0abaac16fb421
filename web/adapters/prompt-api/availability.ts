// SPDX-License-Identifier: MIT
import { isKept, Model, type ModelSource } from '../../index.js';
import { type SharedLoadOptions, SharedModel } from '../shared-model.js';
import type { Availability } from './types.js';

/** Whether a model is there, or what has to come first. */
export async function availabilityOf(
  source: Model | ModelSource,
  options: SharedLoadOptions = {},
): Promise<Availability> {
  if (source instanceof Model) return 'available';
  const load = SharedModel.known(source);
  if (load) return load.loaded ? 'available' : 'downloading';
  return (await isKept(source, options)) ? 'available' : 'downloadable';
}
