// SPDX-License-Identifier: MIT
import type { AnswerSettings } from './engine/types.js';
import type { NamesOf } from './option-names.js';
import { GENERATION_NAMES, type GenerationOptions, whole } from './options.js';
import { checkTools, type Tool } from './text/tool.js';
import type { ToolChoice } from './tools/tool-choice.js';

/** What an answer may be, beside how it is written. A `stop` string ends its text, not calls or thoughts. */
export interface RespondOptions extends GenerationOptions {
  /**
   * What the model may call: instead of those that the session has, from now on. They are part of
   * what the model reads first, so that other ones make it read everything again.
   */
  tools?: readonly Tool[];
  /** Default `auto`. */
  toolChoice?: ToolChoice;
  /** Whether it may ask for several calls at once. Default true. */
  parallelToolCalls?: boolean;
  /**
   * Whether the model may think before it answers, in at most `budget` tokens, a whole number >= 0;
   * else as the session has it. A `constraint`, and what holds calls to their form, begin behind the
   * thought.
   */
  thinking?: boolean | { budget: number };
}

/** Those that are not {@link GenerationOptions}. */
type Own = Omit<RespondOptions, keyof GenerationOptions>;

export const RESPOND_NAMES: NamesOf<RespondOptions> = {
  ...GENERATION_NAMES,
  tools: true,
  toolChoice: true,
  parallelToolCalls: true,
  thinking: true,
};

/** @throws TypeError or RangeError naming the option; for `toolChoice`, whoever knows the tools */
export function answerSettings(options: Own): AnswerSettings {
  const { tools, toolChoice, parallelToolCalls: parallel = true, thinking } = options;
  if (typeof parallel !== 'boolean') {
    throw new TypeError('parallelToolCalls must be true or false');
  }
  const budgeted = typeof thinking === 'object' && thinking !== null ? thinking : undefined;
  if (thinking !== undefined && typeof thinking !== 'boolean' && !budgeted) {
    throw new TypeError('thinking must be true, false or { budget }');
  }
  return {
    tools: tools === undefined ? undefined : checkTools(tools),
    choice: toolChoice,
    parallel,
    thinking: budgeted ? true : (thinking as boolean | undefined),
    budget: budgeted && whole(budgeted, 'budget', 0, 0, 2 ** 31 - 1),
  };
}
