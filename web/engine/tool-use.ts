// SPDX-License-Identifier: MIT

import { fetchError } from '../errors.js';
import type { GenerationSettings } from '../options.js';
import type { ChatTemplate } from '../text/chat-template.js';
import type { Message } from '../text/message.js';
import type { CallWriter } from '../text/template-messages.js';
import type { Tokenizer } from '../text/tokenizer.js';
import type { Tool } from '../text/tool.js';
import type { ToolFormatName } from '../tools/format-names.js';
import type { Asked } from './answering.js';
import type { AnswerSettings } from './types.js';

/** How a conversation's calls are written and read, fetched where there are any. */
export class ToolUse {
  readonly name: ToolFormatName | undefined;
  readonly #template: () => ChatTemplate;

  /** @param name what its caller says of the format, instead of the template */
  constructor(template: () => ChatTemplate, name: ToolFormatName | undefined) {
    this.#template = template;
    this.name = name;
  }

  /** What writes calls, and examples of them, where the template leaves that to whoever renders. */
  async writer(messages: readonly Message[], tools: readonly Tool[]): Promise<CallWriter> {
    const { knows } = this.#template();
    const isTold = knows.tools || tools.length === 0;
    if (isTold && (knows.toolCalls || !messages.some(({ toolCalls }) => toolCalls?.length))) {
      return NOTHING_TO_WRITE;
    }
    return this.#format(await answers());
  }

  /** As `answering` does. */
  async answering(
    tokenizer: Tokenizer,
    asked: Omit<Asked, 'knows' | 'format'>,
    settings: GenerationSettings,
    answer: AnswerSettings,
  ) {
    const module = await answers();
    const { knows } = this.#template();
    const whole = { ...asked, knows, format: this.#format(module) };
    return module.answering(tokenizer, whole, settings, answer);
  }

  #format({ toolFormat }: Awaited<ReturnType<typeof answers>>) {
    return toolFormat(this.#template().source, this.name);
  }
}

const NOTHING_TO_WRITE: CallWriter = {
  write() {
    throw new Error('nobody knows how calls are written');
  },
};

// Its own download: most pages do without.
async function answers() {
  return import('./answering.js').catch((cause: unknown) => {
    throw fetchError(cause, 'answers');
  });
}
