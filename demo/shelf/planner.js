// SPDX-License-Identifier: MIT
// Reads a model's header off the page's thread: one of 250 000 tokens takes 80 ms of it, and more where
// the processor is slow. Sent back is what the page shows.
import { inspectModel } from 'fastweights';

/** @import { Inspection, ModelSource, WeightForm } from 'fastweights' */

/** @typedef {Pick<Inspection, 'architecture' | 'memory'> & { title: unknown, licence: unknown, tensors: { type: string, bytes: number }[] }} Plan */

addEventListener('message', async ({ data }) => {
  /** @type {{ model: ModelSource, weights: WeightForm }} */
  const { model, weights } = data;
  try {
    const { architecture, memory, metadata, tensors } = await inspectModel(model, { weights });
    /** @type {Plan} */
    const plan = {
      architecture,
      memory,
      title: metadata.get('general.name'),
      licence: metadata.get('general.license'),
      tensors: tensors.map(({ type, bytes }) => ({ type, bytes })),
    };
    postMessage({ plan });
  } catch (error) {
    const { name, message, code } = /** @type {import('fastweights').ModelError} */ (error);
    postMessage({ error: { name, message, code } });
  }
});
