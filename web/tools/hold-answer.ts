// SPDX-License-Identifier: MIT
// Fetched only where an answer is held to something.
import { ConstrainedText, hold } from '../constraints/constrain.js';
import type { Tokenizer } from '../text/tokenizer.js';
import { type AnswerForm, answerGrammar, type CompiledAnswer } from './answer-grammar.js';

/**
 * Gets ready to hold an answer to its form.
 *
 * @param ends tokens that may end it
 * @param budget most tokens of a thought
 * @returns undefined when the tokens can write no such answer
 * @throws as {@link answerGrammar}
 */
export async function holdAnswer(
  tokenizer: Tokenizer,
  form: AnswerForm,
  ends: Iterable<number>,
  budget: number | undefined,
): Promise<{ text: ConstrainedText; compiled: CompiledAnswer } | undefined> {
  const { format, markers: _, ...others } = form;
  const key = JSON.stringify({ ...others, format: format.name });
  const held = await hold(tokenizer, key, (alphabet) => answerGrammar(form, alphabet));
  if (!held) return undefined;
  const { grammar, compiled } = held;
  const { thought } = compiled;
  const stretch =
    thought && budget !== undefined ? { terminal: thought, tokens: budget } : undefined;
  return { text: new ConstrainedText(grammar, tokenizer, ends, stretch), compiled };
}
