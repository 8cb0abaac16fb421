// SPDX-License-Identifier: MIT
// The part of `@ai-sdk/provider` that a text model needs, written out so that nobody needs that
// package; tests/types holds it against the package's LanguageModelV4 and ProviderV4.

/** A part of a message. Which fields it has goes by its type. */
export interface PromptPart {
  type: string;
  text?: string;
  /** Of a file. */
  data?: unknown;
  /** Of a call of a tool, and of its result. */
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  output?: ToolOutput;
}

export type ToolOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'json' | 'error-json'; value: unknown }
  | { type: 'execution-denied'; reason?: string }
  | { type: 'content'; value: readonly PromptPart[] };

/** A tool that the caller runs, or one that is its provider's, of which there are none here. */
export type CallTool =
  | {
      type: 'function';
      name: string;
      description?: string;
      inputSchema: object;
      inputExamples?: readonly { input: object }[];
    }
  | { type: 'provider'; id: string; name: string };

export interface CallOptions {
  prompt: readonly { role: string; content: string | readonly PromptPart[] }[];
  maxOutputTokens?: number;
  temperature?: number;
  stopSequences?: string[];
  topP?: number;
  topK?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  responseFormat?:
    | { type: 'text' }
    | { type: 'json'; schema?: object; name?: string; description?: string };
  seed?: number;
  tools?: readonly CallTool[];
  toolChoice?: { type: 'auto' | 'none' | 'required' } | { type: 'tool'; toolName: string };
  reasoning?: 'provider-default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  abortSignal?: AbortSignal;
  includeRawChunks?: boolean;
  headers?: Record<string, string | undefined>;
}

export type Warning = { type: 'unsupported'; feature: string; details?: string };

export interface FinishReason {
  unified: 'stop' | 'length' | 'tool-calls' | 'other';
  raw: string;
}

export interface TokenUsage {
  inputTokens: { total: number; noCache: number; cacheRead: number; cacheWrite: undefined };
  outputTokens: { total: number; text: number; reasoning: number };
}

export interface Finish {
  finishReason: FinishReason;
  usage: TokenUsage;
}

/** A call of a tool, its `input` in JSON. */
export type CalledTool = {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: string;
};

export type AnswerContent = { type: 'reasoning' | 'text'; text: string } | CalledTool;

export interface GenerateResult extends Finish {
  content: AnswerContent[];
  warnings: Warning[];
  response: { id?: string; timestamp: Date; modelId: string };
}

/** What is written of an answer. */
export type WrittenPart =
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | { type: 'tool-input-start'; id: string; toolName: string }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-input-end'; id: string }
  | CalledTool;

export type StreamPart =
  | { type: 'stream-start'; warnings: Warning[] }
  | { type: 'response-metadata'; timestamp: Date; modelId: string }
  | WrittenPart
  | ({ type: 'finish' } & Finish)
  | { type: 'error'; error: unknown };

/** A `LanguageModelV4`. */
export interface LanguageModel {
  readonly specificationVersion: 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  doGenerate(options: CallOptions): Promise<GenerateResult>;
  doStream(options: CallOptions): Promise<{ stream: ReadableStream<StreamPart> }>;
}

/** A `ProviderV4` of text models. */
export interface Provider {
  (modelId: string): LanguageModel;
  readonly specificationVersion: 'v4';
  languageModel(modelId: string): LanguageModel;
  embeddingModel(modelId: string): never;
  imageModel(modelId: string): never;
}
