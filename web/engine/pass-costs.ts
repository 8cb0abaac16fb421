// SPDX-License-Identifier: MIT

// Before any is measured: a row more costs this part of a pass with one.
const ROW_COST = 0.4;
// And a guess by the block, or a draft, this part: little, so that it is tried. A token that a draft reads
// with many others, this part of its guess.
const GUESS_COST = { block: 0.15, draft: 0.1 };
const READ_COST = 0.1;
// Of those that were measured last, at most so many, the middle counts, as any may be held up by another program: with
// nine, guesses that could gain 1.25 times gained 1.15 where every fifth pass was, with more 1.17 to 1.2 (simulated).
const KEPT = 33;
// Where fewer than so many were measured, the others are what is believed before: five that agree are believed.
const ENOUGH = 9;
const FEW = ENOUGH >> 1;
// After so many passes over more rows, one row is read by itself to see what that takes beside them: where guesses
// gain most, 1.5 % are lost by it.
const ALONE = 16;
// What was not measured for so many passes is doubted, and for twice as many each time that it is tried for
// nothing. Where guesses never gain, texts take 0.3 % longer by it (simulated).
const DOUBTED_FIRST = 64;
const DOUBTED_LAST = 1024;
// Tried for something: so many more are measured.
const TRUSTED = 20;

/** What takes time to guess. */
export type Guesser = keyof typeof GUESS_COST;

/** What something has cost here. */
class Cost {
  #last: number[] = [];
  /** Passes since it was last measured, and after how many it is doubted. */
  #age = 0;
  #patience: number;
  /** How many were measured since it was. */
  #fresh = 0;
  #doubted = false;
  // Between these the middle of ENOUGH is what was believed before.
  #least = 0;
  #most = Infinity;

  /** @param patience passes after which it is doubted at first */
  constructor(patience = DOUBTED_FIRST) {
    this.#patience = patience;
  }

  /** @param before what is believed where it was not measured */
  value(before: number): number {
    return Math.min(Math.max(before, this.#least), this.#most);
  }

  /** Whether too few are known to be believed. */
  get few(): boolean {
    return this.#last.length <= FEW;
  }

  get doubted(): boolean {
    return this.#doubted;
  }

  learn(value: number): void {
    this.#age = 0;
    if (++this.#fresh === TRUSTED) this.#patience = DOUBTED_FIRST;
    this.#keep([...this.#last.slice(1 - KEPT), value]);
  }

  /** Takes that there was another pass. */
  grow(): void {
    if (++this.#age < this.#patience || this.few) return;
    this.#doubted = true;
    this.#fresh = 0;
    this.#patience = Math.min(2 * this.#patience, DOUBTED_LAST);
    // One more that agrees with these, and they are believed again.
    this.#keep(this.#last.slice(-FEW));
  }

  #keep(last: number[]): void {
    this.#last = last;
    const sorted = [...last].sort((a, b) => a - b);
    const middle = Math.max(last.length, ENOUGH) >> 1;
    this.#least = sorted[last.length - 1 - middle] ?? 0;
    this.#most = sorted[middle] ?? Infinity;
  }
}

/**
 * What passes over a model's weights take here, in parts of a pass over one row, as all of its texts have
 * measured them. Each is compared with the one beside it in time: other programs slow a machine down for
 * milliseconds or for seconds, but two passes in a row mostly alike. By what passes took on the whole,
 * guesses that could gain 1.5 times gained 1.2 to 1.3 where others were at work, now 1.44 (simulated).
 */
export class PassCosts {
  /** The pass before. */
  #before: { rows: number; ms: number } | undefined;
  /** Passes since there was one over one row. */
  #since = Infinity;
  /** Guesses that were made for the pass that is to come. */
  #made: { cost: Cost; ms: number } | undefined;
  /** What a row more costs: of all passes, and by their rows. */
  readonly #row = new Cost();
  readonly #rows: (Cost | undefined)[] = [];
  readonly #guesses: Record<Guesser, Cost> = {
    block: new Cost(DOUBTED_LAST),
    draft: new Cost(DOUBTED_LAST),
  };
  readonly #read = new Cost(DOUBTED_LAST);
  /** That are doubted with time: all but what a row costs of all passes, which is little believed beside its own. */
  readonly #aging = [this.#read, ...Object.values(this.#guesses)];

  /** Whether one row ought to be read by itself, to see what that takes. */
  get wantsOne(): boolean {
    const last = this.#before && this.#rows[this.#before.rows];
    const isTried = last?.few && (last.doubted || this.#row.few);
    return this.#since >= (isTried ? 1 : ALONE);
  }

  guess(by: Guesser): number {
    return this.#guesses[by].value(GUESS_COST[by]);
  }

  /** A token that a draft reads of what it is behind. */
  get read(): number {
    return this.#read.value(READ_COST * GUESS_COST.draft);
  }

  /** A pass over so many rows. */
  of(rows: number): number {
    const each = this.#row.value(ROW_COST);
    const cost = this.#rows[rows];
    // Hope is tried with two rows, where it costs least.
    const before = rows === 2 && cost?.doubted ? Math.min(each, ROW_COST) : each;
    return 1 + (rows - 1) * (cost?.value(before) ?? each);
  }

  /** @param ms undefined where it says nothing of other passes; 0 where the clock is too coarse */
  learn(rows: number, ms: number | undefined): void {
    const [before, made] = [this.#before, this.#made];
    this.#before = this.#made = undefined;
    if (!ms) return;
    for (const cost of this.#aging) cost.grow();
    made?.cost.learn((made.ms / ms) * this.of(rows));
    this.#since = rows === 1 ? 0 : this.#since + 1;
    // The first time says nothing, as the engine compiles what it runs, which took up to 19 ms.
    if (rows > 1 && !this.#rows[rows]) {
      const cost = new Cost();
      this.#rows[rows] = cost;
      this.#aging.push(cost);
      return;
    }
    this.#before = { rows, ms };
    if (rows === 1 && before && before.rows > 1) this.#compare(before, ms);
    if (rows > 1 && before?.rows === 1) this.#compare(this.#before, before.ms);
  }

  #compare(pass: { rows: number; ms: number }, one: number): void {
    // One row takes no longer than several, and as many passes as rows would do, too.
    const each = Math.min(Math.max((pass.ms / one - 1) / (pass.rows - 1), 0), 1);
    this.#rows[pass.rows]?.learn(each);
    this.#row.learn(each);
  }

  learnGuesses(by: Guesser, count: number, ms: number): void {
    this.#made = { cost: this.#guesses[by], ms: ms / count };
  }

  learnReading(tokens: number, ms: number): void {
    if (this.#before)
      this.#read.learn((ms / tokens / this.#before.ms) * this.of(this.#before.rows));
  }
}
