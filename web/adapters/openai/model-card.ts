// SPDX-License-Identifier: MIT
import type { Model } from '../../index.js';

/** What says of a model that it is there. */
export function modelCard(model: Model) {
  const created = Math.floor(Date.now() / 1000);
  return { id: modelId(model), object: 'model', created, owned_by: 'fastweights' };
}

/** The name that a model answers under. */
export const modelId = (model: Model): string => model.name ?? model.architecture;
