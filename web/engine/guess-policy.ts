// SPDX-License-Identifier: MIT

/**
 * Where a guess is from: nothing else may follow; only its beginnings may follow, too; the text has said
 * so before.
 */
export type GuessKind = 'only' | 'longest' | 'said';

/** Tokens to be checked in one pass, and what may be drawn at each and after them. */
export interface Guesses {
  tokens: number[];
  kinds: GuessKind[];
  /** A mask for each, and one for the token after them; undefined: anything. */
  allowed: Int32Array[] | undefined;
}

// Before any is measured: a row more costs this part of a pass with one.
const ROW_COST = 0.4;
// The weight of what was measured last.
const FRESH = 0.2;
// A guess is worth it where it is expected to save this part of the time.
const GAIN = 1.05;
// What is believed of guesses before there were any; after a time without any it is believed again, so
// that a text which has begun to repeat is noticed.
const PRIOR = 0.7;
const FORGET = 0.01;

/**
 * How many tokens to guess at a time: as many as promise the most tokens for the time, by what passes
 * over so many rows have taken here and how many guesses of each kind were right. None where that is
 * not faster.
 */
export class GuessPolicy {
  readonly #most: number;
  /** Milliseconds of a pass by its rows. */
  readonly #ms: (number | undefined)[] = [];
  readonly #right: Record<GuessKind, number> = { only: 1, longest: PRIOR, said: PRIOR };

  /** @param most guesses of one pass */
  constructor(most: number) {
    this.#most = most;
  }

  /** The share of guesses of a kind that is right, where those before them are. */
  likely(kind: GuessKind): number {
    return this.#right[kind];
  }

  /** How many of the guesses of these kinds, from the first on, to have checked. */
  count(kinds: readonly GuessKind[]): number {
    const one = this.#ms[1];
    // The first pass says what one token takes.
    if (one === undefined) return 0;
    for (const kind of ['longest', 'said'] as const) {
      this.#right[kind] += FORGET * (PRIOR - this.#right[kind]);
    }
    let best = 0;
    let bestRate = GAIN / one;
    let [likely, expected] = [1, 1];
    for (const [i, kind] of kinds.slice(0, this.#most).entries()) {
      likely *= this.#right[kind];
      expected += likely;
      const rate = expected / this.#cost(i + 2, one);
      if (rate > bestRate) [best, bestRate] = [i + 1, rate];
    }
    return best;
  }

  // What has not been measured costs for each row what the nearest that has does.
  #cost(rows: number, one: number): number {
    for (let away = 0; away < this.#most; away++) {
      for (const near of [rows - away, rows + away]) {
        const ms = near > 1 ? this.#ms[near] : undefined;
        if (ms !== undefined) return one + ((ms - one) / (near - 1)) * (rows - 1);
      }
    }
    return one * (1 + ROW_COST * (rows - 1));
  }

  /** Takes what a pass over guesses of these kinds has shown, of which the first `right` were right. */
  learn(kinds: readonly GuessKind[], right: number, ms: number): void {
    const rows = kinds.length + 1;
    const known = this.#ms[rows];
    this.#ms[rows] = known === undefined ? ms : known + FRESH * (ms - known);
    // Those after the first wrong one say nothing.
    for (const [i, kind] of kinds.slice(0, right + 1).entries()) {
      if (kind !== 'only') this.#right[kind] += FRESH * (Number(i < right) - this.#right[kind]);
    }
  }
}
