// SPDX-License-Identifier: MIT

import { PassCosts } from './pass-costs.js';

/**
 * Where a guess is from: nothing else may follow; only its beginnings may follow, too; the text has said
 * so before; the model's block for guesses.
 */
export type GuessKind = 'only' | 'longest' | 'said' | 'block';

/** Tokens to be checked in one pass. */
export interface Guesses {
  tokens: number[];
  kinds: GuessKind[];
  /** How long it took to make them, in milliseconds. */
  ms: number;
}

/** How many guesses to have checked, and tokens for a millisecond that are expected then. */
export interface Plan {
  count: number;
  rate: number;
}

// The weight of what was seen last.
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
  readonly #costs: PassCosts;
  readonly #right: Record<GuessKind, number> = {
    only: 1,
    longest: PRIOR,
    said: PRIOR,
    block: PRIOR,
  };

  /** @param most guesses of one pass */
  constructor(most: number, costs: PassCosts = new PassCosts()) {
    this.#most = most;
    this.#costs = costs;
  }

  /** The share of guesses of a kind that is right, where those before them are. */
  likely(kind: GuessKind): number {
    return this.#right[kind];
  }

  /**
   * How many of the guesses of these kinds, from the first on, to have checked.
   *
   * @param made whether they are there already: those of the block take time
   */
  plan(kinds: readonly GuessKind[], made = true): Plan {
    const { one, guess } = this.#costs;
    // The first pass says what one token takes.
    if (one === undefined) return { count: 0, rate: 0 };
    const each = made ? 0 : guess;
    let best = { count: 0, rate: GAIN / one };
    let [likely, expected] = [1, 1];
    for (const [i, kind] of kinds.slice(0, this.#most).entries()) {
      likely *= this.#right[kind];
      expected += likely;
      const rate = expected / (this.#costs.of(i + 2) + each * (i + 1));
      if (rate > best.rate) best = { count: i + 1, rate };
    }
    return best;
  }

  /** Takes what a pass over guesses of these kinds has shown, of which the first `right` were right. */
  learn(kinds: readonly GuessKind[], right: number, ms: number): void {
    for (const kind of ['longest', 'said', 'block'] as const) {
      this.#right[kind] += FORGET * (PRIOR - this.#right[kind]);
    }
    this.#costs.learn(kinds.length + 1, ms);
    // Those after the first wrong one say nothing.
    for (const [i, kind] of kinds.slice(0, right + 1).entries()) {
      if (kind !== 'only') this.#right[kind] += FRESH * (Number(i < right) - this.#right[kind]);
    }
  }
}
