// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { tryForm } from './answering.js';
import { FORMS } from './forms.js';

/** @import { Constraint, Model, Tool } from 'fastweights' */

// Long enough that nobody is told of what they have half typed.
const CHECK_AFTER_MS = 350;

/** The field that says what the answer is held to, and what is wrong with that. */
export class FormField {
  #text = element('form', HTMLTextAreaElement);
  #check = element('form-check');
  #model;
  #onExample;
  /** What was typed into the others. @type {Map<string, string>} */
  #typed = new Map();
  #kind = 'schema';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {AbortController | undefined} */
  #trying;

  /**
   * @param {() => Model | undefined} model the one that runs now
   * @param {(prompt: string) => void} onExample called with the request that goes with an example
   */
  constructor(model, onExample) {
    this.#model = model;
    this.#onExample = onExample;
    this.#text.addEventListener('input', () => this.#soon());
    for (const input of document.querySelectorAll('input[name=kind]')) {
      input.addEventListener('change', () =>
        this.#show(/** @type {HTMLInputElement} */ (input).value),
      );
      // A browser keeps what was chosen over a reload.
      if (/** @type {HTMLInputElement} */ (input).checked)
        this.#show(/** @type {HTMLInputElement} */ (input).value);
    }
  }

  get kind() {
    return this.#kind;
  }

  /** @returns {Constraint | readonly Tool[] | undefined} undefined, with the reason shown, when it cannot be read */
  read() {
    try {
      return FORMS[this.#kind].read(this.#text.value);
    } catch (error) {
      this.#tell(error);
      return undefined;
    }
  }

  /**
   * Finds out, and shows, whether an answer can be held to what is there.
   *
   * @returns {Promise<Constraint | readonly Tool[] | undefined>} undefined when none can be, nobody knows
   *   yet, or another check has begun
   */
  async check() {
    clearTimeout(this.#timer);
    this.#trying?.abort();
    const form = this.read();
    const model = this.#model();
    if (!form) return undefined;
    if (!model) {
      this.#say('Checked in full once the model runs.');
      return undefined;
    }
    const trying = new AbortController();
    this.#trying = trying;
    try {
      await tryForm(model, form, trying.signal);
      if (trying.signal.aborted) return undefined;
      this.#say('An answer can be held to this.', true);
      return form;
    } catch (error) {
      if (!trying.signal.aborted) this.#tell(error);
      return undefined;
    }
  }

  /** @param {unknown} error */
  #tell(error) {
    this.#say(/** @type {Error} */ (error).message, false);
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.check(), CHECK_AFTER_MS);
  }

  /** @param {string} kind */
  #show(kind) {
    this.#typed.set(this.#kind, this.#text.value);
    const { label, examples } = FORMS[kind];
    const first = this.#typed.get(kind) || examples[0].text;
    this.#kind = kind;
    element('form-label').textContent = label;
    const chips = examples.map(({ name, text, prompt }) => {
      const chip = document.createElement('button');
      chip.type = 'button';
      chip.textContent = name;
      chip.addEventListener('click', () => {
        this.#text.value = text;
        this.#onExample(prompt);
        this.check();
      });
      return chip;
    });
    element('examples').replaceChildren(...chips);
    this.#text.value = first;
    this.#onExample((examples.find(({ text }) => text === first) ?? examples[0]).prompt);
    this.check();
  }

  /** @type {(words: string, isGood?: boolean) => void} */
  #say(words, isGood) {
    this.#check.textContent = words;
    this.#check.classList.toggle('good', isGood === true);
    this.#check.classList.toggle('bad', isGood === false);
    this.#text.ariaInvalid = isGood === false ? 'true' : 'false';
  }
}
