// SPDX-License-Identifier: MIT

import { type Guesser, PassCosts } from './pass-costs.js';

/**
 * Where a guess is from: nothing else may follow; it was taken before where the same might follow; the text
 * has said so before, behind a few tokens that are the same, behind more or many; the model's block for
 * guesses; a draft.
 */
export type GuessKind = 'only' | 'habit' | Said | Guesser;
export type Said = 'said' | 'quoted' | 'copied';

/** What is said again where so many tokens are the same. */
export const saidBehind = (matched: number): Said =>
  matched < 6 ? 'said' : matched < 12 ? 'quoted' : 'copied';

/** Tokens to be checked in one pass. */
export interface Guesses {
  tokens: number[];
  kinds: GuessKind[];
  /** How long it took to make them, in milliseconds. */
  ms: number;
}

/** How many guesses to have checked, and tokens that are expected then for the time of a pass over one. */
export interface Plan {
  count: number;
  rate: number;
}

/** What a guesser's guesses have come to. */
export interface GuessRecord {
  /** The share of them that is right, where those before them are. */
  right: number;
  /** How many that share is of. */
  seen: number;
  /** How often it is sure enough to make any. */
  made: number;
}

// The weight of what was seen last: of few guesses as in a mean, later a tenth, as texts change. With a fifth one
// guess that was wrong makes 95 % right ones look like 76, for which most machines are better off without.
const FRESH = 0.1;
const EARLY = 3;
// And of whether any was made.
const FRESH_MADE = 0.2;
// A guess is worth it where it is expected to save this part of the time.
const GAIN = 1.05;
// And of the block's guesses, in a text and in all of a model: how good it is does not change, how sure of
// themselves texts are does. With a tenth, of guesses that were 75 % right and could gain 1.14 times it was 1.05.
const FRESH_BLOCK = { text: 0.05, model: 0.02 };
// What is believed of guesses before there were any; after a time without any it is believed again, so
// that a text which has begun to repeat is noticed. Of two story models 36 to 90 % were right behind six tokens
// that were the same, and 79 to 99.7 % behind twelve: where a row more costs much, only who believes that tries.
const PRIOR = { said: 0.7, quoted: 0.75, copied: 0.9, block: 0.7, draft: 0.7 };
const FORGET = 0.01;
// What calls itself surer than that may be wrong about it.
const MOST_SURE = 0.9;
// A text is expected to have as many tokens yet, if there is room: over them what is read once is spread.
const HORIZON = 256;

type Judged = keyof typeof PRIOR;
type Records = Record<Judged, GuessRecord>;

export const newRecord = (kind: Judged): GuessRecord => ({ right: PRIOR[kind], seen: 0, made: 1 });

/**
 * How many tokens to guess at a time: as many as promise the most tokens for the time, by what passes
 * over so many rows have taken here and how many guesses of each kind were right. None where that is
 * not faster.
 */
export class GuessPolicy {
  readonly #most: number;
  readonly #costs: PassCosts;
  readonly #records: Records;
  readonly #block: GuessRecord;

  /**
   * @param most guesses of one pass
   * @param block what the block's have come to in all texts
   * @param draft what the draft's have
   */
  constructor(
    most: number,
    costs: PassCosts = new PassCosts(),
    block = newRecord('block'),
    draft = newRecord('draft'),
  ) {
    this.#most = most;
    this.#costs = costs;
    this.#block = block;
    const kinds = Object.keys(PRIOR) as Judged[];
    this.#records = Object.fromEntries(kinds.map((kind) => [kind, newRecord(kind)])) as Records;
    this.#records.block.right = this.#before('block');
    this.#records.draft = draft;
  }

  // What is believed of guesses where none were seen of late.
  #before(kind: Judged): number {
    const prior = PRIOR[kind];
    return kind === 'block' ? Math.max(prior, this.#block.right) : prior;
  }

  /** The share of guesses of a kind that is right, where those before them are. */
  likely(kind: Judged): number {
    return this.#records[kind].right;
  }

  /**
   * How many guesses, from the first on, to have checked.
   *
   * @param likely how likely each is to be right, where those before it are
   */
  plan(likely: readonly number[]): Plan {
    return this.#best(likely, (expected, rows) => expected / this.#costs.of(rows));
  }

  /**
   * How many guesses to ask for, which take time.
   *
   * @param most of them
   * @param behind tokens that are to be read before
   * @param room tokens that may follow
   */
  planBy(by: Guesser, most: number, behind = 0, room = HORIZON): Plan {
    const { made, right } = this.#records[by];
    const each = this.#costs.guess(by);
    const once = (behind * this.#costs.read) / Math.min(Math.max(room, 1), HORIZON);
    const likely = Array<number>(Math.max(most, 0)).fill(right);
    return this.#best(likely, (expected, rows) => {
      // Where none is made, the first was asked for, and the pass is over one row.
      const tokens = 1 + made * (expected - 1);
      const time = 1 + made * (this.#costs.of(rows) - 1) + each * (1 + made * (rows - 2));
      return tokens / (time + tokens * once);
    });
  }

  /** How likely to be right a guess must be for its row to be worth it, at a plan's rate. */
  least({ rate }: Plan): number {
    return Math.min((this.#costs.of(2) - 1) * rate, MOST_SURE);
  }

  #best(shares: readonly number[], rateOf: (expected: number, rows: number) => number): Plan {
    if (this.#costs.wantsOne) return { count: 0, rate: 0 };
    let best = { count: 0, rate: GAIN };
    let [likely, expected] = [1, 1];
    for (const [i, share] of shares.slice(0, this.#most).entries()) {
      likely *= share;
      expected += likely;
      const rate = rateOf(expected, i + 2);
      if (rate > best.rate) best = { count: i + 1, rate };
    }
    return best;
  }

  /** Takes whether a guesser that was asked has made any. */
  learnMade(by: Guesser, made: boolean): void {
    const record = this.#records[by];
    record.made = towards(record.made, Number(made), FRESH_MADE);
  }

  /** Takes what a pass over guesses of these kinds has shown, of which the first `right` were right. */
  learn(kinds: readonly GuessKind[], right: number, ms: number | undefined): void {
    for (const [kind, record] of Object.entries(this.#records)) {
      record.right = towards(record.right, this.#before(kind as Judged), FORGET);
      record.made = towards(record.made, 1, FORGET);
    }
    this.#costs.learn(kinds.length + 1, ms);
    // Those after the first wrong one say nothing.
    for (const [i, kind] of kinds.slice(0, right + 1).entries()) {
      if (kind === 'only' || kind === 'habit') continue;
      const isBlock = kind === 'block';
      judge(this.#records[kind], i < right, isBlock ? FRESH_BLOCK.text : FRESH);
      if (isBlock) judge(this.#block, i < right, FRESH_BLOCK.model);
    }
  }
}

/** Takes whether a guess was right, which counts so much and of the first ones more. */
function judge(record: GuessRecord, isRight: boolean, fresh: number): void {
  const weight = Math.max(fresh, 1 / (EARLY + ++record.seen));
  record.right = towards(record.right, Number(isRight), weight);
}

/** What is known, moved by a part of its distance towards what was found. */
export function towards(known: number, found: number, weight: number): number {
  return known + weight * (found - known);
}
