// SPDX-License-Identifier: MIT

/** The tokens of a mask, where these are few. */
export interface Choices {
  ids: readonly number[];
  /** A hash of them. */
  key: number;
}

// Names, enumerations and what may follow a value or a number are fewer; text is not.
const MOST = 64;

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

/** Whether a mask has a token. */
export const has = (mask: Int32Array, id: number) =>
  ((mask[id >> 5] as number) & (1 << (id & 31))) !== 0;
