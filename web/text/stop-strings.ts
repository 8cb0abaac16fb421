// SPDX-License-Identifier: MIT

/** Looks for strings that end a text, in pieces of it. */
export class StopStrings {
  #matchers: StopMatcher[];
  #held = '';
  #met: string | undefined;

  /**
   * @param stop the one complete first counts, the longest of those
   * @throws RangeError for an empty string
   */
  constructor(stop: readonly string[]) {
    // Longest first, so that of two that end at the same place the longer is met.
    this.#matchers = [...stop]
      .sort((a, b) => b.length - a.length)
      .map((text) => new StopMatcher(text));
  }

  /** The one that ended the text. */
  get met(): string | undefined {
    return this.#met;
  }

  /** Takes the next piece and gives what is now safe to show: nothing that may become one of them. */
  push(added: string): string {
    if (this.#met !== undefined) return '';
    if (this.#matchers.length === 0) return added;
    const before = this.#held.length;
    const text = this.#held + added;
    for (let i = 0; i < added.length; i++) {
      const unit = added.charCodeAt(i);
      let met: StopMatcher | undefined;
      for (const stop of this.#matchers) {
        if (stop.take(unit) && !met) met = stop;
      }
      if (met) {
        this.#met = met.text;
        this.#held = '';
        return text.slice(0, before + i + 1 - met.text.length);
      }
    }
    const keep = Math.max(...this.#matchers.map((stop) => stop.matched));
    this.#held = text.slice(text.length - keep);
    return text.slice(0, text.length - keep);
  }

  /** Gives what was held back, once the last piece is in. */
  finish(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}

// Knuth-Morris-Pratt: how much of the stop string the text so far ends with, a step per unit.
class StopMatcher {
  readonly text: string;
  matched = 0;
  #fallback: Int32Array;

  constructor(text: string) {
    if (text === '') throw new RangeError('a stop string must not be empty');
    this.text = text;
    this.#fallback = new Int32Array(text.length);
    for (let i = 1, length = 0; i < text.length; i++) {
      while (length > 0 && text[i] !== text[length]) length = this.#fallback[length - 1] as number;
      if (text[i] === text[length]) length += 1;
      this.#fallback[i] = length;
    }
  }

  /** Takes one UTF-16 unit; true when it completes the stop string. */
  take(unit: number): boolean {
    while (this.matched > 0 && this.text.charCodeAt(this.matched) !== unit) {
      this.matched = this.#fallback[this.matched - 1] as number;
    }
    if (this.text.charCodeAt(this.matched) === unit) this.matched += 1;
    return this.matched === this.text.length;
  }
}
