// SPDX-License-Identifier: MIT
// Fetched with the first answer that is told apart, and the first tool.

import type { ConstrainedText } from '../constraints/constrain.js';
import { fetchError, ModelError } from '../errors.js';
import type { GenerationSettings } from '../options.js';
import type { Message } from '../text/message.js';
import type { Knows } from '../text/template-messages.js';
import { saidIn, THINK, THOUGHT_END, type Thought } from '../text/thought.js';
import type { Tokenizer } from '../text/tokenizer.js';
import type { Tool } from '../text/tool.js';
import type { CompiledAnswer } from '../tools/answer-grammar.js';
import { AnswerReader } from '../tools/answer-reader.js';
import type { ToolFormat } from '../tools/format.js';
import { Marker } from '../tools/marker.js';
import { checkToolChoice } from '../tools/tool-choice.js';
import type { AnswerReading } from './generation.js';
import type { AnswerSettings } from './types.js';

export { toolFormat } from '../tools/formats.js';

/** Where an answer begins. */
export interface Asked {
  /** The prompt, to the place where the answer begins. */
  text: string;
  /** What the answer is said to begin with. */
  prefix: string;
  messages: readonly Message[];
  knows: Knows;
  tools: readonly Tool[];
  format: ToolFormat;
}

/**
 * Gets ready to tell an answer apart, and to hold it to what it may be.
 *
 * @param stop what ends its text
 * @throws TypeError or RangeError for tools or a constraint that cannot be held; ModelError
 * `unsupported_tokenizer` when only the vocabulary is at fault, `network` when code cannot be fetched
 */
export async function answering(
  tokenizer: Tokenizer,
  asked: Asked,
  { constraint, ignoreEos, stop }: GenerationSettings,
  settings: AnswerSettings,
): Promise<{ reading: AnswerReading; constraint: ConstrainedText | undefined }> {
  tokenizer.requireTexts();
  const { tools, format } = asked;
  const choice = checkToolChoice(settings.choice, tools);
  const thought = thoughtOf(asked, settings.thinking);
  const markers = {
    begin: new Marker(tokenizer, format.begin),
    end: new Marker(tokenizer, format.end),
    think: new Marker(tokenizer, THINK),
    thought: new Marker(tokenizer, THOUGHT_END),
  };
  const { parallel, budget } = settings;
  const isBounded = thought !== 'none' && budget !== undefined;
  let held: { text: ConstrainedText; compiled: CompiledAnswer } | undefined;
  if (tools.length > 0 || constraint || isBounded) {
    const { holdAnswer } = await import('../tools/hold-answer.js').catch((cause: unknown) => {
      throw fetchError(cause, 'constraints');
    });
    const form = { format, tools, choice, parallel, thought, constraint, markers };
    const ends = ignoreEos ? [] : tokenizer.endTokens;
    held = await holdAnswer(tokenizer, form, ends, isBounded ? budget : undefined);
    if (!held) {
      throw new ModelError('unsupported_tokenizer', "the model's tokens can write no such answer", {
        subject: 'tools',
      });
    }
  }
  if (constraint) held?.text.begin(saidIn(asked.prefix), constraint);
  const shown = new Map<number, string>();
  for (const { token, text } of Object.values(markers))
    if (token !== undefined) shown.set(token, text);
  const isString = held?.compiled.isString ?? (() => false);
  const mayCall = tools.length > 0 && choice !== 'none';
  const calls = {
    begin: markers.begin.text,
    end: format.end && markers.end.text,
    reader: format.reader(isString),
  };
  const reader = new AnswerReader({
    thought,
    think: markers.think.text,
    thoughtEnd: markers.thought.text,
    calls: mayCall ? calls : undefined,
    onlyCalls: mayCall && choice !== 'auto',
    stop,
    nextId: nextId(asked.messages),
  });
  return { reading: { reader, shown }, constraint: held?.text };
}

// Templates that make their model think write the beginning of the thought; others leave it to the model.
function thoughtOf({ text, prefix, knows }: Asked, thinking: boolean | undefined): Thought {
  if (prefix.includes(THOUGHT_END)) return 'none';
  const before = text.trimEnd();
  if (before.endsWith(THINK)) return 'open';
  if (!knows.thoughts || thinking === false || prefix) return 'none';
  if (before.endsWith(THOUGHT_END)) return 'none';
  return 'may';
}

// After the last of those that there are: the oldest may have been forgotten.
function nextId(messages: readonly Message[]): number {
  let next = 0;
  for (const { toolCalls = [] } of messages) {
    for (const { id } of toolCalls) {
      const number = /^call_(\d{1,9})$/.exec(id);
      if (number) next = Math.max(next, Number(number[1]) + 1);
    }
  }
  return next;
}
