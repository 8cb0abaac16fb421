// SPDX-License-Identifier: MIT

// Before any is measured: a row more costs this part of a pass with one.
const ROW_COST = 0.4;
// And a guess by the block, or a draft, this part: little, so that it is tried. A token that a draft reads
// with many others, this part of its guess.
const GUESS_COST = { block: 0.15, draft: 0.1 };
const READ_COST = 0.1;
// Of so many that were measured last the middle counts, as any may be held up by another program: where one pass in
// ten is, guesses gain 1.42 of 1.5 that they could (simulated), by the middle of five 1.39. Where fewer were measured,
// the others are what is believed before, so that five that agree are believed.
const KEPT = 9;
const HALF = KEPT >> 1;
// What was not measured for so many passes is not known any more, and is tried again.
const FORGET = 1024;
// After so many passes over more rows for each that is kept of those over one, one row says anew what it takes.
const SOON = 6;

/** What takes time to guess. */
export type Guesser = keyof typeof GUESS_COST;

/** What something has cost here. */
class Cost {
  #last: number[] = [];
  /** Passes since it was last measured. */
  #age = 0;
  // Between these the middle of KEPT is what was believed before.
  #least = 0;
  #most = Infinity;

  /** @param before what is believed where it was not measured */
  value(before: number): number {
    return Math.min(Math.max(before, this.#least), this.#most);
  }

  learn(value: number): void {
    this.#age = 0;
    this.#keep(latest(this.#last, value));
  }

  /** Takes that there was another pass. */
  grow(): void {
    if (++this.#age === FORGET) this.#keep([]);
  }

  #keep(last: number[]): void {
    this.#last = last;
    const sorted = ascending(last);
    this.#least = sorted[last.length - 1 - HALF] ?? 0;
    this.#most = sorted[HALF] ?? Infinity;
  }
}

/** Milliseconds that passes over a model's weights take here, as all of its texts have measured them. */
export class PassCosts {
  /** The last passes over one row. */
  #ones: number[] = [];
  #one: number | undefined;
  /** How many of them in a row, and passes since the last. */
  #alone = 0;
  #since = 0;
  /** What a row more costs, in parts of a pass over one: of all passes, and by their rows. */
  readonly #row = new Cost();
  readonly #rows: (Cost | undefined)[] = [];
  readonly #guesses: Record<Guesser, Cost> = { block: new Cost(), draft: new Cost() };
  readonly #read = new Cost();
  readonly #all = [this.#row, this.#read, ...Object.values(this.#guesses)];

  /** A pass over one token; undefined before there was any. */
  get one(): number | undefined {
    return this.#one;
  }

  /** Whether one token ought to be read by itself, to see what that takes. */
  get stale(): boolean {
    return this.#since >= SOON * this.#ones.length;
  }

  guess(by: Guesser): number {
    return this.#guesses[by].value(GUESS_COST[by]) * (this.#one ?? 0);
  }

  /** A token that a draft reads of what it is behind. */
  get read(): number {
    return this.#read.value(READ_COST * GUESS_COST.draft) * (this.#one ?? 0);
  }

  /** A pass over so many rows. */
  of(rows: number): number {
    const each = this.#row.value(ROW_COST);
    return (1 + (rows - 1) * (this.#rows[rows]?.value(each) ?? each)) * (this.#one ?? 0);
  }

  learn(rows: number, ms: number): void {
    for (const cost of this.#all) cost.grow();
    if (rows === 1) {
      this.#alone++;
      this.#since = 0;
      this.#measured(latest(this.#ones, ms));
      return;
    }
    this.#since++;
    if (this.#one === undefined) return;
    // The first time says nothing: of all, as the engine compiles what it runs, which took up to 19 ms, and after a
    // while of one row at a time, as the processor has forgotten it, which took a half longer.
    const known = this.#alone < FORGET ? this.#rows[rows] : undefined;
    this.#alone = 0;
    if (known) {
      // One row takes no longer than several, and as many passes as rows would do, too.
      const each = Math.min(Math.max((ms / this.#one - 1) / (rows - 1), 0), 1);
      known.learn(each);
      this.#row.learn(each);
    }
    this.#rows[rows] ??= this.#add();
    if (ms < this.#one) this.#measured([ms]);
  }

  #add(): Cost {
    const cost = new Cost();
    this.#all.push(cost);
    return cost;
  }

  #measured(ones: number[]): void {
    this.#ones = ones;
    this.#one = ascending(ones)[ones.length >> 1];
  }

  learnGuesses(by: Guesser, count: number, ms: number): void {
    if (this.#one) this.#guesses[by].learn(ms / count / this.#one);
  }

  learnReading(tokens: number, ms: number): void {
    if (this.#one) this.#read.learn(ms / tokens / this.#one);
  }
}

const latest = (values: readonly number[], value: number): number[] => [
  ...values.slice(1 - KEPT),
  value,
];

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
