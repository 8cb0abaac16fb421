// SPDX-License-Identifier: MIT
// What a generation may have, each a download of its own: most pages do without.
import type { ConstrainedText } from '../constraints/constrain.js';
import { fetchError, ModelError } from '../errors.js';
import type { GenerationSettings } from '../options.js';
import { saidIn } from '../text/thought.js';
import type { TextMachine } from './prefill.js';
import type { Speculation } from './speculation.js';

/**
 * Gets ready to hold a text to its constraint, if it has one.
 *
 * @param begun what is there of the answer
 * @throws TypeError or RangeError for a constraint that cannot be kept; ModelError
 * `unsupported_tokenizer` when only the vocabulary is at fault, `network` when the code for it cannot
 * be fetched
 */
export async function constrained(
  { tokenizer }: TextMachine,
  { constraint, ignoreEos }: GenerationSettings,
  begun = '',
): Promise<ConstrainedText | undefined> {
  if (!constraint) return undefined;
  tokenizer.requireTexts();
  const { constrain } = await import('../constraints/constrain.js').catch((cause: unknown) => {
    throw fetchError(cause, 'constraints');
  });
  const ends = ignoreEos ? [] : tokenizer.endTokens;
  const text = await constrain(tokenizer, constraint, ends, saidIn(begun));
  if (text) return text;
  throw new ModelError('unsupported_tokenizer', "the model's tokens can write no such text", {
    subject: 'constraint',
  });
}

/**
 * Gets ready to guess tokens of a text, if that is asked for.
 *
 * @param held all of its tokens, with those of the prompt
 * @returns undefined too where the model's texts cannot be taken back, or memory is short
 * @throws ModelError `network` when the code for it cannot be fetched
 */
export async function speculating(
  machine: TextMachine,
  { speculate }: GenerationSettings,
  held: readonly number[],
): Promise<Speculation | undefined> {
  if (!(speculate ?? machine.speculate)) return undefined;
  if (!machine.session.reserveGuesses()) return undefined;
  const { Speculation } = await import('./speculation.js').catch((cause: unknown) => {
    throw fetchError(cause, 'speculation');
  });
  return new Speculation(machine, held);
}
