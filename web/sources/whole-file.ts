// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { ModelPart } from './byte-source.js';
import { openReader, type PartOptions } from './part-reader.js';

/** A file that was read. */
export interface WholeFile {
  /** For messages: URL, path, file name or kind. */
  name: string;
  text: string;
  /** Whether it is a kept copy, whether it is kept now, and why not if it was to be. */
  fromCache: boolean;
  kept: boolean;
  notKept: string | undefined;
}

/**
 * Reads a file of text, keeping it where asked to.
 *
 * @param mostBytes more of them are refused
 * @throws ModelError `invalid_header` for a file that is longer, or no UTF-8; what opening a file does
 */
export async function readWhole(
  part: ModelPart,
  options: PartOptions,
  mostBytes: number,
): Promise<WholeFile> {
  const reader = await openReader(part, options);
  const { source } = reader;
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const piece = await source.read();
      if (!piece) break;
      // What was read may be overwritten by the next piece.
      pieces.push(piece.slice());
      length += piece.byteLength;
      if (length > mostBytes) throw wrong(source.name, `is longer than ${mostBytes} bytes`);
    }
    await reader.finish();
    const { keeper, phase } = reader;
    return {
      name: source.name,
      text: decode(pieces, source.name),
      fromCache: phase === 'cache',
      kept: keeper?.kept ?? false,
      notKept: keeper?.notKept,
    };
  } finally {
    await reader.close();
  }
}

function decode(pieces: readonly Uint8Array[], name: string): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return (
      pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode()
    );
  } catch {
    throw wrong(name, 'is no UTF-8 text');
  }
}

function wrong(name: string, what: string): ModelError {
  return new ModelError('invalid_header', `${name}: ${what}`, { subject: name });
}
