// SPDX-License-Identifier: MIT
import type { Tokenizer } from './tokenizer.js';

/**
 * Token ids in, text out, a piece per token: whole code points only, nothing of a stop string or of
 * what may still become one. What comes out does not depend on how the text fell into tokens.
 */
export class TextStream {
  #tokenizer: Pick<Tokenizer, 'bytes' | 'isControl'>;
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #stops: StopMatcher[];
  #held = '';
  #stopped: string | undefined;

  /**
   * @param stop strings that end the text; the one complete first counts, the longest of those
   * @throws RangeError for an empty stop string
   */
  constructor(tokenizer: Pick<Tokenizer, 'bytes' | 'isControl'>, stop: readonly string[]) {
    this.#tokenizer = tokenizer;
    // Longest first, so that of two that end at the same place the longer is met.
    this.#stops = [...stop]
      .sort((a, b) => b.length - a.length)
      .map((text) => new StopMatcher(text));
  }

  /** The stop string that ended the text. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Takes the next token and gives the text that is now safe to show; may be empty. */
  push(id: number): string {
    if (this.#stopped !== undefined || this.#tokenizer.isControl(id)) return '';
    return this.#release(this.#decoder.decode(this.#tokenizer.bytes(id), { stream: true }));
  }

  /** Gives what was held back, once the last token is in. Nothing after a stop. */
  finish(): string {
    if (this.#stopped !== undefined) return '';
    const text = this.#release(this.#decoder.decode());
    if (this.#stopped !== undefined) return text;
    const rest = text + this.#held;
    this.#held = '';
    return rest;
  }

  #release(added: string): string {
    if (this.#stops.length === 0) return added;
    const before = this.#held.length;
    const text = this.#held + added;
    for (let i = 0; i < added.length; i++) {
      const unit = added.charCodeAt(i);
      let met: StopMatcher | undefined;
      for (const stop of this.#stops) {
        if (stop.take(unit) && !met) met = stop;
      }
      if (met) {
        this.#stopped = met.text;
        this.#held = '';
        return text.slice(0, before + i + 1 - met.text.length);
      }
    }
    const keep = Math.max(...this.#stops.map((stop) => stop.matched));
    this.#held = text.slice(text.length - keep);
    return text.slice(0, text.length - keep);
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
