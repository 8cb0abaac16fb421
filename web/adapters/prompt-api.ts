// SPDX-License-Identifier: MIT
/**
 * The W3C's Prompt API on a model of the page's own.
 *
 * @packageDocumentation
 */
import { abortable } from '../abort.js';
import type { GenerationOptions, Model, ModelSource, Session } from '../index.js';
import { domError, named, quotaError } from './prompt-api/errors.js';
import { readConstraint, readPrompt, readSampling, unsupported } from './prompt-api/input.js';
import { Monitor } from './prompt-api/monitor.js';
import { availabilityOf, SharedModel } from './prompt-api/shared-model.js';
import type {
  Availability,
  CreateCoreOptions,
  CreateOptions,
  Params,
  Prompt,
  PromptOptions,
} from './prompt-api/types.js';
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
}

/** A conversation, with the shape of the browsers' `LanguageModel`. */
export class LanguageModel extends EventTarget {
  readonly #parts: Parts;
  #destroyed = false;
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
        const session = await model.createSession({ ...defaults, initialPrompts: initial, signal });
        const initialTokens = session.contextUsage;
        return new LanguageModel({ shared, session, initialTokens, defaults });
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
    await this.#call(signal, async () => session.append(readPrompt(input), { signal }), input);
  }

  /** How many tokens a prompt would take; reads nothing. */
  async measureContextUsage(input: Prompt, { signal }: PromptOptions = {}): Promise<number> {
    return this.#call(signal, async () => this.#parts.session.countTokens(readPrompt(input)));
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
      if (signal?.aborted || this.#destroyed) session.destroy();
      this.#checkAlive();
      signal?.throwIfAborted();
      this.#parts.shared.share();
      return new LanguageModel({ ...this.#parts, session });
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
    const { session, defaults } = this.#parts;
    try {
      this.#checkAlive();
      const how = { maxTokens: defaults.maxTokens, ...readConstraint(options), signal };
      yield* session.promptStreaming(readPrompt(input), how);
    } catch (error) {
      throw await this.#failure(error, signal, input);
    }
  }

  async #call<T>(
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
    input?: Prompt,
  ): Promise<T> {
    try {
      this.#checkAlive();
      return await abortable(work(), signal);
    } catch (error) {
      throw await this.#failure(error, signal, input);
    }
  }

  #checkAlive(): void {
    if (this.#destroyed) throw named('InvalidStateError', 'the language model is destroyed');
  }

  async #failure(
    error: unknown,
    signal: AbortSignal | undefined,
    input: Prompt = [],
  ): Promise<unknown> {
    if (signal?.aborted) return signal.reason;
    const { session, initialTokens } = this.#parts;
    return quotaError(error, session.contextWindow, async () => {
      return initialTokens + (await session.countTokens(readPrompt(input)));
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
