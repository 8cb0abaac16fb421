// SPDX-License-Identifier: MIT
/**
 * The W3C's Prompt API on a model of the page's own.
 *
 * @module fastweights/prompt-api
 */
import { abortable } from '../abort.js';
import type { GenerationOptions, Message, Model, ModelSource } from '../index.js';
import { availabilityOf } from './prompt-api/availability.js';
import { createParts, type Parts, readCore } from './prompt-api/create.js';
import { named, quotaError } from './prompt-api/errors.js';
import { type GivenMessage, givenMessages, readMessages } from './prompt-api/prompt.js';
import {
  instructed,
  type ResponseConstraint,
  readConstraint,
} from './prompt-api/response-constraint.js';
import { answerWithTools, type Piece, whole } from './prompt-api/tool-calls.js';
import type {
  Availability,
  CreateCoreOptions,
  CreateOptions,
  Prompt,
  PromptOptions,
  SamplingMode,
} from './prompt-api/types.js';
import { Usage } from './prompt-api/usage.js';
import { dictionary } from './prompt-api/web-idl.js';
import { streamOf } from './streams.js';

export {
  LanguageModelToolCall,
  LanguageModelToolError,
  LanguageModelToolSuccess,
  type ToolCallInit,
  type ToolResultContent,
} from './prompt-api/tool-messages.js';
export type * from './prompt-api/types.js';

/** A prompt as it was given, with what its answer is held to. */
interface Question {
  given: GivenMessage[];
  response: ResponseConstraint | undefined;
}

/** A conversation, with the shape of the browsers' `LanguageModel`. */
export class LanguageModel extends EventTarget {
  readonly #parts: Parts;
  readonly #usage: Usage;
  /** Calls that read messages and have not ended. */
  #reading = 0;
  /** What calls fail with once it is destroyed. */
  #end: { reason: unknown } | undefined;
  readonly #onAbort = () => this.#destroy(this.#parts.signal?.reason);
  oncontextoverflow: ((this: EventTarget, event: Event) => unknown) | null = null;
  /** @deprecated by the standard, as `oncontextoverflow` */
  onquotaoverflow: ((this: EventTarget, event: Event) => unknown) | null = null;
  /** @deprecated Extensions alone have it in the standard: here it is undefined, as in pages. */
  declare static readonly params: never;
  /** @deprecated as `params` */
  declare readonly topK: never;
  /** @deprecated as `params` */
  declare readonly temperature: never;

  /** @internal Language models come from {@link LanguageModel.create}. */
  constructor(parts?: Parts, usage?: Usage) {
    super();
    if (!parts) throw new TypeError('Illegal constructor');
    this.#parts = parts;
    this.#usage = usage ?? new Usage(parts.model, parts.session);
    parts.session.oncontextoverflow = () => {
      this.#tell('contextoverflow', this.oncontextoverflow);
      this.#tell('quotaoverflow', this.onquotaoverflow);
    };
    parts.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /**
   * Whether `create` would succeed, and what would have to be loaded first.
   *
   * @throws TypeError, RangeError for options that are none
   */
  static async availability(options?: CreateCoreOptions): Promise<Availability> {
    const given: CreateCoreOptions = dictionary(options, 'options');
    const { expected } = readCore(given);
    if (given.model === undefined || expected.missing) return 'unavailable';
    return availabilityOf(given.model, given.loadOptions);
  }

  /**
   * Loads the model if it has to, and reads the initial prompts.
   *
   * @throws the signal's reason; TypeError; RangeError for a language tag that is none; DOMException
   * NotSupportedError, NetworkError, QuotaExceededError, OperationError with the package's ModelError
   * as its `cause`
   */
  static async create(options?: CreateOptions): Promise<LanguageModel> {
    return new LanguageModel(await createParts(options));
  }

  /**
   * The whole answer: a text, or its parts where it has calls of tools that the page is to run.
   *
   * @throws as {@link create}; DataError for what of a tool JSON cannot write; InvalidStateError once
   * destroyed
   */
  async prompt(input: Prompt, options?: PromptOptions): Promise<string> {
    const { signal }: PromptOptions = dictionary(options, 'options');
    // The declarations that others wrote know of texts alone.
    return (await whole(this.#answer(question(input, options), signal))) as string;
  }

  /**
   * The answer, piece by piece: texts, and calls of tools that the page is to run. Cancelling the
   * stream ends it.
   *
   * @throws at once what is wrong with the arguments' types, the reason of a signal that has fired,
   * and InvalidStateError; the stream fails with the rest
   */
  promptStreaming(input: Prompt, options?: PromptOptions): ReadableStream<string> {
    const { signal }: PromptOptions = dictionary(options, 'options');
    const asked = question(input, options);
    signal?.throwIfAborted();
    this.#checkAlive();
    return streamOf(signal, (inner) => this.#answer(asked, inner)) as ReadableStream<string>;
  }

  /** Reads without answering, so that the next answer starts sooner. */
  async append(input: Prompt, options?: { signal?: AbortSignal }): Promise<undefined> {
    const { signal }: PromptOptions = dictionary(options, 'options');
    const given = givenMessages(input);
    let messages: Message[] = [];
    const read = async () => {
      messages = this.#read(given, false);
      if (messages.length > 0) await this.#append(messages, signal);
    };
    await this.#call(signal, read, () => messages);
  }

  /** How many tokens a prompt would take; reads nothing. */
  async measureContextUsage(input: Prompt, options?: PromptOptions): Promise<number> {
    const { signal }: PromptOptions = dictionary(options, 'options');
    const { given, response } = question(input, options);
    return this.#call(signal, async () => {
      const { expected } = this.#parts;
      const messages = readMessages(given, { expected, begun: false, answered: true });
      return this.#usage.measure(instructed(messages, response));
    });
  }

  /** @deprecated by the standard, as {@link measureContextUsage} */
  measureInputUsage(input: Prompt, options?: PromptOptions): Promise<number> {
    return this.measureContextUsage(input, options);
  }

  /** Tokens of the conversation. */
  get contextUsage(): number {
    return this.#usage.tokens;
  }

  /** `Infinity` for models whose layers are all linear. */
  get contextWindow(): number {
    return this.#parts.session.contextWindow;
  }

  /** @deprecated by the standard, as {@link contextUsage} */
  get inputUsage(): number {
    return this.contextUsage;
  }

  /** @deprecated by the standard, as {@link contextWindow} */
  get inputQuota(): number {
    return this.contextWindow;
  }

  /** Null where `create` was given a `temperature` or a `topK`. */
  get samplingMode(): SamplingMode | null {
    return this.#parts.samplingMode;
  }

  /** Another that goes on from here; costs one copy of the state. */
  async clone(options?: { signal?: AbortSignal }): Promise<LanguageModel> {
    const { signal }: PromptOptions = dictionary(options, 'options');
    return this.#call(signal, async () => {
      const session = await this.#parts.session.clone();
      // Nobody waits for it any more.
      if (signal?.aborted || this.#end) session.destroy();
      this.#checkAlive();
      signal?.throwIfAborted();
      this.#parts.shared.share();
      const parts = { ...this.#parts, session, signal: undefined };
      return new (this.constructor as typeof LanguageModel)(parts, this.#usage.clone(session));
    });
  }

  /** Ends what is being written and frees the state, and a model that `create` loaded. */
  destroy(): undefined {
    this.#destroy(named('InvalidStateError', 'the language model is destroyed'));
  }

  #destroy(reason: unknown): void {
    if (this.#end) return;
    this.#end = { reason };
    const { session, shared, signal } = this.#parts;
    signal?.removeEventListener('abort', this.#onAbort);
    session.destroy();
    shared.release();
  }

  async *#answer({ given, response }: Question, signal?: AbortSignal): AsyncGenerator<Piece> {
    let messages: Message[] = [];
    try {
      this.#checkAlive();
      messages = instructed(this.#read(given, true), response);
      yield* this.#write(messages, { constraint: response?.constraint, signal });
    } catch (error) {
      throw await this.#failure(error, signal, messages);
    }
  }

  async *#write(messages: Message[], options: GenerationOptions): AsyncGenerator<Piece> {
    const { session, tools } = this.#parts;
    this.#reading += 1;
    try {
      if (tools.told.length === 0) yield* session.promptStreaming(messages, options);
      else yield* answerWithTools(session, tools, messages, options);
    } finally {
      this.#ended();
    }
  }

  async #append(messages: Message[], signal: AbortSignal | undefined): Promise<void> {
    this.#reading += 1;
    try {
      await this.#parts.session.append(messages, { signal });
    } finally {
      this.#ended();
    }
  }

  // The last one to end counts for all: a count has its turn after them, and is waited for there.
  #ended(): void {
    this.#reading -= 1;
    if (this.#reading === 0) this.#usage.changed();
  }

  #read(given: readonly GivenMessage[], answered: boolean): Message[] {
    const { expected, session } = this.#parts;
    const begun = session.messageCount > 0 || this.#reading > 0;
    const messages = readMessages(given, { expected, begun, answered });
    // No messages ask for an answer to those that there are; where there are none, to an empty one.
    return answered && !begun && messages.length === 0 ? [{ role: 'user', content: '' }] : messages;
  }

  async #call<T>(
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
    read?: () => Message[],
  ): Promise<T> {
    try {
      this.#checkAlive();
      return await abortable(work(), signal);
    } catch (error) {
      throw await this.#failure(error, signal, read?.());
    }
  }

  #checkAlive(): void {
    if (this.#end) throw this.#end.reason;
  }

  async #failure(
    error: unknown,
    signal: AbortSignal | undefined,
    messages: Message[] = [],
  ): Promise<unknown> {
    if (signal?.aborted) return signal.reason;
    if (this.#end) return this.#end.reason;
    const { session, initialTokens } = this.#parts;
    return quotaError(error, session.contextWindow, async () => {
      return initialTokens + (await this.#usage.measure(messages));
    });
  }

  #tell(type: string, handler: LanguageModel['oncontextoverflow']): void {
    const event = new Event(type);
    this.dispatchEvent(event);
    handler?.call(this, event);
  }
}

function question(input: unknown, options: unknown): Question {
  return { given: givenMessages(input), response: readConstraint(options) };
}

/**
 * A `LanguageModel` whose models come from one place, for code that was written against the
 * browsers' own: `globalThis.LanguageModel ??= languageModelOf('/models/model.gguf')`.
 */
export function languageModelOf(
  model: Model | ModelSource,
  loadOptions?: CreateCoreOptions['loadOptions'],
): typeof LanguageModel {
  const Bound = class extends LanguageModel {
    static override async availability(options?: CreateCoreOptions): Promise<Availability> {
      return LanguageModel.availability({ model, loadOptions, ...dictionary(options, 'options') });
    }

    static override async create(options?: CreateOptions): Promise<LanguageModel> {
      return new Bound(
        await createParts({ model, loadOptions, ...dictionary(options, 'options') }),
      );
    }
  };
  Object.defineProperty(Bound, 'name', { value: 'LanguageModel' });
  return Bound;
}
