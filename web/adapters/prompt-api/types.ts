// SPDX-License-Identifier: MIT
// The Prompt API's dictionaries, written out for programs that have no declarations of it;
// tests/types holds them against `@types/dom-chromium-ai`.
import type { GenerationOptions, LoadOptions, Model, ModelSource } from '../../index.js';

export type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

/** Values other than text are refused with a `NotSupportedError`. */
export interface PromptContent {
  type: 'text' | 'image' | 'audio';
  value: unknown;
}

export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | PromptContent[];
  /** The answer begins with this, the last message of a prompt, the assistant's. */
  prefix?: boolean;
}

export type Prompt = string | PromptMessage[];

export interface Expected {
  type: 'text' | 'image' | 'audio';
  languages?: string[];
}

export type SamplingMode =
  | 'most-predictable'
  | 'predictable'
  | 'balanced'
  | 'creative'
  | 'most-creative';

/** What decides whether a model can be had. */
export interface CreateCoreOptions {
  /** Not in the standard: a loaded model, or where one is loaded from. */
  model?: Model | ModelSource;
  /** Not in the standard: how it is loaded. Of several loads of one source, the first one's. */
  loadOptions?: Omit<LoadOptions, 'signal' | 'onProgress'>;
  expectedInputs?: Expected[];
  expectedOutputs?: Expected[];
  tools?: object[];
  samplingMode?: SamplingMode;
  temperature?: number;
  topK?: number;
}

export interface CreateOptions extends CreateCoreOptions {
  /** Not in the standard: defaults of every answer, such as `maxTokens` (4096) and `seed`. */
  generation?: Omit<GenerationOptions, 'signal'>;
  initialPrompts?: PromptMessage[];
  /** Is handed an EventTarget whose `downloadprogress` events have `loaded` from 0 to 1. */
  monitor?: (monitor: CreateMonitor) => void;
  signal?: AbortSignal;
}

export interface CreateMonitor extends EventTarget {
  // biome-ignore lint/suspicious/noExplicitAny: as the standard's declarations have it
  ondownloadprogress: ((this: any, event: ProgressEvent) => any) | null;
}

export interface PromptOptions {
  /** A JSON schema, or a regular expression. */
  responseConstraint?: object;
  /** Taken and not looked at: the constraint is never written into the prompt. */
  omitResponseConstraintInput?: boolean;
  signal?: AbortSignal;
}

export interface Params {
  readonly defaultTopK: number;
  readonly maxTopK: number;
  readonly defaultTemperature: number;
  readonly maxTemperature: number;
}
