// SPDX-License-Identifier: MIT
import {
  type Constraint,
  type ConstraintSettings,
  constraintSettings,
} from './constraints/constraint.js';
import { checkNames, type NamesOf } from './option-names.js';

/** How the next token is drawn. Order: logit bias, penalties, temperature, topK, topP, minP. */
export interface SamplingOptions {
  /** Divides the logits, >= 0; 0 always takes the most likely token. Default 0.8. */
  temperature?: number;
  /** Keep the k most likely tokens, a whole number >= 0; 0 keeps all. Default 40. */
  topK?: number;
  /** Keep the fewest tokens whose probabilities reach p, in (0, 1]; 1 keeps all. Default 0.95. */
  topP?: number;
  /** Keep tokens of at least minP times the best one's probability, in [0, 1]. Default 0.05. */
  minP?: number;
  /** Divides positive and multiplies negative logits of recent tokens, > 0. Default 1 (off). */
  repetitionPenalty?: number;
  /** Subtracted from a recent token's logit per occurrence. Default 0. */
  frequencyPenalty?: number;
  /** Subtracted from a recent token's logit once. Default 0. */
  presencePenalty?: number;
  /** How many of the last tokens the penalties look at, 0 to 4096. Default 64. */
  penaltyWindow?: number;
  /** Added to the logits of tokens by id; -Infinity forbids a token. */
  logitBias?: Record<number, number>;
  /** Whole number in [0, 2^53). The same seed and build give the same text. Default: random. */
  seed?: number;
}

/** How much of a prompt has been read. */
export interface PrefillProgress {
  tokens: number;
  /** All that are to be read for this call. */
  total: number;
}

/** Goes with every call that reads a prompt. */
export interface PrefillOptions {
  /** Called after each batch of up to `batchTokens` (see {@link LoadOptions}). */
  onPrefill?: (read: PrefillProgress) => void;
  /** Ends the call with the signal's reason, within one token or one batch of the prompt. */
  signal?: AbortSignal;
}

/** How long and what to generate, beside how to sample. */
export interface GenerationOptions extends SamplingOptions, PrefillOptions {
  /**
   * Most tokens to generate, a whole number >= 1 or Infinity; the result's `finishReason` is then
   * `length`. Default: as many as the context window has room for; where that is `Infinity`, as many
   * as the context length that the file names, so that a text which never comes to its end is cut.
   */
  maxTokens?: number;
  /** Generation ends before the first of these; none of it is part of the text. */
  stop?: string | readonly string[];
  /** With each token its log probability and those of this many alternatives, 0 to 20. */
  logprobs?: number;
  /** Go on past the model's own end of text. Default false. */
  ignoreEos?: boolean;
  /**
   * Of messages that do not say it themselves: whether control tokens written in them are tokens, as
   * they always are in a text without a chat. Default false: what a message says stays within it.
   */
  specialTokens?: boolean;
  /**
   * What the text must be: JSON, JSON of a schema, or what a regular expression matches. It goes before
   * `logitBias`: where that forbids all that may follow, it counts for nothing.
   */
  constraint?: Constraint;
  /**
   * Guesses several tokens at a time, of what the text has said before, of what a constraint leaves
   * one way for, by the model's own block for it (loaded with {@link LoadOptions.speculate}) and by a
   * {@link LoadOptions.draft}, and has one pass over the weights check them: the text is to the token
   * what it would be without, and comes faster where guesses are right often. As many are guessed as
   * that has shown to gain, none where it does not. It takes memory for a second state. Ignored by
   * models with other linear layers than gated delta nets of Qwen3.5, Mamba-2 and short convolutions.
   * Default: what the load said, which is false unless it says so.
   */
  speculate?: boolean;
}

/** The options that go with every call that reads a prompt. */
export const PREFILL_NAMES: NamesOf<PrefillOptions> = { onPrefill: true, signal: true };

/** Those of a call that generates. */
export const GENERATION_NAMES: NamesOf<GenerationOptions> = {
  ...PREFILL_NAMES,
  temperature: true,
  topK: true,
  topP: true,
  minP: true,
  repetitionPenalty: true,
  frequencyPenalty: true,
  presencePenalty: true,
  penaltyWindow: true,
  logitBias: true,
  seed: true,
  maxTokens: true,
  stop: true,
  logprobs: true,
  ignoreEos: true,
  specialTokens: true,
  constraint: true,
  speculate: true,
};

/** What crosses into wasm, one value per field of the C++ struct. */
export interface SamplerSettings {
  temperature: number;
  topK: number;
  topP: number;
  minP: number;
  repetitionPenalty: number;
  frequencyPenalty: number;
  presencePenalty: number;
  penaltyWindow: number;
}

/** Checked options, with every default filled in; can be posted to a worker. */
export interface GenerationSettings {
  sampler: SamplerSettings;
  logitBias: [token: number, value: number][];
  seed: number | undefined;
  /** As many as the context has room for when not given. */
  maxTokens: number | undefined;
  stop: string[];
  logprobs: number | undefined;
  ignoreEos: boolean;
  specialTokens: boolean;
  constraint: ConstraintSettings | undefined;
  /** As the load said if not given. */
  speculate: boolean | undefined;
}

/** More than any engine of one chip has, and each takes memory. */
const MAX_THREADS = 64;

const MAX_ALTERNATIVES = 20;

/** Enough that weights are read from memory once for many tokens, and an abort is heard soon. */
export const DEFAULT_BATCH_TOKENS = 512;
const MAX_BATCH_TOKENS = 2048;

/** What the first messages come to, and the last question without and with its words. */
const DEFAULT_CHECKPOINTS = 4;
const DEFAULT_PLACE_BYTES = 2 ** 27;
const MAX_CHECKPOINTS = 64;

/**
 * Checks every option and fills in the defaults.
 *
 * @param options as the caller gave them
 * @param base a session's own options, which `options` override one by one
 * @throws TypeError or RangeError naming the option
 */
export function generationSettings(
  options: GenerationOptions = {},
  base: GenerationOptions = {},
): GenerationSettings {
  checkNames(options, GENERATION_NAMES);
  const given = { ...base, ...defined(options) };
  return {
    sampler: {
      temperature: number(given, 'temperature', 0.8, 0, 1e6),
      topK: whole(given, 'topK', 40, 0, 2 ** 31 - 1),
      topP: number(given, 'topP', 0.95, Number.MIN_VALUE, 1),
      minP: number(given, 'minP', 0.05, 0, 1),
      repetitionPenalty: number(given, 'repetitionPenalty', 1, 1e-6, 1e6),
      frequencyPenalty: number(given, 'frequencyPenalty', 0, -1e6, 1e6),
      presencePenalty: number(given, 'presencePenalty', 0, -1e6, 1e6),
      penaltyWindow: whole(given, 'penaltyWindow', 64, 0, 4096),
    },
    logitBias: biases(given.logitBias),
    seed: given.seed === undefined ? undefined : whole(given, 'seed', 0, 0, 2 ** 53 - 1),
    maxTokens:
      given.maxTokens === undefined || given.maxTokens === Number.POSITIVE_INFINITY
        ? given.maxTokens
        : whole(given, 'maxTokens', 1, 1, 2 ** 31 - 1),
    stop: stops(given.stop),
    logprobs:
      given.logprobs === undefined ? undefined : whole(given, 'logprobs', 0, 0, MAX_ALTERNATIVES),
    ignoreEos: flag(given, 'ignoreEos', false),
    specialTokens: flag(given, 'specialTokens', false),
    constraint: given.constraint === undefined ? undefined : constraintSettings(given.constraint),
    speculate: given.speculate === undefined ? undefined : flag(given, 'speculate', false),
  };
}

/**
 * Which places a session can come back to.
 *
 * @throws TypeError or RangeError naming the option
 */
export function placeSettings(options: { checkpoints?: number; answerPlaces?: boolean }): {
  checkpoints: number;
  answerPlaces: boolean;
} {
  return {
    checkpoints: whole(options, 'checkpoints', DEFAULT_CHECKPOINTS, 0, MAX_CHECKPOINTS),
    answerPlaces: flag(options, 'answerPlaces', false),
  };
}

/** @throws TypeError when `signal` is given and is not an AbortSignal */
export function checkSignal(signal: unknown): void {
  if (signal !== undefined && typeof (signal as AbortSignal)?.addEventListener !== 'function') {
    throw new TypeError('signal must be an AbortSignal');
  }
}

/** @throws TypeError or RangeError for what is no time to wait */
export function checkTimeout(stallTimeout: unknown): void {
  if (stallTimeout === undefined) return;
  if (typeof stallTimeout !== 'number') throw new TypeError('stallTimeout must be a number');
  if (stallTimeout > 0) return;
  throw new RangeError(`stallTimeout must be more than 0 milliseconds, not ${stallTimeout}`);
}

/** @throws TypeError when a callback is given and is not a function; `name` is the option's */
export function checkCallback(callback: unknown, name: 'onProgress' | 'onPrefill'): void {
  if (callback !== undefined && typeof callback !== 'function') {
    throw new TypeError(`${name} must be a function`);
  }
}

/** @throws TypeError naming the option that is of the wrong kind */
export function checkPrefillOptions({ signal, onPrefill }: PrefillOptions): void {
  checkSignal(signal);
  checkCallback(onPrefill, 'onPrefill');
}

/**
 * How many threads, how large batches and how many bytes of places a load asks for.
 *
 * @returns no threads where the choice is left to the package
 * @throws TypeError or RangeError naming the option
 */
export function workSettings(options: {
  threads?: number;
  batchTokens?: number;
  placeBytes?: number;
}): {
  threads: number | undefined;
  batchTokens: number;
  placeBytes: number;
} {
  const { threads } = options;
  return {
    threads: threads === undefined ? undefined : whole(options, 'threads', 1, 1, MAX_THREADS),
    batchTokens: whole(options, 'batchTokens', DEFAULT_BATCH_TOKENS, 1, MAX_BATCH_TOKENS),
    placeBytes: whole(options, 'placeBytes', DEFAULT_PLACE_BYTES, 0, 2 ** 32),
  };
}

/**
 * How a model's matrices lie in memory: as precise as in the file; quantised to a type of GGUF where
 * theirs has more bits a weight; or all in int8 with one scale a row.
 */
export type WeightForm = 'stored' | 'q8_0' | 'q4_0' | 'q4_k' | 'qc8';

export const WEIGHT_FORMS: readonly WeightForm[] = ['stored', 'q8_0', 'q4_0', 'q4_k', 'qc8'];

/** @throws TypeError when `weights` is given and names no form */
export function weightForm(weights: unknown = 'stored'): WeightForm {
  return oneOf('weights', WEIGHT_FORMS, weights);
}

/**
 * How the keys and values of softmax layers are kept: `f32`, as they are; `bf16`, rounded to 16 bits;
 * `int8`, each head's key or value of a token with one float32 scale.
 */
export type KvType = 'f32' | 'bf16' | 'int8';

export const KV_TYPES: readonly KvType[] = ['f32', 'bf16', 'int8'];

/** @throws TypeError when `kv` is given and names no type */
export function kvType(kv: unknown): KvType | undefined {
  return kv === undefined ? undefined : oneOf('kv', KV_TYPES, kv);
}

function oneOf<T>(name: string, names: readonly T[], value: unknown): T {
  const found = names.find((one) => one === value);
  if (found !== undefined) return found;
  throw new TypeError(`${name} must be one of ${names.join(', ')}, not '${value}'`);
}

/** @throws RangeError for a bias on a token that is not in the vocabulary */
export function checkBiases({ logitBias }: GenerationSettings, vocabSize: number): void {
  for (const [token] of logitBias) checkToken(token, 'logitBias', vocabSize);
}

/** @throws RangeError for a token that is not in the vocabulary; `name` is the caller's */
export function checkToken(token: number, name: string, vocabSize: number): number {
  if (Number.isInteger(token) && token >= 0 && token < vocabSize) return token;
  throw new RangeError(`${name} has ${token}, but token ids are 0 to ${vocabSize - 1}`);
}

/** @throws TypeError unless `text` is a string; `name` is what the caller calls it */
export function checkText(text: unknown, name: string): asserts text is string {
  if (typeof text !== 'string') throw new TypeError(`${name} must be a string`);
}

// An option set to undefined is an option not given.
function defined<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}

export function number<Name extends string>(
  options: { [name in Name]?: number },
  name: Name,
  otherwise: number,
  low: number,
  high: number,
): number {
  // Not `??`: null is a wrong value, undefined is none.
  const value: unknown = options[name] === undefined ? otherwise : options[name];
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number`);
  // Written so that NaN fails.
  if (!(value >= low && value <= high)) {
    throw new RangeError(`${name} must be between ${low} and ${high}, not ${value}`);
  }
  return value;
}

export function whole<Name extends string>(
  options: { [name in Name]?: number },
  name: Name,
  otherwise: number,
  low: number,
  high: number,
): number {
  const value = number(options, name, otherwise, low, high);
  if (!Number.isInteger(value)) {
    throw new RangeError(`${name} must be a whole number, not ${value}`);
  }
  return value;
}

/** @throws TypeError unless the option is true, false or not given */
export function flag<Name extends string>(
  options: { [name in Name]?: unknown },
  name: Name,
  otherwise: boolean,
): boolean {
  const value = options[name] === undefined ? otherwise : options[name];
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false`);
  return value;
}

function stops(stop: GenerationOptions['stop']): string[] {
  const list = stop === undefined ? [] : typeof stop === 'string' ? [stop] : stop;
  // Copied first: `every` goes past holes.
  const copy = Array.isArray(list) ? [...list] : undefined;
  if (!copy?.every((text) => typeof text === 'string')) {
    throw new TypeError('stop must be a string or an array of strings');
  }
  if (copy.includes('')) throw new RangeError('stop must not contain an empty string');
  return copy;
}

function biases(bias: GenerationOptions['logitBias']): [number, number][] {
  if (bias === undefined) return [];
  // Arrays and maps would pass for objects of other, or of no, tokens.
  if (typeof bias !== 'object' || bias === null || Symbol.iterator in bias) {
    throw new TypeError('logitBias must be an object from token ids to numbers');
  }
  return Object.entries(bias).map(([key, value]) => {
    const token = Number(key);
    if (!Number.isInteger(token) || token < 0) {
      throw new RangeError(`logitBias has '${key}', which is not a token id`);
    }
    if (typeof value !== 'number') {
      throw new TypeError(`logitBias[${key}] must be a number or -Infinity`);
    }
    if (Number.isNaN(value) || value === Number.POSITIVE_INFINITY) {
      throw new RangeError(`logitBias[${key}] must be a number or -Infinity, not ${value}`);
    }
    return [token, value];
  });
}

/** A seed by chance, in [0, 2^53). */
export function randomSeed(): number {
  const [low, high] = crypto.getRandomValues(new Uint32Array(2)) as unknown as [number, number];
  return (high & 0x1fffff) * 2 ** 32 + low;
}

/** Of several texts that each draw from a seed of their own. */
export const laterSeed = (seed: number, index: number) => (seed + index) % 2 ** 53;
