// SPDX-License-Identifier: MIT

import { readGgufHeader } from '../gguf/header.js';
import type { GgufHeader } from '../gguf/types.js';
import type { ModelCache } from '../storage/models.js';
import type { ModelPart } from './byte-source.js';
import { listParts, mergeHeaders } from './split-files.js';
import {
  type FileFormat,
  type FilesOptions,
  openTensorFiles,
  type TensorFiles,
} from './tensor-files.js';

export type { FilesOptions, LoadProgress, ModelFiles } from './tensor-files.js';

const GGUF: FileFormat<GgufHeader> = {
  async read(source) {
    const start = await readGgufHeader(source);
    const alignment = Number(start.header.metadata.get('general.alignment') ?? 32);
    return { ...start, alignment };
  },
  merge: mergeHeaders,
};

/**
 * Opens a GGUF and reads its header (headers, when it is split).
 *
 * @param cache for tests; the browser's storage otherwise
 * @throws what {@link ModelFiles.stream} throws, and `invalid_header`, `invalid_metadata`,
 * `unsupported_type` or `not_found`; TypeError or RangeError for wrong arguments
 */
export async function openModelFiles(
  source: ModelPart | ModelPart[],
  options: FilesOptions = {},
  cache?: ModelCache,
): Promise<TensorFiles<GgufHeader>> {
  const parts = listParts(source);
  const { sha256, ...others } = options;
  if (sha256 !== undefined && (parts.length > 1 || typeof sha256 !== 'string')) {
    throw new TypeError('sha256 is one digest, and for models of one file');
  }
  return openTensorFiles(parts, GGUF, { ...others, sha256: [sha256] }, cache);
}
