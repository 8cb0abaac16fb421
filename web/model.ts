// SPDX-License-Identifier: MIT

import { asyncDispose, dispose } from './disposal.js';
import type { Score } from './engine/score.js';
import type {
  EngineFacts,
  GenerationResult,
  KeptPrefix,
  MemoryUse,
  PrefixRequest,
  TextRequest,
} from './engine/types.js';
import { ModelError } from './errors.js';
import { type GenerationStream, generateWhole, generationStream } from './generation-stream.js';
import { checkNames } from './option-names.js';
import {
  checkBiases,
  checkCallback,
  checkPrefillOptions,
  checkSignal,
  checkText,
  checkToken,
  type GenerationOptions,
  generationSettings,
  PREFILL_NAMES,
  type PrefillOptions,
  placeSettings,
  randomSeed,
} from './options.js';
import {
  PLACE_NAMES,
  type PlaceOptions,
  SESSION_NAMES,
  Session,
  type SessionOptions,
} from './session.js';
import { openSessionStore } from './storage/kept-sessions.js';
import type { Message } from './text/message.js';
import { checkMessages } from './text/messages.js';
import { checkTools } from './text/tool.js';
import { checkToolFormat } from './tools/format-names.js';
import type { WasmProfileRow } from './wasm/glue.js';
import type { Calls } from './worker/calls.js';

/** A loaded model. Its weights are shared by all sessions made from it. */
export class Model {
  readonly #calls: Calls;
  readonly #facts: EngineFacts;

  /** @internal Models come from {@link loadModel}. */
  constructor(calls: Calls, facts: EngineFacts) {
    this.#calls = calls;
    this.#facts = facts;
  }

  /** What the file says and what loading took. */
  get facts(): Readonly<EngineFacts> {
    return this.#facts;
  }

  /** The file's `general.name`. */
  get name(): string | undefined {
    return this.#facts.name;
  }

  /** The file's `general.architecture`. */
  get architecture(): string {
    return this.#facts.architecture;
  }

  /** Which build of the core runs: `simd128` or `relaxed`. */
  get build(): string {
    return this.#facts.build;
  }

  /** Tokens in the vocabulary, the length of a row of logits. */
  get vocabSize(): number {
    return this.#facts.vocabSize;
  }

  /** Most tokens a session can hold; `Infinity` where no layer keeps a KV cache. */
  get contextWindow(): number {
    return this.#facts.contextWindow;
  }

  /**
   * Starts a conversation.
   *
   * @throws ModelError `chat_template` when there are initial prompts and the file has no template,
   * `out_of_memory`; TypeError or RangeError naming a wrong option; the signal's reason
   */
  async createSession(options: SessionOptions = {}): Promise<Session> {
    checkNames(options, SESSION_NAMES);
    const { initialPrompts = [], thinking, signal, onPrefill, ...others } = options;
    const { tools = [], toolFormat, checkpoints, answerPlaces, ...defaults } = others;
    checkPrefillOptions({ signal, onPrefill });
    if (thinking !== undefined && typeof thinking !== 'boolean') {
      throw new TypeError('thinking must be true or false');
    }
    const talk = { thinking, tools: checkTools(tools), toolFormat: checkToolFormat(toolFormat) };
    const places = placeSettings({ checkpoints, answerPlaces });
    const settings = generationSettings(defaults);
    checkBiases(settings, this.vocabSize);
    const messages = checkMessages(initialPrompts, settings.specialTokens);
    const { session, use } = await this.#calls.run(
      'createSession',
      [messages, { seed: settings.seed ?? randomSeed(), ...places, ...talk }],
      {
        signal,
        onProgress: onPrefill,
        late: (made) => this.#calls.post('destroySession', [made.session]),
      },
    );
    return new Session(this.#facts, this.#calls, session, defaults, use);
  }

  /**
   * A session that was saved, by any build, from a model of the same weights.
   *
   * @param saved what {@link Session.save} gave, as bytes or a Blob of them
   * @throws ModelError `wrong_model`; `invalid_header`, `truncated` or `integrity` for other bytes;
   * `out_of_memory`
   */
  async restore(
    saved: Uint8Array | ArrayBuffer | Blob,
    options: PlaceOptions = {},
  ): Promise<Session> {
    checkNames(options, PLACE_NAMES);
    const places = placeSettings(options);
    const bytes = await bytesOf(saved);
    const { session, use, own } = await this.#calls.run('restoreSession', [bytes, places]);
    return new Session(this.#facts, this.#calls, session, own, use);
  }

  /**
   * Goes on with a session that {@link Session.persist} kept in this browser. Where the latest save
   * was interrupted, the one before it is taken.
   *
   * @throws ModelError `not_found` when none of that name is whole, `wrong_model`,
   * `cache_unavailable`
   */
  async resume(name: string, options: PlaceOptions = {}): Promise<Session> {
    checkNames(options, PLACE_NAMES);
    const store = await openSessionStore();
    for (const bytes of await store.read(name)) {
      try {
        return await this.restore(bytes, options);
      } catch (error) {
        const { code } = error as ModelError;
        if (!['integrity', 'truncated', 'invalid_header'].includes(code)) throw error;
      }
    }
    throw new ModelError('not_found', `no session called '${name}' is kept here`, {
      subject: name,
    });
  }

  /**
   * Goes on from a text, without a chat template. Special tokens written in the prompt count as
   * such.
   *
   * @param prompt text, or token ids
   * @throws as reading the stream does: the signal's reason, ModelError, RangeError
   */
  generate(prompt: string | readonly number[], options: GenerationOptions = {}): GenerationStream {
    return generationStream(this.#calls, this.#request(prompt, options), options);
  }

  /**
   * As {@link generate}, but waits for the end.
   *
   * @returns the text and all there is to know about it
   */
  async complete(
    prompt: string | readonly number[],
    options: GenerationOptions = {},
  ): Promise<GenerationResult> {
    return generateWhole(this.#calls, this.#request(prompt, options), options);
  }

  /**
   * Goes on from one prompt in several ways: it is read once, and every token of all of them takes one
   * pass over the weights. Each draws from a seed of its own, those after the first one's.
   *
   * @param count 1 to 128
   * @returns a stream each, all of which must be read to their ends or cancelled
   * @throws as reading the prompt does
   */
  async alternatives(
    prompt: string | readonly number[],
    count: number,
    options: GenerationOptions = {},
  ): Promise<GenerationStream[]> {
    const request = this.#request(prompt, options);
    const { completions } = await import('./alternatives.js');
    return completions(this.#calls, request, count, options);
  }

  /**
   * Writes several texts together: every token of all of them takes one pass over the weights, as it
   * does for any that are being written at the same time, however they were started. They come and go
   * as they are read and end; none depends on the others.
   *
   * @param texts a session answers what has been appended to it, a prompt is gone on from
   * @returns a stream each
   * @throws TypeError or RangeError for any of the texts, before any is begun
   */
  generateBatch(
    texts: readonly (Session | string | readonly number[])[],
    options: GenerationOptions = {},
  ): GenerationStream[] {
    if (!Array.isArray(texts)) throw new TypeError('texts must be an array');
    const checked = texts.map((text) =>
      text instanceof Session ? text : this.#request(text, options),
    );
    return checked.map((text) =>
      text instanceof Session
        ? text.promptStreaming([], options)
        : generationStream(this.#calls, text, options),
    );
  }

  /**
   * How many tokens a text is, special tokens in it counted as such; or a conversation that begins
   * with these messages, before anything is answered.
   */
  async countTokens(input: string | readonly Message[]): Promise<number> {
    if (Array.isArray(input)) return this.#calls.run('countChat', [checkMessages(input)]);
    return (await this.tokenize(input as string)).length;
  }

  /** The tokens of a text. With `special: false`, special tokens written in it are plain text. */
  async tokenize(text: string, options: { special?: boolean } = {}): Promise<number[]> {
    checkText(text, 'text');
    checkNames(options, { special: true });
    return this.#calls.run('encode', [text, options.special ?? true]);
  }

  /** The text of tokens. With `special: false`, control tokens are left out. */
  async detokenize(
    tokens: readonly number[],
    options: { special?: boolean } = {},
  ): Promise<string> {
    const ids = this.#checkIds(tokens);
    checkNames(options, { special: true });
    return this.#calls.run('decode', [ids, options.special ?? true]);
  }

  /**
   * Logits after the last token, `[vocabSize]`, or with `all` after every token,
   * `[tokens.length, vocabSize]`, from a zero state.
   *
   * @throws RangeError for no tokens or one outside the vocabulary
   */
  async logits(
    tokens: readonly number[],
    options: { all?: boolean; signal?: AbortSignal } = {},
  ): Promise<Float32Array> {
    const ids = this.#checkIds(tokens);
    if (ids.length === 0) throw new RangeError('tokens must not be empty');
    checkNames(options, { all: true, signal: true });
    checkSignal(options.signal);
    const { signal, all = false } = options;
    return this.#calls.run('logits', [ids, all], { signal, late() {} });
  }

  /**
   * How well the model predicts a text: encoded with special tokens, cut into windows of `context`
   * tokens (the last incomplete one is dropped), each from a zero state, its first token not scored.
   *
   * @throws RangeError when the text is shorter than one window
   */
  async perplexity(
    text: string,
    options: {
      /** Tokens in a window, at least 2. Default 512. */
      context?: number;
      onProgress?: (done: number, total: number) => void;
      signal?: AbortSignal;
    } = {},
  ): Promise<Score> {
    checkText(text, 'text');
    checkNames(options, { context: true, onProgress: true, signal: true });
    const { context = 512, onProgress, signal } = options;
    if (!Number.isInteger(context) || context < 2 || context > this.contextWindow) {
      throw new RangeError(`context must be a whole number from 2 to ${this.contextWindow}`);
    }
    checkCallback(onProgress, 'onProgress');
    checkSignal(signal);
    const hears = ({ done, total }: { done: number; total: number }) => onProgress?.(done, total);
    return this.#calls.run('score', [text, context], {
      signal,
      onProgress: onProgress && hears,
      late() {},
    });
  }

  /**
   * Reads what texts will begin with, unless that is kept already, and keeps the state after it: a
   * chat or a completion that begins with the same tokens goes on from there instead of reading
   * them, as its `prefixTokens` say. Needs {@link LoadOptions.prefixes}.
   *
   * @param prefix messages, as of {@link SessionOptions.initialPrompts}; token ids; or plain text, of
   * which those tokens are kept that do not depend on what follows
   * @throws TypeError where the model keeps none; RangeError for one without tokens, or of more bytes
   * than may be kept; ModelError `chat_template`, `context_full`, `cache_unavailable`
   */
  async keepPrefix(
    prefix: string | readonly number[] | readonly Message[],
    options: PrefillOptions & Pick<SessionOptions, 'thinking' | 'tools'> = {},
  ): Promise<KeptPrefix> {
    checkNames(options, { ...PREFILL_NAMES, thinking: true, tools: true });
    checkPrefillOptions(options);
    const { thinking, tools = [] } = options;
    return this.#prefixes({ keep: prefix, thinking, tools: checkTools(tools) }, options);
  }

  /** The prefixes that are kept of this model, the latest used first. */
  async prefixes(): Promise<KeptPrefix[]> {
    return this.#prefixes({ list: true });
  }

  /** Forgets a prefix, or all of this model's; false when there was none. */
  async deletePrefix(id?: string): Promise<boolean> {
    return this.#prefixes({ delete: id });
  }

  /** Memory in use now, all sessions together. */
  async memory(): Promise<MemoryUse> {
    return this.#calls.run('memory', []);
  }

  /**
   * @internal Runs `work` with a clock on every part of the forward pass.
   * @returns what was charged to each, unordered
   */
  async profile(work: () => Promise<void>): Promise<WasmProfileRow[]> {
    await this.#calls.run('startProfile', []);
    await work();
    return this.#calls.run('stopProfile', []);
  }

  /** Frees the weights and every session, and ends the worker. */
  async dispose(): Promise<void> {
    await this.#calls.dispose();
  }

  [dispose](): void {
    void this.dispose();
  }

  async [asyncDispose](): Promise<void> {
    await this.dispose();
  }

  async #prefixes<T>(
    request: PrefixRequest,
    { signal, onPrefill }: PrefillOptions = {},
  ): Promise<T> {
    const answer = this.#calls.run('prefixes', [request], { signal, onProgress: onPrefill });
    return answer as Promise<T>;
  }

  #request(prompt: string | readonly number[], options: GenerationOptions): TextRequest {
    const settings = generationSettings(options);
    checkPrefillOptions(options);
    checkBiases(settings, this.vocabSize);
    return {
      prompt: typeof prompt === 'string' ? prompt : this.#checkIds(prompt, 'prompt'),
      settings,
      seed: settings.seed ?? randomSeed(),
    };
  }

  #checkIds(tokens: readonly number[], name = 'tokens'): number[] {
    if (!Array.isArray(tokens) && !ArrayBuffer.isView(tokens)) {
      throw new TypeError(`${name} must be text or an array of token ids`);
    }
    return Array.from(tokens, (token) => checkToken(token, name, this.vocabSize));
  }
}

async function bytesOf(saved: unknown): Promise<Uint8Array> {
  if (saved instanceof Uint8Array) return saved;
  if (saved instanceof ArrayBuffer) return new Uint8Array(saved);
  if (saved instanceof Blob) return new Uint8Array(await saved.arrayBuffer());
  throw new TypeError('a saved session must be a Uint8Array, an ArrayBuffer or a Blob');
}
