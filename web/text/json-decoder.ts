// SPDX-License-Identifier: MIT
import { type Json, pick, prependScheme, unsupported } from './json-steps.js';

/** What a tokenizer.json makes of tokens. */
export interface Decoder {
  /** Whether they are in the byte alphabet. */
  isByteLevel: boolean;
  /** Whether the space is taken away that encoding puts before a text. */
  spacePrefix: boolean;
}

// Replace, ByteFallback and Fuse are what every alphabet with U+2581 and bytes has.
const DECODERS: Readonly<Record<string, (part: Json, found: Decoder) => void>> = {
  Sequence: ({ decoders }, found) => {
    if (!Array.isArray(decoders)) throw unsupported('a sequence without a list');
    for (const part of decoders) read(part, found);
  },
  ByteLevel: (_, found) => {
    found.isByteLevel = true;
  },
  Metaspace: (part, found) => {
    found.spacePrefix ||= prependScheme(part) !== 'never';
  },
  Strip: ({ content, start, stop }, found) => {
    if (content !== ' ' || stop !== 0) throw unsupported('such a Strip decoder');
    found.spacePrefix ||= start === 1;
  },
  Replace: () => {},
  ByteFallback: () => {},
  Fuse: () => {},
};

/**
 * Reads the decoder.
 *
 * @param isByteLevel whether words are in the byte alphabet, for files without one
 * @throws ModelError `unsupported_tokenizer` naming what there is none for
 */
export function decoderOf(part: unknown, isByteLevel: boolean): Decoder {
  if (part === null || part === undefined) return { isByteLevel, spacePrefix: false };
  const found = { isByteLevel: false, spacePrefix: false };
  read(part, found);
  return found;
}

function read(part: unknown, found: Decoder): void {
  pick(part as Json, 'decoder', DECODERS)(part as Json, found);
}
