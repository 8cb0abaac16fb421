// SPDX-License-Identifier: MIT
/**
 * The W3C's Prompt API on a model of the page's own.
 *
 * @packageDocumentation
 */
import { abortable } from '../abort.js';
import type { Message, Model, ModelSource } from '../index.js';
import { domError, named } from './prompt-api-errors.js';
import { readConstraint, readPrompt, readSampling, unsupported } from './prompt-api-input.js';
import { availabilityOf, SharedModel } from './prompt-api-model.js';
import { Monitor } from './prompt-api-monitor.js';
import { makeRoom, type Parts, start } from './prompt-api-room.js';
import type {
  Availability,
  CreateCoreOptions,
  CreateOptions,
  Params,
  Prompt,
  PromptOptions,
} from './prompt-api-types.js';
import { streamOf } from './streams.js';

export type * from './prompt-api-types.js';

const PARAMS = { defaultTopK: 40, maxTopK: 1024, defaultTemperature: 0.8, maxTemperature: 2 };

/** A conversation, with the shape of the browsers' `LanguageModel`. */
export class LanguageModel extends EventTarget {
  readonly #parts: Parts;
  #turns: Promise<unknown> = Promise.resolve();
  #destroyed = false;
  oncontextoverflow: ((this: EventTarget, event: Event) => unknown) | null = null;
  /** @deprecated by the standard, as `oncontextoverflow` */
  onquotaoverflow: ((this: EventTarget, event: Event) => unknown) | null = null;

  /** @internal Language models come from {@link LanguageModel.create}. */
  constructor(parts?: Parts) {
    super();
    if (!parts) throw new TypeError('Illegal constructor');
    this.#parts = parts;
  }

  /** Whether `create` would succeed, and what would have to be loaded first. */
  static async availability(options: CreateCoreOptions = {}): Promise<Availability> {
    readSampling(options);
    if (options.model === undefined || unsupported(options)) return 'unavailable';
    return availabilityOf(options.model);
  }

  static async params(): Promise<Params> {
    return PARAMS;
  }

  /**
   * Loads the model if it has to, and reads the initial prompts.
   *
   * @throws the signal's reason; TypeError; DOMException NotSupportedError, NetworkError,
   * QuotaExceededError, OperationError with the package's ModelError as its `cause`
   */
  static async create(options: CreateOptions = {}): Promise<LanguageModel> {
    const { model: source, loadOptions, initialPrompts = [], signal } = options;
    const defaults = { maxTokens: 4096, ...options.generation, ...given(readSampling(options)) };
    const initial = readPrompt(initialPrompts, true);
    const missing = unsupported(options);
    if (missing) throw named('NotSupportedError', `${missing} is not supported`);
    if (source === undefined) throw named('NotSupportedError', 'no model is named');
    signal?.throwIfAborted();
    const monitor = new Monitor();
    options.monitor?.(monitor);
    try {
      monitor.tell(0);
      const shared = SharedModel.of(source, loadOptions);
      const model = await shared.take(signal, monitor.onProgress);
      monitor.tell(1);
      try {
        const session = await start(model, initial, defaults, signal);
        return new LanguageModel({ shared, model, session, initial, history: [], defaults });
      } catch (error) {
        shared.release();
        throw error;
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : domError(error);
    }
  }

  /** The whole answer. @throws as {@link create}; InvalidStateError once destroyed */
  async prompt(input: Prompt, options: PromptOptions = {}): Promise<string> {
    let text = '';
    for await (const piece of this.#answer(input, options, options.signal)) text += piece;
    return text;
  }

  /** The answer, piece by piece. Cancelling the stream ends it. */
  promptStreaming(input: Prompt, options: PromptOptions = {}): ReadableStream<string> {
    return streamOf(options.signal, (signal) => this.#answer(input, options, signal));
  }

  /** Reads without answering, so that the next answer starts sooner. */
  async append(input: Prompt, options: { signal?: AbortSignal } = {}): Promise<undefined> {
    const { signal } = options;
    await this.#inTurn(signal, async () => {
      const messages = readPrompt(input);
      await this.#makeRoom(messages, signal);
      await this.#parts.session.append(messages, { signal });
      this.#parts.history.push(...messages);
    });
  }

  /** How many tokens a prompt would take; reads nothing. */
  async measureContextUsage(input: Prompt, options: PromptOptions = {}): Promise<number> {
    const { signal } = options;
    return this.#inTurn(signal, () => this.#parts.session.countTokens(readPrompt(input)));
  }

  /** @deprecated by the standard, as {@link measureContextUsage} */
  measureInputUsage(input: Prompt, options: PromptOptions = {}): Promise<number> {
    return this.measureContextUsage(input, options);
  }

  get contextUsage(): number {
    return this.#parts.session.contextUsage;
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

  get topK(): number {
    return this.#parts.defaults.topK ?? PARAMS.defaultTopK;
  }

  get temperature(): number {
    return this.#parts.defaults.temperature ?? PARAMS.defaultTemperature;
  }

  /** Another that goes on from here; costs one copy of the state. */
  async clone(options: { signal?: AbortSignal } = {}): Promise<LanguageModel> {
    return this.#inTurn(options.signal, async () => {
      const { shared, history } = this.#parts;
      const session = await this.#parts.session.clone();
      shared.share();
      return new LanguageModel({ ...this.#parts, session, history: [...history] });
    });
  }

  /** Ends what is being written and frees the state, and a model that `create` loaded. */
  destroy(): undefined {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#parts.session.destroy();
    this.#parts.shared.release();
  }

  async *#answer(input: Prompt, options: PromptOptions, signal?: AbortSignal) {
    const release = await this.#turn(signal);
    try {
      const messages = readPrompt(input);
      const { maxTokens } = this.#parts.defaults;
      const how = { maxTokens, ...readConstraint(options), signal };
      await this.#makeRoom(messages, signal);
      const { session, history } = this.#parts;
      const last = messages.at(-1);
      let content = last?.prefix ? last.content : '';
      let begun = false;
      try {
        for await (const piece of session.promptStreaming(messages, how)) {
          content += piece;
          begun = true;
          yield piece;
        }
      } finally {
        const asked = last?.prefix ? messages.slice(0, -1) : messages;
        if (begun) history.push(...asked, { role: 'assistant', content });
      }
    } catch (error) {
      throw this.#failure(error, signal);
    } finally {
      release();
    }
  }

  // A session takes turns by itself, but it may be another one after a context overflow.
  async #turn(signal: AbortSignal | undefined): Promise<() => void> {
    this.#checkAlive();
    const before = this.#turns;
    let release = () => {};
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#turns = Promise.all([before, mine]);
    try {
      await abortable(before, signal);
      this.#checkAlive();
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  async #inTurn<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const release = await this.#turn(signal);
    try {
      return await work();
    } catch (error) {
      throw this.#failure(error, signal);
    } finally {
      release();
    }
  }

  #checkAlive(): void {
    if (this.#destroyed) throw named('InvalidStateError', 'the language model is destroyed');
  }

  #failure(error: unknown, signal: AbortSignal | undefined): unknown {
    return signal?.aborted ? signal.reason : domError(error);
  }

  async #makeRoom(messages: Message[], signal: AbortSignal | undefined): Promise<void> {
    const room = await makeRoom(this.#parts, messages, signal);
    if (!room) return;
    this.#parts.session.destroy();
    if (this.#destroyed) room.session.destroy();
    this.#checkAlive();
    Object.assign(this.#parts, room);
    this.#tell('contextoverflow', this.oncontextoverflow);
    this.#tell('quotaoverflow', this.onquotaoverflow);
  }

  #tell(type: string, handler: LanguageModel['oncontextoverflow']): void {
    const event = new Event(type);
    this.dispatchEvent(event);
    handler?.call(this, event);
  }
}

/**
 * A `LanguageModel` whose models come from one place, for code that was written against the
 * browsers' own: `globalThis.LanguageModel ??= languageModelOf('/models/model.gguf')`.
 */
export function languageModelOf(
  model: Model | ModelSource,
  loadOptions?: CreateCoreOptions['loadOptions'],
): typeof LanguageModel {
  return class extends LanguageModel {
    static override availability(options: CreateCoreOptions = {}): Promise<Availability> {
      return LanguageModel.availability({ model, loadOptions, ...options });
    }

    static override create(options: CreateOptions = {}): Promise<LanguageModel> {
      return LanguageModel.create({ model, loadOptions, ...options });
    }
  };
}

// An option set to undefined is an option not given.
function given<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
