// SPDX-License-Identifier: MIT

/** The tokens of a mask, where these are few. */
export interface Choices {
  ids: readonly number[];
  /** A hash of them. */
  key: number;
}

// Names, enumerations and what may follow a value or a number are fewer; text is not.
const MOST = 64;
// More that begin each other a vocabulary hardly has.
const MOST_BEGINNINGS = 16;

/** Undefined where there are more than a few. */
export function choicesOf(mask: Int32Array): Choices | undefined {
  const ids: number[] = [];
  let key = 0;
  for (let i = 0; i < mask.length; i++) {
    for (let left = mask[i] as number; left !== 0; left &= left - 1) {
      const id = 32 * i + (31 - Math.clz32(left & -left));
      if (ids.push(id) > MOST) return undefined;
      key = Math.imul(key ^ id, 0x01000193);
    }
  }
  return { ids, key };
}

/**
 * The longest of them, where each is the beginning of the next: the text is decided, and at most how it
 * falls into tokens is not.
 */
export function longest({ ids }: Choices, bytesOf: (id: number) => Uint8Array): number | undefined {
  if (ids.length > MOST_BEGINNINGS) return undefined;
  const texts = ids.map((id) => ({ id, bytes: bytesOf(id) }));
  texts.sort((a, b) => a.bytes.length - b.bytes.length);
  for (const [i, { bytes }] of texts.entries()) {
    const next = texts[i + 1]?.bytes;
    if (next && !bytes.every((byte, at) => next[at] === byte)) return undefined;
  }
  return texts.at(-1)?.id;
}

/** Whether a mask has a token. */
export const has = (mask: Int32Array, id: number) =>
  ((mask[id >> 5] as number) & (1 << (id & 31))) !== 0;
