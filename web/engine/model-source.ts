// SPDX-License-Identifier: MIT

import { fetchError } from '../errors.js';
import type { ModelSource } from '../sources/byte-source.js';
import { type CheckpointParts, checkpointOnDisk } from '../sources/checkpoint-parts.js';
import { type FilesOptions, type ModelFiles, openModelFiles } from '../sources/model-files.js';

/** A model as it comes to an engine, from a worker's owner in parts. */
export type GivenSource = ModelSource | CheckpointParts;

/** Opens whatever a model comes as, and reads its header. */
export async function openSource(source: GivenSource, options: FilesOptions): Promise<ModelFiles> {
  const checkpoint = isParts(source) ? source : await checkpointOnDisk(source);
  if (!checkpoint) {
    return openModelFiles(source as Parameters<typeof openModelFiles>[0], options);
  }
  const { openCheckpoint } = await import('../checkpoints/checkpoint-files.js').catch((cause) => {
    throw fetchError(cause, 'reading safetensors');
  });
  return openCheckpoint(checkpoint, options);
}

function isParts(source: GivenSource): source is CheckpointParts {
  return typeof source === 'object' && source !== null && 'files' in source;
}
