// SPDX-License-Identifier: MIT
// The Prompt API's dictionaries, written out for programs that have no declarations of it;
// tests/types holds them against `@types/dom-chromium-ai`.
import type { GenerationOptions, Model, ModelSource } from '../../index.js';
import type { SharedLoadOptions } from '../shared-model.js';
import type { LanguageModelToolCall } from './tool-messages.js';

export type { SharedLoadOptions };

export type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export type ContentType = 'text' | 'image' | 'audio' | 'tool-call' | 'tool-response';

/**
 * A part of a message. `image` and `audio` are refused with a `NotSupportedError`; the assistant's
 * `tool-call` has a `LanguageModelToolCall`, the user's `tool-response` a `LanguageModelToolSuccess` or
 * a `LanguageModelToolError`.
 */
export interface PromptContent {
  type: ContentType;
  value: unknown;
}

export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | PromptContent[];
  /** The answer begins with this, the last message of a prompt, the assistant's. */
  prefix?: boolean;
}

export type Prompt = string | PromptMessage[];

export interface ExpectedContent {
  type: ContentType;
  /** BCP 47 tags. */
  languages?: string[];
}

/** What a model may ask to be run. */
export interface PromptTool {
  name: string;
  description: string;
  /** A JSON schema of the type `object`. */
  inputSchema: object;
  /**
   * Gives what the model is told of a call's arguments. Where every tool has one, they are run, those
   * of one answer at once, and the model goes on; where one has none, calls are part of the answer.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as the standard's declarations have it
  execute?: (...parameters: any[]) => unknown;
}

/** A call that is part of an answer. */
export interface ToolCallContent {
  type: 'tool-call';
  value: LanguageModelToolCall;
}

/** The text of an answer, or what it is made of where a tool is called. */
export type Answer = string | ({ type: 'text'; value: string } | ToolCallContent)[];

export type SamplingMode =
  | 'most-predictable'
  | 'predictable'
  | 'slightly-predictable'
  | 'balanced'
  | 'slightly-creative'
  | 'creative'
  | 'most-creative';

/** What decides whether a model can be had. */
export interface CreateCoreOptions {
  /** Not in the standard: a loaded model, or where one is loaded from. */
  model?: Model | ModelSource;
  /** Not in the standard: how it is loaded. Of several loads of one source, the first one's. */
  loadOptions?: SharedLoadOptions;
  expectedInputs?: ExpectedContent[];
  expectedOutputs?: ExpectedContent[];
  /** They go with `tool-call` among the `expectedOutputs`. */
  tools?: PromptTool[];
  /** How much answers vary. Default `balanced`. */
  samplingMode?: SamplingMode;
  /** Not in the standard's pages; counts where there is no `samplingMode`. */
  temperature?: number;
  /** As `temperature`. */
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
  addEventListener(
    type: 'downloadprogress',
    listener: (event: ProgressEvent) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

export interface PromptOptions {
  /** A JSON schema, or a regular expression. The prompt's last question ends with it. */
  responseConstraint?: object;
  /** The answer is held to the constraint, but the model is not shown it. */
  omitResponseConstraintInput?: boolean;
  signal?: AbortSignal;
}
