// SPDX-License-Identifier: MIT

import { fetchError, type ModelError } from '../errors.js';
import type { CheckpointSource, ModelSource } from '../sources/byte-source.js';
import { urlKey } from '../sources/cache-settings.js';
import {
  type CheckpointParts,
  checkpointOnDisk,
  possibleFolder,
} from '../sources/checkpoint-parts.js';
import { type FilesOptions, type ModelFiles, openModelFiles } from '../sources/model-files.js';

/** A model as it comes to an engine, from a worker's owner in parts. */
export type GivenSource = ModelSource | CheckpointParts;

/** Opens whatever a model comes as, and reads its header. */
export async function openSource(source: GivenSource, options: FilesOptions): Promise<ModelFiles> {
  const checkpoint = isParts(source) ? source : await checkpointOnDisk(source);
  if (checkpoint) return openFolder(checkpoint, options);
  const file = source as Exclude<ModelSource, CheckpointSource>;
  const folder = possibleFolder(file);
  try {
    return await openModelFiles(file, options);
  } catch (error) {
    const { code } = (error ?? {}) as ModelError;
    if (folder === undefined || (code !== 'not_found' && code !== 'invalid_header')) throw error;
    const { cache } = options;
    // What the address would be kept as is told to the folder only where somebody chose it.
    const [key] = cache?.keys ?? [];
    const own = key === undefined || key === urlKey(folder.slice(0, -1)) ? undefined : `${key}/`;
    const settings = { ...options, cache: cache && { ...cache, keys: [], folder: own } };
    return openFolder({ folder, files: [] }, settings).catch((other: ModelError) => {
      throw other.code === 'not_found' ? error : other;
    });
  }
}

async function openFolder(checkpoint: CheckpointParts, options: FilesOptions): Promise<ModelFiles> {
  const { openCheckpoint } = await import('../checkpoints/checkpoint-files.js').catch((cause) => {
    throw fetchError(cause, 'reading safetensors');
  });
  return openCheckpoint(checkpoint, options);
}

function isParts(source: GivenSource): source is CheckpointParts {
  return typeof source === 'object' && source !== null && 'files' in source;
}
