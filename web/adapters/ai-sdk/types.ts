// SPDX-License-Identifier: MIT
// The part of `@ai-sdk/provider` that a text model needs, written out so that nobody needs that
// package; tests/types holds it against the package's LanguageModelV4 and ProviderV4.

export type PromptPart = { type: string; text?: string };

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
  tools?: readonly unknown[];
  toolChoice?: { type: string };
  reasoning?: string;
  abortSignal?: AbortSignal;
  includeRawChunks?: boolean;
  headers?: Record<string, string | undefined>;
}

export type Warning = { type: 'unsupported' | 'compatibility'; feature: string; details?: string };

export interface FinishReason {
  unified: 'stop' | 'length' | 'other';
  raw: string;
}

export interface TokenUsage {
  inputTokens: { total: number; noCache: number; cacheRead: number; cacheWrite: undefined };
  outputTokens: { total: number; text: number; reasoning: undefined };
}

export interface Finish {
  finishReason: FinishReason;
  usage: TokenUsage;
}

export interface GenerateResult extends Finish {
  content: { type: 'text'; text: string }[];
  warnings: Warning[];
  response: { id?: string; timestamp: Date; modelId: string };
}

export type StreamPart =
  | { type: 'stream-start'; warnings: Warning[] }
  | { type: 'response-metadata'; timestamp: Date; modelId: string }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string }
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
