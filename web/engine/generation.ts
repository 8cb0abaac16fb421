// SPDX-License-Identifier: MIT
import type { ConstrainedText } from '../constraints/constrain.js';
import type { GenerationSettings } from '../options.js';
import { TextStream } from '../text/text-stream.js';
import type { AnswerPart, AnswerReader } from '../tools/answer-reader.js';
import type { CheckedGuesses } from './decoder.js';
import type { Guesses } from './guess-policy.js';
import { notFinite, outOfMemory, type TextMachine } from './prefill.js';
import type { Speculation } from './speculation.js';
import { tokenLogprob } from './token-logprob.js';
import type { FinishReason, TokenLogprob, Written } from './types.js';

/** How an answer is told apart into its parts, where somebody asks for these. */
export interface AnswerReading {
  reader: AnswerReader;
  /** Control tokens that it has to see, by what they are in its text. */
  shown: ReadonlyMap<number, string>;
}

/** What a generation may have beside its prompt. */
export interface GenerationParts {
  constraint?: ConstrainedText | undefined;
  answer?: AnswerReading | undefined;
  speculation?: Speculation | undefined;
  /** Told before each pass. */
  onPass?: (() => void) | undefined;
}

// Pieces that are added to a text one by one each keep an object of their own, ten times what they say.
const kLoosePieces = 1024;

/** Draws tokens one at a time from a session whose prompt is read. */
export class Generation {
  readonly #machine: TextMachine;
  readonly #settings: GenerationSettings;
  readonly #maxTokens: number;
  readonly #stream: TextStream;
  #constraint: ConstrainedText | undefined;
  readonly #speculation: Speculation | undefined;
  readonly #answer: AnswerReader | undefined;
  readonly #onPass: (() => void) | undefined;
  /** Where the tokens that may be drawn are marked, when there is a constraint. */
  readonly #allowed: number = 0;
  readonly #started: number;
  /** The text but for the pieces since it was last put together. */
  #whole = '';
  #loose: string[] = [];
  /** How many entries of `logprobs` have been taken. */
  #told = 0;
  readonly result: Written;
  /** Whether the text is complete. */
  done = false;

  /**
   * @param started when the call began, on the clock of `performance.now()`
   * @param prefillMs how long reading the prompt took
   */
  constructor(
    machine: TextMachine,
    settings: GenerationSettings,
    prompt: {
      tokens: number[];
      reread: number;
      kept: number;
      started: number;
      prefillMs: number;
      seed: number;
    },
    { constraint, answer, speculation, onPass }: GenerationParts = {},
  ) {
    if (settings.stop.length > 0) machine.tokenizer.requireTexts();
    this.#machine = machine;
    this.#settings = settings;
    this.#maxTokens = settings.maxTokens ?? machine.contextLength;
    this.#stream = new TextStream(machine.tokenizer, settings.stop, answer?.shown);
    this.#answer = answer?.reader;
    this.#started = prompt.started;
    this.result = {
      text: '',
      promptTokens: prompt.tokens,
      rereadTokens: Math.max(0, prompt.reread - prompt.kept),
      prefixTokens: prompt.kept,
      tokens: [],
      finishReason: 'cancelled',
      stopString: undefined,
      seed: prompt.seed,
      reasoning: undefined,
      reasoningTokens: 0,
      guessedTokens: 0,
      acceptedTokens: 0,
      toolCalls: [],
      logprobs: settings.logprobs === undefined ? undefined : [],
      timings: {
        prefillMs: prompt.prefillMs,
        prefillTokensPerSecond: rate(prompt.tokens.length - prompt.kept, prompt.prefillMs),
        decodeMs: 0,
        decodeTokensPerSecond: 0,
        timeToFirstTokenMs: 0,
      },
    };
    configure(machine, settings);
    this.#constraint = constraint;
    this.#speculation = speculation;
    this.#onPass = onPass;
    if (!constraint) return;
    this.#allowed = machine.session.restrict();
    if (this.#allowed === 0) throw outOfMemory();
  }

  /**
   * Draws tokens until there is something to show: of each pass all that it draws.
   *
   * @returns the next piece, or parts of an answer; undefined when the text is complete
   * @throws the signal's reason, within one token
   */
  async next(signal: AbortSignal): Promise<string | AnswerPart[] | undefined> {
    while (!this.done) {
      signal.throwIfAborted();
      const end = this.#endBefore();
      const found = end ? [this.#show(this.#finish(end))] : await this.#draw(signal);
      const shown = this.#answer ? (found as AnswerPart[][]).flat() : found.join('');
      if (shown.length > 0) return shown;
    }
    return undefined;
  }

  #show(piece: string): string | AnswerPart[] {
    if (this.#answer) return this.#read(this.#answer, piece);
    this.#add(piece);
    return piece;
  }

  #read(answer: AnswerReader, piece: string): AnswerPart[] {
    const parts = answer.push(piece);
    if (answer.stopped !== undefined && !this.done) this.#finish('stop');
    if (!this.done) return parts;
    parts.push(...answer.finish());
    this.result.stopString = answer.stopped;
    const calls = this.result.finishReason === 'stop' && answer.toolCalls.length > 0;
    if (calls) this.result.finishReason = 'tool-calls';
    return parts;
  }

  /** What has been written so far, as the result has it. */
  written(): Written {
    if (this.#answer) {
      const { text, reasoning, toolCalls } = this.#answer;
      Object.assign(this.result, { text, reasoning, toolCalls });
    }
    return this.result;
  }

  #add(piece: string): void {
    if (piece === '') return;
    this.result.text += piece;
    if (this.#loose.push(piece) < kLoosePieces) return;
    this.#whole += this.#loose.join('');
    this.#loose = [];
    this.result.text = this.#whole;
  }

  /** Why no token follows. */
  #endBefore(): FinishReason | undefined {
    const { session, contextWindow } = this.#machine;
    if (this.#constraint?.over) return 'stop';
    return session.position() >= contextWindow ? 'length' : undefined;
  }

  /** What there is to show of each token that a pass draws. */
  async #draw(signal: AbortSignal): Promise<(string | AnswerPart[])[]> {
    const { session, decoder } = this.#machine;
    const { timings, tokens } = this.result;
    this.#onPass?.();
    const guesses = await this.#speculation?.guess(this.#room(), this.#constraint, signal);
    const before = tokens.length;
    const reads = session.pending() >= 0;
    const shown: (string | AnswerPart[])[] = [];
    this.#constraint?.write(this.#bits());
    const take = (token: number): boolean => {
      // Why there is none after some that were guessed, the next pass says.
      if (token < 0 && shown.length > 0) return false;
      if (token < 0) throw noToken(token);
      if (tokens.length === 0) timings.timeToFirstTokenMs = performance.now() - this.#started;
      if (this.#answer?.thinks) this.result.reasoningTokens++;
      shown.push(this.#show(this.#take(token)));
      if (!this.done) this.#constraint?.write(this.#bits());
      return !this.done;
    };
    const drawn = await decoder.next({ session, signal, guesses: this.#checked(guesses), take });
    timings.decodeMs += drawn.ms + (guesses?.ms ?? 0);
    // The first token was already decided by the prompt.
    timings.decodeTokensPerSecond = rate(tokens.length - 1, timings.decodeMs);
    const kinds = drawn.guessed ? (guesses?.kinds ?? []) : [];
    this.result.guessedTokens += kinds.length;
    this.result.acceptedTokens += shown.length - 1;
    // What the prompt has decided takes no pass, and one for several texts is not this one's.
    const ms = reads && !drawn.shared ? drawn.ms : undefined;
    this.#speculation?.read(tokens.slice(before), kinds, ms);
    return shown;
  }

  #checked(guesses: Guesses | undefined): CheckedGuesses | undefined {
    if (!guesses || guesses.tokens.length === 0) return undefined;
    const { tokens, kinds } = guesses;
    // Log probabilities are made of the logits of every token.
    if (this.#settings.logprobs !== undefined) return { tokens, decided: 0 };
    const bits = kinds.map((kind, i) => (kind === 'only' ? 1 << i : 0));
    return { tokens, decided: bits.reduce((all, bit) => all | bit, 0) };
  }

  /** Tokens that may be drawn before the last one that may. */
  #room(): number {
    const { session, contextWindow } = this.#machine;
    // What was not drawn has nothing behind it to read.
    if (session.pending() < 0) return 0;
    const { length } = this.result.tokens;
    return Math.min(this.#maxTokens - length, contextWindow - session.position()) - 1;
  }

  /** Takes a token that was drawn. */
  #take(token: number): string {
    const { tokenizer } = this.#machine;
    const { ignoreEos, logprobs } = this.#settings;
    const { tokens } = this.result;
    tokens.push(token);
    if (logprobs !== undefined) {
      // The mask is still the one that the token was drawn under.
      const mask = this.#constraint && this.#bits();
      this.result.logprobs?.push(tokenLogprob(this.#machine, token, logprobs, mask));
    }

    if (!ignoreEos && tokenizer.endTokens.has(token)) return this.#finish('stop');
    const piece = this.#stream.push(token);
    if (this.#stream.stopped !== undefined) return piece + this.#finish('stop');
    this.#constraint?.read(token);
    if (this.#constraint?.over) return piece + this.#finish('stop');
    if (tokens.length >= this.#maxTokens) return piece + this.#finish('length');
    return piece;
  }

  // The memory may have grown since the last token.
  #bits(): Int32Array {
    const start = this.#allowed >>> 2;
    const words = (this.#machine.tokenizer.vocabSize + 31) >> 5;
    return this.#machine.wasm.module.HEAP32.subarray(start, start + words);
  }

  #finish(reason: FinishReason): string {
    this.done = true;
    this.result.finishReason = reason;
    const rest = this.#stream.finish();
    this.result.stopString = this.#stream.stopped;
    return rest;
  }

  /** Entries of `logprobs` since the last call. */
  takeLogprobs(): TokenLogprob[] | undefined {
    const fresh = this.result.logprobs?.slice(this.#told);
    this.#told += fresh?.length ?? 0;
    return fresh;
  }
}

/** Why none was drawn: `NoToken` of cpp/runtime/sampler.h. */
function noToken(why: number): Error {
  if (why === -1) return outOfMemory();
  if (why === -2) return new RangeError('there is nothing to go on from: the prompt is empty');
  if (why === -3) return notFinite();
  return new RangeError('logitBias, or the constraint, forbids every token');
}

function configure({ wasm, session }: TextMachine, settings: GenerationSettings): void {
  const { sampler, logitBias } = settings;
  const count = logitBias.length;
  if (count === 0) {
    session.configureSampler(sampler, 0, 0, 0);
    return;
  }
  wasm.withBlock(8 * count, (address) => {
    wasm.module.HEAP32.set(
      logitBias.map(([token]) => token),
      address >>> 2,
    );
    wasm.module.HEAPF32.set(
      logitBias.map(([, value]) => value),
      (address >>> 2) + count,
    );
    session.configureSampler(sampler, address, address + 4 * count, count);
  });
}

/** Tokens per second; 0 when no time has passed. */
export function rate(tokens: number, ms: number): number {
  return ms > 0 ? (1000 * tokens) / ms : 0;
}
