// SPDX-License-Identifier: MIT
// The Prompt API's dictionaries, written out for programs that have no declarations of it;
// tests/types holds them against `@types/dom-chromium-ai`.
import type { GenerationOptions, Model, ModelSource } from '../../index.js';
import type { SharedLoadOptions } from '../shared-model.js';

export type { SharedLoadOptions };

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
  loadOptions?: SharedLoadOptions;
  expectedInputs?: Expected[];
  expectedOutputs?: Expected[];
  tools?: object[];
  samplingMode?: SamplingMode;
  temperature?: number;
  topK?: number;
}

export interface CreateOptions extends CreateCoreOptions {
  /** Not in the standard: defaults of every answer, such as `maxTokens` and `seed`. */
  generation?: Omit<GenerationOptions, 'signal'>;
  initialPrompts?: PromptMessage[];
  /** Is handed an EventTarget whose `downloadprogress` events have `loaded` from 0 to 1. */
  monitor?: (monitor: CreateMonitor) => void;
  /** Ends the making; later, it destroys what was made. */
  signal?: AbortSignal;
}

export interface CreateMonitor extends EventTarget {
  // biome-ignore lint/suspicious/noExplicitAny: as the standard's declarations have it
  ondownloadprogress: ((this: any, event: ProgressEvent) => any) | null;
}

export interface PromptOptions {
  /** A JSON schema, or a regular expression. The prompt's last question ends with it. */
  responseConstraint?: object;
  /** The answer is held to the constraint, but the model is not shown it. */
  omitResponseConstraintInput?: boolean;
  signal?: AbortSignal;
}

export interface Params {
  readonly defaultTopK: number;
  readonly maxTopK: number;
  readonly defaultTemperature: number;
  readonly maxTemperature: number;
}
