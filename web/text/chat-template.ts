// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { Metadata } from '../gguf/types.js';
import { Jinja } from './jinja.js';
import { ControlTexts } from './marks.js';
import type { Message } from './message.js';
import {
  type CallWriter,
  type Knows,
  knownTo,
  type TemplateMessage,
  templateMessages,
  templateTools,
} from './template-messages.js';
import type { Tokenizer } from './tokenizer.js';
import type { Tool } from './tool.js';
import { WORLD_STOPS, type WorldContext, worldChat } from './world-chat.js';

/** How {@link ChatTemplate.render} ends the prompt. */
export interface RenderOptions {
  /** Whether the text ends where the assistant's answer begins. */
  addGenerationPrompt: boolean;
  /** Whether the model may think first. Left to the template when not given. */
  thinking?: boolean;
  /** What the model may call. */
  tools?: readonly Tool[];
  /** How calls are written where the template does not say. */
  writer: CallWriter;
}

/** What a template needs of a tokenizer. */
type Texts = Pick<Tokenizer, 'bosToken' | 'eosToken' | 'text' | 'controlTexts' | 'definedTexts'>;

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);

/** What renders: a Jinja template, or code. */
interface Renderer {
  render(context: WorldContext & { messages: TemplateMessage[]; eos_token: string }): string;
}

/** Messages to prompt text, by the Jinja template that came with the model. */
export class ChatTemplate {
  /** Texts that end an answer, where tokens alone do not. */
  readonly stops: readonly string[];
  /** What it is made of; nothing where it is code. */
  readonly source: string;
  readonly knows: Knows;
  #template: Renderer;
  #bos: string;
  #eos: string;
  #control: ControlTexts;
  /** Control tokens, and what else the template sets turns apart by. */
  #markers: ControlTexts;

  private constructor(
    template: Renderer,
    source: string,
    stops: readonly string[],
    tokenizer: Texts,
  ) {
    const { bosToken, eosToken } = tokenizer;
    this.#template = template;
    this.stops = stops;
    this.source = source;
    this.knows = knownTo(source);
    this.#bos = bosToken === undefined ? '' : tokenizer.text(bosToken);
    this.#eos = eosToken === undefined ? '' : tokenizer.text(eosToken);
    const control = tokenizer.controlTexts();
    // Those of DeepSeek-R1's distilled models (<｜User｜>) are none by their kind.
    const written = tokenizer.definedTexts().filter((text) => source.includes(text));
    this.#control = new ControlTexts(control);
    this.#markers = new ControlTexts([...control, ...written]);
  }

  /**
   * The template of a model file, or undefined when it has none: RWKV World's chats have a form
   * without one.
   *
   * @throws ModelError `chat_template` when it cannot be parsed, or is longer or nests deeper than is
   * reasonable
   */
  static fromMetadata(metadata: Metadata, tokenizer: Texts): ChatTemplate | undefined {
    const isWorld = metadata.get('tokenizer.ggml.model') === 'rwkv';
    // Converters that lacked a template wrote this name in its place.
    const given = metadata.get('tokenizer.chat_template');
    const source = isWorld && given === 'rwkv-world' ? undefined : given;
    if (source === undefined && !isWorld) return undefined;
    if (source !== undefined && typeof source !== 'string') {
      throw failure('is not a text', undefined);
    }
    try {
      return new ChatTemplate(
        source === undefined ? worldChat : new Jinja(source),
        source ?? '',
        isWorld ? WORLD_STOPS : [],
        tokenizer,
      );
    } catch (cause) {
      throw failure('cannot be parsed', cause);
    }
  }

  /** What is marked in contents. */
  get markers(): ReadonlySet<string> {
    return this.#markers.texts;
  }

  /** A message's content, with marks in what is not to be a token (`marked` of {@link EncodeOptions}). */
  content({ role, content, specialTokens }: Message): string {
    return specialTokens ? content : this.#mark(content, role);
  }

  // Answers have some of the template's: a tool is called between two.
  readonly #mark = (text: string, role: Message['role']): string =>
    (role === 'assistant' ? this.#control : this.#markers).marked(text);

  /**
   * The prompt for a conversation, marked: see {@link content}.
   *
   * @throws TypeError for something that is not a message; ModelError `chat_template` with the
   * template's own words when it refuses the conversation, or when it takes more steps, writes more or
   * nests deeper than a template needs to (it is stopped after a second at most)
   */
  render(messages: readonly Message[], options: RenderOptions): string {
    for (const { role, content } of messages) {
      if (!ROLES.has(role) || typeof content !== 'string') {
        throw new TypeError(
          'a message is { role: system | user | assistant | tool, content: string }',
        );
      }
    }
    const { thinking, tools = [], writer } = options;
    try {
      // Templates ask `tools is defined`, so what is not there is not passed, not even as null.
      return this.#template.render({
        messages: templateMessages(messages, this.knows, writer, this.#mark, tools),
        add_generation_prompt: options.addGenerationPrompt,
        bos_token: this.#bos,
        eos_token: this.#eos,
        ...(thinking === undefined ? {} : { enable_thinking: thinking }),
        ...(tools.length > 0 && this.knows.tools
          ? { tools: templateTools(tools, this.#mark) }
          : {}),
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
