// SPDX-License-Identifier: MIT
/**
 * The W3C's Prompt API on a model of the page's own.
 *
 * @packageDocumentation
 */
import { abortable } from '../abort.js';
import type { GenerationOptions, Message, Model, ModelSource, Session } from '../index.js';
import { availabilityOf } from './prompt-api/availability.js';
import { domError, named, quotaError } from './prompt-api/errors.js';
import {
  readConstraint,
  readPrompt,
  readQuestion,
  readSampling,
  unsupported,
} from './prompt-api/input.js';
import { Monitor } from './prompt-api/monitor.js';
import type {
  Availability,
  CreateCoreOptions,
  CreateOptions,
  Params,
  Prompt,
  PromptOptions,
} from './prompt-api/types.js';
import { SharedModel } from './shared-model.js';
import { streamOf } from './streams.js';

export type * from './prompt-api/types.js';

const PARAMS = { defaultTopK: 40, maxTopK: 1024, defaultTemperature: 0.8, maxTemperature: 2 };

/** What a language model is made of. */
interface Parts {
  shared: SharedModel;
  session: Session;
  /** Of the initial prompts. */
  initialTokens: number;
  defaults: GenerationOptions;
  /** Of `create`: what ends the making ends what was made. */
  signal?: AbortSignal;
}

/** A conversation, with the shape of the browsers' `LanguageModel`. */
export class LanguageModel extends EventTarget {
  readonly #parts: Parts;
  /** What calls fail with once it is destroyed. */
  #end: { reason: unknown } | undefined;
  readonly #onAbort = () => this.#destroy(this.#parts.signal?.reason);
  oncontextoverflow: ((this: EventTarget, event: Event) => unknown) | null = null;
  /** @deprecated by the standard, as `oncontextoverflow` */
  onquotaoverflow: ((this: EventTarget, event: Event) => unknown) | null = null;

  /** @internal Language models come from {@link LanguageModel.create}. */
  constructor(parts?: Parts) {
    super();
    if (!parts) throw new TypeError('Illegal constructor');
    this.#parts = parts;
    parts.session.oncontextoverflow = () => {
      this.#tell('contextoverflow', this.oncontextoverflow);
      this.#tell('quotaoverflow', this.onquotaoverflow);
    };
    parts.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Whether `create` would succeed, and what would have to be loaded first. */
  static async availability(options: CreateCoreOptions = {}): Promise<Availability> {
    readSampling(options);
    if (options.model === undefined || unsupported(options)) return 'unavailable';
    return availabilityOf(options.model, options.loadOptions);
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
    const defaults = { ...options.generation, ...given(readSampling(options)) };
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
        const session = await model.createSession({ ...defaults, initialPrompts: initial, signal });
        // A signal that has fired in between would not be heard any more.
        if (signal?.aborted) session.destroy();
        signal?.throwIfAborted();
        const initialTokens = session.contextUsage;
        return new LanguageModel({ shared, session, initialTokens, defaults, signal });
      } catch (error) {
        const text = initial.map(({ content }) => content).join('');
        const failure = await quotaError(error, model.contextWindow, () => model.countTokens(text));
        shared.release();
        throw failure;
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
  async append(input: Prompt, { signal }: { signal?: AbortSignal } = {}): Promise<undefined> {
    const { session } = this.#parts;
    const read = () => readPrompt(input);
    await this.#call(signal, async () => session.append(read(), { signal }), read);
  }

  /** How many tokens a prompt would take; reads nothing. */
  async measureContextUsage(input: Prompt, options: PromptOptions = {}): Promise<number> {
    const count = async () => this.#parts.session.countTokens(readQuestion(input, options));
    return this.#call(options.signal, count);
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
  async clone({ signal }: { signal?: AbortSignal } = {}): Promise<LanguageModel> {
    return this.#call(signal, async () => {
      const session = await this.#parts.session.clone();
      // Nobody waits for it any more.
      if (signal?.aborted || this.#end) session.destroy();
      this.#checkAlive();
      signal?.throwIfAborted();
      this.#parts.shared.share();
      return new LanguageModel({ ...this.#parts, session, signal: undefined });
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

  async *#answer(input: Prompt, options: PromptOptions, signal?: AbortSignal) {
    const read = () => readQuestion(input, options);
    try {
      this.#checkAlive();
      yield* this.#parts.session.promptStreaming(read(), { ...readConstraint(options), signal });
    } catch (error) {
      throw await this.#failure(error, signal, read);
    }
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
      throw await this.#failure(error, signal, read);
    }
  }

  #checkAlive(): void {
    if (this.#end) throw this.#end.reason;
  }

  async #failure(
    error: unknown,
    signal: AbortSignal | undefined,
    read: () => Message[] = () => [],
  ): Promise<unknown> {
    if (signal?.aborted) return signal.reason;
    if (this.#end) return this.#end.reason;
    const { session, initialTokens } = this.#parts;
    return quotaError(error, session.contextWindow, async () => {
      return initialTokens + (await session.countTokens(read()));
    });
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
