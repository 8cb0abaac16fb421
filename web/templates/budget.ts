// SPDX-License-Identifier: MIT
// What a template may use: it comes with a stranger's file and runs on the engine's thread.

/** A template went beyond what one may use. */
export class LimitError extends Error {}

// The longest of llama.cpp's 70 has 19 000 letters; those of the models that run here nest up to 60
// nodes and take up to 300 steps a message.
export const MAX_SOURCE = 262_144;
export const MAX_DEPTH = 400;
// Half a second of work at most.
const STEPS = 400_000;
const STEPS_PER_MESSAGE = 4000;
// A schema's values are looked at one by one.
const STEPS_PER_VALUE = 400;
// Texts that are made on the way count too: a letter that is put out has been in about six.
const LETTERS = 16_777_216;
const LETTERS_PER_LETTER = 64;
// Work on long values is more than a step: so much of a text that is read, or of a list, is one.
const LETTERS_PER_STEP = 1024;
const ITEMS_PER_STEP = 4;
/** What a value takes in a text of what holds it, beside its own letters: brackets, and time. */
export const LETTERS_PER_VALUE = 16;

/** Counts what a rendering does, and stops it. */
export class Budget {
  #steps = 0;
  #letters = 0;
  #depth = 0;
  #mostSteps: number;
  #mostLetters: number;

  /** @param given how much the conversation is: messages, values in all, letters in all */
  constructor(given: { messages: number; values: number; letters: number }) {
    const { messages, values, letters } = given;
    this.#mostSteps =
      STEPS +
      STEPS_PER_MESSAGE * messages +
      STEPS_PER_VALUE * values +
      Math.floor(letters / ITEMS_PER_STEP);
    this.#mostLetters = LETTERS + LETTERS_PER_LETTER * letters;
  }

  step(count = 1): void {
    this.#steps += count;
    // Written so that what is no number is too much.
    if (!(this.#steps <= this.#mostSteps)) {
      throw new LimitError(`it takes more than ${this.#mostSteps} steps`);
    }
  }

  /** So many items of a list are read or made. */
  items(count: number): void {
    this.step(Math.floor(count / ITEMS_PER_STEP));
  }

  /** A list of so many is about to be made. */
  list(count: number, what: string): void {
    if (!(this.#steps + count <= this.#mostSteps)) {
      throw new LimitError(`it asks for a ${what} of ${count}`);
    }
    this.items(count);
  }

  /** A text is looked through. */
  read(text: string): void {
    if (text.length >= LETTERS_PER_STEP) this.step(Math.floor(text.length / LETTERS_PER_STEP));
  }

  /** So many letters are made, or about to be. */
  letters(count: number): void {
    this.#letters += count;
    if (!(this.#letters <= this.#mostLetters)) {
      throw new LimitError(`it writes more than ${this.#mostLetters} letters`);
    }
  }

  /** Does what lies within something else. */
  within<T>(work: () => T): T {
    if (this.#depth === MAX_DEPTH) throw new LimitError(`it nests deeper than ${MAX_DEPTH}`);
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }
}
