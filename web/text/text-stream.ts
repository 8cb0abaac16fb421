// SPDX-License-Identifier: MIT
import { StopStrings } from './stop-strings.js';
import type { Tokenizer } from './tokenizer.js';

/**
 * Token ids in, text out, a piece per token: whole code points only, nothing of a stop string or of
 * what may still become one. What comes out does not depend on how the text fell into tokens.
 */
export class TextStream {
  #tokenizer: Pick<Tokenizer, 'bytes' | 'isControl'>;
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #stops: StopStrings;
  #shown: ReadonlyMap<number, string>;

  /**
   * @param stop strings that end the text; the one complete first counts, the longest of those
   * @param shown what control tokens are in the text, where they are to be seen
   * @throws RangeError for an empty stop string
   */
  constructor(
    tokenizer: Pick<Tokenizer, 'bytes' | 'isControl'>,
    stop: readonly string[],
    shown: ReadonlyMap<number, string> = new Map(),
  ) {
    this.#tokenizer = tokenizer;
    this.#stops = new StopStrings(stop);
    this.#shown = shown;
  }

  /** The stop string that ended the text. */
  get stopped(): string | undefined {
    return this.#stops.met;
  }

  /** Takes the next token and gives the text that is now safe to show; may be empty. */
  push(id: number): string {
    if (this.stopped !== undefined) return '';
    const shown = this.#shown.get(id);
    if (shown !== undefined) return this.#stops.push(this.#decoder.decode() + shown);
    if (this.#tokenizer.isControl(id)) return '';
    return this.#stops.push(this.#decoder.decode(this.#tokenizer.bytes(id), { stream: true }));
  }

  /** Gives what was held back, once the last token is in. Nothing after a stop. */
  finish(): string {
    if (this.stopped !== undefined) return '';
    const text = this.#stops.push(this.#decoder.decode());
    return this.stopped !== undefined ? text : text + this.#stops.finish();
  }
}
