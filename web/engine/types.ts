// SPDX-License-Identifier: MIT
// What crosses between the engine and its callers: plain values only.

import type { GenerationSettings, KvType, WeightForm } from '../options.js';
import type { CacheSettings } from '../sources/cache-settings.js';
import type { Precision } from '../storage/compact.js';
import type { Message } from '../text/message.js';
import type { Tool, ToolCall } from '../text/tool.js';
import type { AnswerPart } from '../tools/answer-reader.js';
import type { ToolChoice } from '../tools/tool-choice.js';
import type { WasmSource } from '../wasm/builds.js';
import type { ModelMemory, ModelPlan } from './model-loader.js';
import type { GivenSource } from './model-source.js';

/** Where the states after texts' beginnings are kept. */
export interface PrefixOptions {
  /** Most bytes in memory, beside the WebAssembly's. Default 2^27 (134 MB); 0 keeps none there. */
  memoryBytes?: number;
  /**
   * Most bytes in this browser's storage, those of all models together, where they stay across
   * reloads. Default 0: nothing is written.
   */
  storedBytes?: number;
  /** See {@link SaveOptions}; a text goes on bit for bit as if it had been read only from `f32`. */
  precision?: Precision;
}

/** A text's beginning whose state is kept. */
export interface KeptPrefix {
  id: string;
  tokens: number;
  bytes: number;
  inMemory: boolean;
  /** In this browser's storage. */
  stored: boolean;
}

/** What is asked of a model's prefixes. */
export type PrefixRequest =
  | { keep: PrefixText; thinking: boolean | undefined; tools: Tool[] }
  | { list: true }
  /** One of them, or all. */
  | { delete: string | undefined };

/** What a prefix is given as: text, token ids or messages. */
export type PrefixText = string | readonly number[] | readonly Message[];

/** How an engine loads a model; can be posted to a worker. */
export interface EngineOptions {
  wasm: WasmSource;
  /** Prompt tokens that one forward pass takes at most. */
  batchTokens: number;
  weights: WeightForm;
  /** Whether the file's block for guesses is taken along, and texts are written with guesses. */
  speculate: boolean;
  kv?: KvType;
  cache?: CacheSettings;
  sha256?: string | Record<string, string>;
  stallTimeout?: number;
  prefixes?: boolean | PrefixOptions;
  /** Most that the places between answers' tokens may take; 0, if not given. */
  placeBytes?: number;
  draft?: DraftSettings;
}

/** How a draft is loaded beside its model; can be posted to a worker, but for its source. */
export interface DraftSettings {
  source: GivenSource;
  cache?: CacheSettings;
  sha256?: string | Record<string, string>;
}

/** What is known of a model's draft. */
export interface DraftFacts extends ModelMemory {
  architecture: string;
  name: string | undefined;
}

/** What is known of a loaded model. */
export interface EngineFacts extends ModelPlan {
  architecture: string;
  name: string | undefined;
  build: string;
  /** Layers that run: not those that a file has for multi-token prediction. */
  layerCount: number;
  /** Numbers in an embedding, which is what passes from layer to layer. */
  embeddingLength: number;
  /** Threads that share its work. */
  threads: number;
  /** Whether texts are written with guesses unless their calls say otherwise. */
  speculate: boolean;
  /** The small model that guesses for it, where the load was given one. */
  draft: DraftFacts | undefined;
  /** Most tokens a text can hold; `Infinity` where no layer keeps a KV cache. */
  contextWindow: number;
  loadMs: number;
  /** Whether every file of the model was a kept copy. */
  fromCache: boolean;
  /** Whether every file of it is kept now. */
  kept: boolean;
  /** Why not, where `cache` asked for it. */
  notKept: string | undefined;
  /** Whether its weights were kept as they lie in memory: see `cache.packed`. */
  packed: boolean;
}

/** Bytes in use now. */
export interface MemoryUse {
  /** Weights as they lie in memory, with those of a draft. */
  weightsBytes: number;
  /** The sessions' constant state, with that of their drafts. */
  stateBytes: number;
  /** The sessions' KV pages, likewise; 0 for all-linear models. */
  kvBytes: number;
  /** The places between messages that sessions can come back to. */
  checkpointBytes: number;
  /** The places between answers' tokens, of all sessions of the model. */
  placeBytes: number;
  /** States after texts' beginnings that the model keeps in memory, which is not WebAssembly's. */
  prefixBytes: number;
  /** The whole WebAssembly memory, which grows and never shrinks. */
  heapBytes: number;
  /** Bytes of it that are allocated. */
  heapInUse: number;
}

/**
 * Why a generation ended: `stop`, the model's end of text or a stop string; `tool-calls`, likewise,
 * and it waits for what tools give; `length`, maxTokens or the context window was reached;
 * `cancelled`, the reader went away.
 */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'cancelled';

/** One token's log probability in nats, under the model's own distribution. */
export interface TokenLogprob {
  token: number;
  /** As it is written in a text; part of a character shows as U+FFFD. */
  text: string;
  logprob: number;
  /** The most likely tokens at this place, best first. */
  alternatives: { token: number; text: string; logprob: number }[];
  /** Under a constraint: what it left to draw from here, before `logitBias`. */
  allowed?: AllowedTokens;
}

/** The tokens that a constraint allows at one place of a text. */
export interface AllowedTokens {
  /** How many; where it is 1, the token was not the model's choice. */
  count: number;
  /** The logarithm of the probability that the model itself gives to all of them together. */
  logprob: number;
  /**
   * The most likely of them, best first, as many as there are alternatives at most, and as likely as
   * the model itself has them.
   */
  likeliest: { token: number; text: string; logprob: number }[];
}

/** Times of one call. */
export interface Timings {
  /** Reading the prompt, in milliseconds, and its rate. */
  prefillMs: number;
  prefillTokensPerSecond: number;
  /** Writing the answer, in milliseconds, and its rate; the reader's own time is not counted. */
  decodeMs: number;
  decodeTokensPerSecond: number;
  /** From the call to the first token, in milliseconds. */
  timeToFirstTokenMs: number;
}

/** What was read and written. */
export interface Written {
  text: string;
  /** The tokens of this call's prompt; in a conversation, those that were not in the state yet. */
  promptTokens: number[];
  /**
   * How many of them had been read before: where a text was changed, what lies between the last
   * place that was kept and the change.
   */
  rereadTokens: number;
  /** How many of them, the first ones, were not read: the state after them had been kept. */
  prefixTokens: number;
  /** The tokens drawn, the end token included. */
  tokens: number[];
  finishReason: FinishReason;
  /** What was thought before it, and the tools that were called: of {@link Session.respond} alone. */
  reasoning: string | undefined;
  /** How many of `tokens` were thought. */
  reasoningTokens: number;
  /** With `speculate`: how many tokens were guessed, and checked in passes over several. */
  guessedTokens: number;
  /** How many of those were right: each saved a pass over the weights. */
  acceptedTokens: number;
  toolCalls: ToolCall[];
  /** The stop string that was met. */
  stopString: string | undefined;
  /** The seed in use, to draw the same again. */
  seed: number;
  /** With `logprobs`: one entry per token. */
  logprobs: TokenLogprob[] | undefined;
  timings: Timings;
}

/** All there is to know about a finished generation. */
export interface GenerationResult extends Written {
  /** Memory in use when it ended, of its own text only. */
  memory: MemoryUse;
  /** Which build ran: `simd128` or `relaxed`. */
  build: string;
  /** Threads that shared the work. */
  threads: number;
}

/** What a text grew to and what that took. */
export interface TextUse {
  tokens: number;
  /** In the conversation, those of the model included. */
  messages: number;
  memory: MemoryUse;
}

/** What a call made of a text. */
export interface TextReport {
  use: TextUse;
  /** What a session has forgotten since it was last asked. */
  forgotten?: Message[];
  /** Of a generation that is over. */
  result?: GenerationResult;
}

/** How a generation ended. */
export interface Ended {
  result: GenerationResult;
  use: TextUse;
}

/** One step of a generation: text to show with the entries of its tokens, or the end with its result. */
export type Step = { piece: string | AnswerPart[]; logprobs?: TokenLogprob[] } | Ended;

/** A text of its own. */
export interface TextRequest {
  prompt: string | number[];
  seed: number;
  settings: GenerationSettings;
}

/** How an answer is to be told apart, and what it may be. */
export interface AnswerSettings {
  /** Instead of those that the conversation has. */
  tools: Tool[] | undefined;
  choice: ToolChoice | undefined;
  parallel: boolean;
  /** As the conversation has it, if not given. */
  thinking: boolean | undefined;
  /** Most tokens of a thought. */
  budget: number | undefined;
}

/** Which text a generation works on: a session's chat, one that `readText` has read, or its own. */
export type Request =
  | {
      session: number;
      messages: Message[];
      forgets: boolean;
      settings: GenerationSettings;
      answer?: AnswerSettings;
    }
  | { session: number; settings: GenerationSettings }
  | TextRequest;
