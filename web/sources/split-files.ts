// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { GgufHeader } from '../gguf/types.js';
import type { ModelPart } from './byte-source.js';
import { isUrl } from './parts.js';

const SPLIT_NAME = /-00001-of-(\d{5})\.gguf(?=$|[?#])/;
const MAX_PARTS = 1000;

/**
 * The files a source means. One URL or path that ends in `-00001-of-0000N.gguf` stands for all N.
 *
 * @throws RangeError for an empty list or more than 1000 files
 */
export function listParts(source: ModelPart | ModelPart[]): ModelPart[] {
  const given = Array.isArray(source) ? source : [source];
  const parts = given.length === 1 ? derive(given[0] as ModelPart) : given;
  if (parts.length === 0 || parts.length > MAX_PARTS) {
    throw new RangeError(`a model has 1 to ${MAX_PARTS} files, not ${parts.length}`);
  }
  return parts;
}

function derive(part: ModelPart): ModelPart[] {
  const text = typeof part === 'string' ? part : isUrl(part) ? part.href : '';
  const match = SPLIT_NAME.exec(text);
  const count = match ? Number(match[1]) : 1;
  if (!match || count < 2 || count > MAX_PARTS) return [part];
  return Array.from({ length: count }, (_, i) =>
    text.replace(SPLIT_NAME, `-${String(i + 1).padStart(5, '0')}-of-${match[1]}.gguf`),
  );
}

/**
 * One header for all files: metadata and data offset of the first, tensors of all with their part.
 *
 * @param names for messages, one a header
 * @throws ModelError `invalid_metadata` when the `split.*` keys do not describe these files in this
 * order, `invalid_header` when a tensor occurs in two of them
 */
export function mergeHeaders(headers: readonly GgufHeader[], names: readonly string[]): GgufHeader {
  const first = headers[0] as GgufHeader;
  headers.forEach((header, part) => {
    requireKey(header, 'split.count', headers.length, names[part] as string, headers.length > 1);
    requireKey(header, 'split.no', part, names[part] as string, headers.length > 1);
  });
  const seen = new Set<string>();
  const tensors = headers.flatMap((header, part) =>
    header.tensors.map((tensor) => {
      if (seen.has(tensor.name)) {
        const message = `${names[part]}: tensor ${tensor.name} is in an earlier file too`;
        throw new ModelError('invalid_header', message, { subject: tensor.name });
      }
      seen.add(tensor.name);
      return { ...tensor, part };
    }),
  );
  requireKey(first, 'split.tensors.count', tensors.length, names[0] as string, false);
  return { ...first, tensors };
}

function requireKey(
  { metadata }: GgufHeader,
  key: string,
  expected: number,
  name: string,
  must: boolean,
): void {
  const found = metadata.get(key);
  if (found === expected || (found === undefined && !must)) return;
  // A whole model may still carry the keys of a split into one; 0 says that it is not split.
  if (key === 'split.count' && found === 0 && expected === 1) return;
  const message = `${name}: ${key} is ${found === undefined ? 'missing' : String(found)}, not ${expected}`;
  throw new ModelError('invalid_metadata', message, { subject: key });
}
