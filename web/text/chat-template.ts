// SPDX-License-Identifier: MIT
import { Template } from '@huggingface/jinja';
import { ModelError } from '../errors.js';
import type { MetadataValue } from '../gguf/types.js';
import type { Tokenizer } from './tokenizer.js';

/** One turn of a conversation. */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** The answer begins with this: only for the last message of a prompt, the assistant's. */
  prefix?: boolean;
}

/** How {@link ChatTemplate.render} ends the prompt. */
export interface RenderOptions {
  /** Whether the text ends where the assistant's answer begins. */
  addGenerationPrompt: boolean;
  /** Whether the model may think first. Left to the template when not given. */
  thinking?: boolean;
}

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);

/** Messages to prompt text, by the Jinja template that came with the model. */
export class ChatTemplate {
  #template: Template;
  #bos: string;
  #eos: string;

  private constructor(template: Template, bos: string, eos: string) {
    this.#template = template;
    this.#bos = bos;
    this.#eos = eos;
  }

  /**
   * The template of a GGUF file, or undefined when it has none.
   *
   * @throws ModelError `chat_template` when it cannot be parsed
   */
  static fromMetadata(
    metadata: ReadonlyMap<string, MetadataValue>,
    tokenizer: Pick<Tokenizer, 'bosToken' | 'eosToken' | 'text'>,
  ): ChatTemplate | undefined {
    const source = metadata.get('tokenizer.chat_template');
    if (source === undefined) return undefined;
    if (typeof source !== 'string') throw failure('is not a text', undefined);
    const { bosToken, eosToken } = tokenizer;
    try {
      return new ChatTemplate(
        new Template(source),
        bosToken === undefined ? '' : tokenizer.text(bosToken),
        eosToken === undefined ? '' : tokenizer.text(eosToken),
      );
    } catch (cause) {
      throw failure('cannot be parsed', cause);
    }
  }

  /**
   * The prompt for a conversation.
   *
   * @throws TypeError for something that is not a message; ModelError `chat_template` with the
   * template's own words when it refuses the conversation
   */
  render(messages: readonly Message[], options: RenderOptions): string {
    for (const { role, content } of messages) {
      if (!ROLES.has(role) || typeof content !== 'string') {
        throw new TypeError(
          'a message is { role: system | user | assistant | tool, content: string }',
        );
      }
    }
    try {
      // Templates ask `tools is defined`, so what is not there is not passed, not even as null.
      return this.#template.render({
        messages: messages.map(({ role, content }) => ({ role, content })),
        add_generation_prompt: options.addGenerationPrompt,
        bos_token: this.#bos,
        eos_token: this.#eos,
        ...(options.thinking === undefined ? {} : { enable_thinking: options.thinking }),
      });
    } catch (cause) {
      throw failure('refused the conversation', cause);
    }
  }
}

function failure(what: string, cause: unknown): ModelError {
  const words = cause instanceof Error ? cause.message : String((cause as Error)?.message ?? '');
  const message = `the model's chat template ${what}${words ? `: ${words}` : ''}`;
  return new ModelError('chat_template', message, { subject: 'tokenizer.chat_template', cause });
}
