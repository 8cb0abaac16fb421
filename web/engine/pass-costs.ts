// SPDX-License-Identifier: MIT

// Before any is measured: a row more costs this part of a pass with one.
const ROW_COST = 0.4;
// And a guess by the block, or a draft, this part: little, so that it is tried. A token that a draft reads
// with many others, this part of its guess.
const GUESS_COST = { block: 0.15, draft: 0.1 };
const READ_COST = 0.1;
// The weight of what was measured last: at first more, but not all, as what was first measured may have
// been held up.
const FRESH = 0.2;
const FIRST = 1.5;
// What was measured long ago is believed less with every pass: once in a few hundred it is tried again.
const FORGET = 0.001;
// What one token takes is the middle of the last few passes over one. The first of all take longer, up to five
// times, until the engine has compiled what they run, and any may be held up.
const ONES = 5;
// After as many passes over more, one over one token says it anew: at first soon, then one in 64.
const SOON = 4;
const LATE = 64;
// A guess that took longer than so many of those before it was held up by something else: the engine
// compiled, another program ran. Those of a few hundred milliseconds would else never be asked for again.
const HELD_UP = 3;

/** What takes time to guess. */
export type Guesser = keyof typeof GUESS_COST;

/** Milliseconds that passes over a model's weights take here, as all of its texts have measured them. */
export class PassCosts {
  /** The last passes over one row. */
  #ones: number[] = [];
  /** Their middle. */
  #one: number | undefined;
  /** Passes since the last of them, and how many there have been. */
  #since = 0;
  #singles = 0;
  /** By the rows of a pass: parts of that with one. */
  readonly #parts: (number | undefined)[] = [];
  readonly #guesses = { ...GUESS_COST };
  #read = GUESS_COST.draft * READ_COST;
  /**
   * How often a pass was over so many rows; the first time the engine compiles what it runs, which took up
   * to 19 ms.
   */
  readonly #tried = new Map<number, number>();

  /** A pass over one token; undefined before there was any. */
  get one(): number | undefined {
    return this.#one;
  }

  /** Whether one token ought to be read by itself, to see what that takes. */
  get stale(): boolean {
    return this.#since >= Math.min(SOON * this.#singles, LATE);
  }

  guess(by: Guesser): number {
    return this.#guesses[by] * (this.#one ?? 0);
  }

  /** A token that a draft reads of what it is behind. */
  get read(): number {
    return this.#read * (this.#one ?? 0);
  }

  /** A pass over so many rows. What has not been measured costs for each what the nearest that has does. */
  of(rows: number): number {
    const one = this.#one ?? 0;
    for (let away = 0; away < Math.max(rows, this.#parts.length); away++) {
      for (const near of [rows - away, rows + away]) {
        const part = near > 1 ? this.#parts[near] : undefined;
        if (part !== undefined) return one * (1 + ((part - 1) / (near - 1)) * (rows - 1));
      }
    }
    return one * (1 + ROW_COST * (rows - 1));
  }

  learn(rows: number, ms: number): void {
    if (rows === 1) {
      this.#singles++;
      this.#since = 0;
      this.#measured([...this.#ones.slice(1 - ONES), ms]);
    } else {
      this.#since++;
      // One row takes no longer than several.
      if (ms < (this.#one ?? 0)) this.#measured([ms]);
    }
    for (const [other, part] of this.#parts.entries()) {
      if (part === undefined || other === rows) continue;
      this.#parts[other] = towards(part, 1 + ROW_COST * (other - 1), FORGET);
    }
    for (const by of ['block', 'draft'] as const) {
      this.#guesses[by] = towards(this.#guesses[by], GUESS_COST[by], FORGET);
    }
    const tried = this.#tried.get(rows) ?? 0;
    this.#tried.set(rows, tried + 1);
    if (rows === 1 || this.#one === undefined || tried === 0) return;
    // As many passes as rows would do, too: what took longer was held up by something else.
    const part = Math.min(ms / this.#one, rows);
    const believed = this.#parts[rows] ?? this.of(rows) / this.#one;
    this.#parts[rows] = towards(believed, part, Math.max(FRESH, FIRST / (tried + 1)));
  }

  #measured(ones: number[]): void {
    this.#ones = ones;
    this.#one = [...ones].sort((a, b) => a - b)[ones.length >> 1];
  }

  learnGuesses(by: Guesser, count: number, ms: number): void {
    if (!this.#one) return;
    const believed = this.#guesses[by];
    const found = Math.min(ms / count / this.#one, HELD_UP * believed);
    this.#guesses[by] = towards(believed, found, FRESH);
  }

  learnReading(tokens: number, ms: number): void {
    if (this.#one) this.#read = towards(this.#read, ms / tokens / this.#one, FRESH);
  }
}

/** What is known, moved by a part of its distance towards what was found. */
export function towards(known: number, found: number, weight: number): number {
  return known + weight * (found - known);
}
