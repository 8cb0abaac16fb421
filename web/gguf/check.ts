// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import { TENSOR_TYPES } from './tensor-types.js';
import type { TensorEntry } from './types.js';

/** What a header says about one tensor, before anything of it is believed. */
export interface TensorClaim {
  name: string;
  type: number;
  /** `ne`, contiguous dimension first; every one already a safe integer. */
  shape: number[];
  /** From the start of the tensor bytes. */
  offset: number;
}

/** Where in which file the tensors must fit. */
export interface TensorSpace {
  /** For messages. */
  name: string;
  /** Start of the tensor bytes in the file. */
  dataOffset: number;
  alignment: number;
  /** Bytes in the file, when known. */
  size: number | undefined;
}

/**
 * Turns claims into entries whose bytes are known to lie in the file, aligned and apart.
 *
 * @throws ModelError `unsupported_type` for a type number nobody defines, `truncated` for bytes
 * past the end of the file, `invalid_header` for anything that contradicts itself
 */
export function placeTensors(claims: readonly TensorClaim[], space: TensorSpace): TensorEntry[] {
  const names = new Set<string>();
  const entries = claims.map((claim) => {
    if (names.has(claim.name)) throw bad(claim, space, 'occurs twice');
    names.add(claim.name);
    return placeTensor(claim, space);
  });
  const byOffset = [...entries].sort((a, b) => a.offset - b.offset);
  for (let i = 1; i < byOffset.length; i++) {
    const before = byOffset[i - 1] as TensorEntry;
    const after = byOffset[i] as TensorEntry;
    if (before.offset + before.bytes > after.offset) {
      throw bad(after, space, `overlaps ${before.name}`);
    }
  }
  return entries;
}

function placeTensor(claim: TensorClaim, space: TensorSpace): TensorEntry {
  const { name, type, shape } = claim;
  const kind = TENSOR_TYPES.get(type);
  if (!kind) {
    const message = `${space.name}: tensor ${name} has the unknown type ${type}`;
    throw new ModelError('unsupported_type', message, { subject: name });
  }
  let elements = 1;
  for (const dimension of shape) {
    elements *= dimension;
    if (dimension < 1 || !Number.isSafeInteger(elements)) {
      throw bad(claim, space, `has the shape [${shape.join(', ')}]`);
    }
  }
  const row = shape[0] as number;
  if (row % kind.elements !== 0) {
    throw bad(
      claim,
      space,
      `has rows of ${row}, not whole ${kind.name} blocks of ${kind.elements}`,
    );
  }
  const bytes = (elements / kind.elements) * kind.bytes;
  const offset = space.dataOffset + claim.offset;
  if (!Number.isSafeInteger(bytes) || !Number.isSafeInteger(offset + bytes)) {
    throw bad(claim, space, `of ${bytes} bytes at ${offset} is larger than any file`);
  }
  if (claim.offset % space.alignment !== 0) {
    throw bad(claim, space, `starts at ${claim.offset}, not a multiple of ${space.alignment}`);
  }
  if (space.size !== undefined && offset + bytes > space.size) {
    const message = `${space.name}: tensor ${name} ends at byte ${offset + bytes}, the file at ${space.size}`;
    throw new ModelError('truncated', message, { subject: name });
  }
  return { name, type, typeName: kind.name, shape, offset, bytes, part: 0 };
}

function bad(tensor: { name: string }, space: TensorSpace, what: string): ModelError {
  return new ModelError('invalid_header', `${space.name}: tensor ${tensor.name} ${what}`, {
    subject: tensor.name,
  });
}
