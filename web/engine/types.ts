// SPDX-License-Identifier: MIT
// What crosses between the engine and its callers: plain values only.

import type { GenerationSettings, WeightForm } from '../options.js';
import type { CacheOptions } from '../storage/models.js';
import type { Message } from '../text/chat-template.js';
import type { WasmSource } from '../wasm/builds.js';
import type { Written } from './generation.js';
import type { ModelPlan } from './model-loader.js';
import type { PrefixOptions } from './prefixes.js';

/** How an engine loads a model; can be posted to a worker. */
export interface EngineOptions {
  wasm: WasmSource;
  /** Prompt tokens that one forward pass takes at most. */
  batchTokens: number;
  weights: WeightForm;
  cache?: boolean | CacheOptions;
  sha256?: string;
  prefixes?: boolean | PrefixOptions;
}

/** What is known of a loaded model. */
export interface EngineFacts extends ModelPlan {
  architecture: string;
  name: string | undefined;
  build: string;
  /** Threads that share its work. */
  threads: number;
  loadMs: number;
  fromCache: boolean;
}

/** Bytes in use now. */
export interface MemoryUse {
  /** Weights as they lie in memory. */
  weightsBytes: number;
  /** The sessions' constant state. */
  stateBytes: number;
  /** The sessions' KV pages; 0 for all-linear models. */
  kvBytes: number;
  /** The places between messages that sessions can come back to. */
  checkpointBytes: number;
  /** States after texts' beginnings that the model keeps in memory, which is not WebAssembly's. */
  prefixBytes: number;
  /** The whole WebAssembly memory, which grows and never shrinks. */
  heapBytes: number;
  /** Bytes of it that are allocated. */
  heapInUse: number;
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

/** One step of a generation: text to show, or the end with its result. */
export type Step = { piece: string } | { result: GenerationResult; use: TextUse };

/** A text of its own. */
export interface TextRequest {
  prompt: string | number[];
  seed: number;
  settings: GenerationSettings;
}

/** Which text a generation works on: a session's chat, one that `readText` has read, or its own. */
export type Request =
  | { session: number; messages: Message[]; forgets: boolean; settings: GenerationSettings }
  | { session: number; settings: GenerationSettings }
  | TextRequest;
