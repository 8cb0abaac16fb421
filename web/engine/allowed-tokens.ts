// SPDX-License-Identifier: MIT

/** Of the tokens that a constraint allows: how many there are, and the most likely, best first. */
export interface AllowedIds {
  count: number;
  best: number[];
  /** The sum of their weights, e to the power of logit less shift. */
  weight: number;
}

/**
 * Looks at the tokens that a mask allows.
 *
 * @param mask a bit for each token, 32 to a word, lowest first
 * @param logits of the whole vocabulary
 * @param most how many of the best to name
 * @param shift subtracted from each logit before it is a power: the logarithm of the sum over the
 * whole vocabulary makes `weight` their share of the probability
 */
export function allowedIds(
  mask: Int32Array,
  logits: Float32Array,
  most: number,
  shift: number,
): AllowedIds {
  const best: number[] = [];
  const logitOf = (id: number) => logits[id] as number;
  let worst = most === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  let count = 0;
  let weight = 0;
  for (let i = 0; i < mask.length; i++) {
    // Word by word: most words of most masks are zero.
    for (let left = mask[i] as number; left !== 0; left &= left - 1) {
      const id = 32 * i + (31 - Math.clz32(left & -left));
      if (id >= logits.length) break;
      const logit = logitOf(id);
      count++;
      weight += Math.exp(logit - shift);
      if (best.length === most && !(logit > worst)) continue;
      let place = best.length;
      while (place > 0 && logit > logitOf(best[place - 1] as number)) place--;
      best.splice(place, 0, id);
      if (best.length > most) best.pop();
      if (best.length === most) worst = logitOf(best[most - 1] as number);
    }
  }
  return { count, best, weight };
}
