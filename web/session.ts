// SPDX-License-Identifier: MIT
import { asyncDispose, dispose } from './disposal.js';
import type { SessionState } from './engine/session-state.js';
import type { EngineFacts, GenerationResult, MemoryUse, TextUse } from './engine/types.js';
import {
  type GenerationStream,
  generateWhole,
  generationStream,
  type OnUse,
} from './generation-stream.js';
import { checkNames, type NamesOf } from './option-names.js';
import {
  checkBiases,
  checkPrefillOptions,
  GENERATION_NAMES,
  type GenerationOptions,
  generationSettings,
  PREFILL_NAMES,
  type PrefillOptions,
  randomSeed,
} from './options.js';
import { answerSettings, RESPOND_NAMES, type RespondOptions } from './respond-options.js';
import { type ResponseStream, responseStream } from './response-stream.js';
import { checkStateOptions, type StateOptions } from './session-state.js';
import type { Precision } from './storage/compact.js';
import { openSessionStore } from './storage/kept-sessions.js';
import type { Message } from './text/message.js';
import { checkMessages } from './text/messages.js';
import type { Tool } from './text/tool.js';
import type { ToolFormatName } from './tools/format-names.js';
import { type Calls, warnDropped } from './worker/calls.js';

/**
 * How a session starts, and its defaults for every prompt: all that a prompt takes, which overrides
 * them one by one. They go with clones and with what is saved. Only `signal` and `onPrefill` are those
 * of this call, in which the initial prompts are read.
 */
export interface SessionOptions extends GenerationOptions {
  /** Read before the first prompt: a system message, examples. */
  initialPrompts?: readonly Message[];
  /** Whether the model may think before it answers. Left to the chat template when not given. */
  thinking?: boolean;
  /** What the model may call in {@link Session.respond}; it is told of them before everything else. */
  tools?: readonly Tool[];
  /** How the model writes calls. Default: what its chat template says, or `hermes` where it does not. */
  toolFormat?: ToolFormatName;
  /**
   * Places between messages that are kept, so that `rewind` and changed texts need not read
   * everything again: a whole number from 0 to 64. Default 4, of which one is where the last answer
   * begins: the same question again reads nothing. The first stays, then the latest ones; each takes
   * as much memory as the constant state.
   */
  checkpoints?: number;
  /**
   * Whether the places after each of an answer's tokens are kept, too: an answer that is to begin as one
   * of this session's does, up to any token, then reads nothing. All sessions share
   * {@link LoadOptions.placeBytes}, where the tokens written last have places; of those before one in
   * 32, from which the rest is read again. Models whose layers cannot go along a text without its weights
   * have one in 32 everywhere. Default false.
   */
  answerPlaces?: boolean;
}

/** Which places a session that is gone on with keeps from then on. */
export type PlaceOptions = Pick<SessionOptions, 'checkpoints' | 'answerPlaces'>;

export const PLACE_NAMES: NamesOf<PlaceOptions> = { checkpoints: true, answerPlaces: true };

export const SESSION_NAMES: NamesOf<SessionOptions> = {
  ...GENERATION_NAMES,
  initialPrompts: true,
  thinking: true,
  tools: true,
  toolFormat: true,
  checkpoints: true,
  answerPlaces: true,
};

/** What {@link Session.countTokens} counts. */
export interface CountOptions {
  /** Whether what an answer begins behind counts. `false` is what `append` would add. Default true. */
  generationPrompt?: boolean;
}

/** How the state and the KV pages of a saved session are written. */
export interface SaveOptions {
  /**
   * `f32`, the default, keeps every bit. `f16` takes half the bytes, numbers beyond +-65504 become
   * that; `int8` takes 28 %, with one scale for every 32 numbers.
   */
  precision?: Precision;
}

/** What a session has forgotten to make room. */
export interface ContextOverflow {
  /** The oldest messages after the initial prompts: whole turns, no longer part of the session. */
  forgotten: Message[];
}

/** What the last prompt of a session took. */
export type SessionStats = Omit<GenerationResult, 'text' | 'logprobs'>;

/** One of several answers, and the conversation that goes on from it. */
export interface Alternative {
  session: Session;
  stream: GenerationStream;
}

// Sessions that all their users have dropped without `destroy`.
const dropped = new FinalizationRegistry<{ calls: Calls; id: number }>(({ calls, id }) => {
  if (calls.disposed) return;
  warnDropped('session', 'destroy');
  calls.post('destroySession', [id]);
});

/**
 * A conversation. Its state lives in WebAssembly memory and has a fixed size, but for the KV pages
 * of softmax layers. Calls on one session take turns; several sessions may run at once.
 */
export class Session {
  readonly #facts: EngineFacts;
  readonly #calls: Calls;
  readonly #id: number;
  readonly #defaults: GenerationOptions;
  /**
   * With a handler, a prompt or an appended message that would leave no room for a token of its
   * answer makes the session forget its oldest turns, questions with their answers, until there is
   * room; what draws come next does not change. The handler is called when the messages have been
   * read, before the answer. Initial prompts are never forgotten: what does not fit behind them alone
   * is a ModelError `context_full`, and, as after every call that fails, nothing has been forgotten.
   * Without a handler, whatever does not fit is that error. Clones and restored sessions know which
   * messages are initial prompts, and have no handler yet.
   */
  oncontextoverflow: ((event: ContextOverflow) => void) | undefined;
  #use: TextUse;
  #stats: SessionStats | undefined;
  #destroyed = false;

  /** @internal Sessions come from {@link Model.createSession}. */
  constructor(
    facts: EngineFacts,
    calls: Calls,
    id: number,
    defaults: GenerationOptions,
    use: TextUse,
  ) {
    this.#facts = facts;
    this.#calls = calls;
    this.#id = id;
    this.#defaults = defaults;
    this.#use = use;
    dropped.register(this, { calls, id }, this);
  }

  /** Tokens that the session's state has read. */
  get contextUsage(): number {
    return this.#use.tokens;
  }

  /** Most tokens it can hold; `Infinity` for models whose layers are all linear. */
  get contextWindow(): number {
    return this.#facts.contextWindow;
  }

  /** What the last prompt took; undefined before the first. */
  get stats(): SessionStats | undefined {
    return this.#stats;
  }

  /** Memory of this session after its last call, in bytes. */
  get memory(): MemoryUse {
    return this.#use.memory;
  }

  /**
   * Answers a message.
   *
   * @param input the user's text, or several messages
   * @returns the whole answer; `stats.finishReason` is `length` where `maxTokens` or the context window
   * has cut it short
   * @throws the signal's reason; ModelError `context_full`, `chat_template`, `out_of_memory`,
   * `disposed`. The session can go on after each but the last.
   */
  async prompt(
    input: string | readonly Message[],
    options: GenerationOptions = {},
  ): Promise<string> {
    const { text } = await generateWhole(
      this.#calls,
      this.#request(input, options),
      options,
      this.#note,
    );
    return text;
  }

  /** As {@link prompt}, but gives the answer piece by piece as it is written. */
  promptStreaming(
    input: string | readonly Message[],
    options: GenerationOptions = {},
  ): GenerationStream {
    const request = this.#request(input, options);
    return generationStream(this.#calls, request, options, this.#note);
  }

  /**
   * As {@link promptStreaming}, but gives the answer in parts: what the model thinks, its text, the
   * tools that it calls, and how it ended. Where it may call tools, nothing can come out that is no
   * call of one of them, with arguments of its schema: only `maxTokens` and the context window cut a
   * call short, which then is none. Messages with the role `tool` give the results.
   *
   * @throws as {@link promptStreaming}; TypeError for tools that cannot be held to their schemas
   */
  respond(input: string | readonly Message[], options: RespondOptions = {}): ResponseStream {
    checkNames(options, RESPOND_NAMES);
    const { tools, toolChoice, parallelToolCalls, thinking, ...others } = options;
    const answer = answerSettings({ tools, toolChoice, parallelToolCalls, thinking });
    const request = { ...this.#request(input, others), answer };
    return responseStream(this.#calls, request, options, this.#note);
  }

  /** Reads messages without answering, so that the next answer starts sooner. */
  async append(input: string | readonly Message[], options: PrefillOptions = {}): Promise<void> {
    const messages = checkMessages(input, this.#defaults.specialTokens);
    checkNames(options, PREFILL_NAMES);
    checkPrefillOptions(options);
    try {
      const { signal, onPrefill } = options;
      const given = [this.#id, messages, this.#forgets] as const;
      await this.#calls.run('append', [...given], { signal, onProgress: onPrefill });
    } finally {
      await this.#note();
    }
  }

  /**
   * Goes back to the first `count` messages, as if what came after had never been said: drawing goes
   * on from there too. Costs one copy of the state where that place was kept (see
   * {@link SessionOptions.checkpoints}); else the next prompt reads what lies between once more, as
   * its `rereadTokens` say.
   *
   * @param count how many messages stay, those of the model and initial prompts included
   * @throws RangeError when there are fewer
   */
  async rewind(count: number): Promise<void> {
    if (typeof count !== 'number') throw new TypeError('count must be a number');
    this.#use = await this.#calls.run('rewind', [this.#id, count]);
  }

  /** The conversation so far, the model's messages included. */
  async messages(): Promise<Message[]> {
    return this.#calls.run('messages', [this.#id]);
  }

  /** How many messages there are after the last call. */
  get messageCount(): number {
    return this.#use.messages;
  }

  /**
   * Everything that {@link Model.restore} needs to go on from here, with this or another build:
   * messages, state, KV pages and the generator of draws. Bit for bit the same in the same build,
   * unless its numbers are written in fewer bytes.
   *
   * @throws TypeError for a precision that does not exist
   */
  async save(options: SaveOptions = {}): Promise<Uint8Array> {
    checkNames(options, { precision: true });
    const { precision = 'f32' } = options;
    return this.#calls.run('saveSession', [this.#id, this.#defaults, precision]);
  }

  /**
   * Keeps the session in this browser, in the place of what was kept under the name. What was kept
   * before stays until this is stored whole, so that a crash in between loses no more than the
   * latest messages. {@link Model.resume} goes on from it.
   *
   * @param name 1 to 64 characters
   * @throws ModelError `cache_unavailable` where there is no storage, or none left
   */
  async persist(name: string, options: SaveOptions = {}): Promise<void> {
    const store = await openSessionStore();
    await store.save(name, await this.save(options));
  }

  /**
   * What its recurrent layers hold: the state of each head, and what the last token did to it. A copy,
   * taken between two tokens, also while an answer is being written; the answer stays the same, bit for
   * bit.
   *
   * @throws RangeError for a layer without such a state, or a head that there is not
   */
  async state(options: StateOptions = {}): Promise<SessionState> {
    return this.#calls.run('state', [this.#id, checkStateOptions(options)]);
  }

  /** How many tokens a prompt would add to the context before it is answered; reads nothing. */
  async countTokens(
    input: string | readonly Message[],
    options: CountOptions = {},
  ): Promise<number> {
    const messages = checkMessages(input, this.#defaults.specialTokens);
    checkNames(options, { generationPrompt: true });
    const { generationPrompt = true } = options;
    return this.#calls.run('count', [this.#id, messages, generationPrompt]);
  }

  /** Another session that goes on from here; costs one copy of the state, shares the weights. */
  async clone(): Promise<Session> {
    const { session, use } = await this.#calls.run('cloneSession', [this.#id]);
    return new Session(this.#facts, this.#calls, session, this.#defaults, use);
  }

  /**
   * Answers a message in several ways, each in a clone that can go on from there; this session stays
   * as it is. The message is read once, and every token of all answers takes one pass over the weights.
   * Each draws from a seed of its own, those after the first one's.
   *
   * @param count 1 to 128
   * @throws as {@link prompt} does where the message cannot be read; RangeError for `count`
   */
  async alternatives(
    input: string | readonly Message[],
    count: number,
    options: GenerationOptions = {},
  ): Promise<Alternative[]> {
    const { settings, messages } = this.#request(input, options);
    const seed = settings.seed ?? this.#defaults.seed ?? randomSeed();
    const { answers } = await import('./alternatives.js');
    return answers<Session>(this, messages, count, { ...options, seed });
  }

  /** Frees the state. A generation that is running ends as if aborted. */
  destroy(): void {
    void this.#destroy().catch(() => {});
  }

  [dispose](): void {
    this.destroy();
  }

  async [asyncDispose](): Promise<void> {
    await this.#destroy();
  }

  async #destroy(): Promise<void> {
    if (this.#destroyed || this.#calls.disposed) return;
    this.#destroyed = true;
    dropped.unregister(this);
    await this.#calls.run('destroySession', [this.#id]);
  }

  #request(input: string | readonly Message[], options: GenerationOptions) {
    const settings = generationSettings(options, this.#defaults);
    const messages = checkMessages(input, settings.specialTokens);
    checkPrefillOptions(options);
    checkBiases(settings, this.#facts.vocabSize);
    // The session was seeded when it was made: only a seed of this call starts anew.
    settings.seed = options.seed;
    return { session: this.#id, messages, forgets: this.#forgets, settings };
  }

  get #forgets(): boolean {
    return this.oncontextoverflow !== undefined && Number.isFinite(this.contextWindow);
  }

  readonly #note: OnUse = async (report) => {
    try {
      const { use, forgotten, result } = report ?? (await this.#calls.run('use', [this.#id]));
      this.#use = use;
      if (result) {
        const { text: _text, logprobs: _logprobs, ...rest } = result;
        this.#stats = rest;
      }
      // What a handler throws does not end the call.
      if (forgotten?.length) queueMicrotask(() => this.oncontextoverflow?.({ forgotten }));
    } catch {
      // It has been destroyed.
    }
  };
}
