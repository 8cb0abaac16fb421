// SPDX-License-Identifier: MIT
// The part of OpenAI's chat completions that runs here, under the names of the `openai` package.
// Written out, so that nobody needs that package; tests/types holds them against it.

/** Text, or text in parts. */
export type ChatContent = string | readonly { type: 'text'; text: string }[];

export interface ChatMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  content: ChatContent;
}

export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | { type: 'json_schema'; json_schema: SchemaFormat };

/** What an answer is held to, and the model is shown at the end of the system message. */
export interface SchemaFormat {
  name: string;
  description?: string;
  schema?: Record<string, unknown>;
  /** Taken and not looked at: every answer is held to its schema. */
  strict?: boolean | null;
}

/** Everything else that OpenAI's interface has is refused by name, unless it changes no answer. */
export interface ChatCompletionCreateParams {
  messages: readonly ChatMessage[];
  /** Taken and not looked at: the client has one model. */
  model?: string;
  stream?: boolean | null;
  stream_options?: { include_usage?: boolean } | null;
  max_completion_tokens?: number | null;
  max_tokens?: number | null;
  temperature?: number | null;
  top_p?: number | null;
  /** Not OpenAI's, but known to most servers of its interface. */
  top_k?: number | null;
  /** As `top_k`. */
  min_p?: number | null;
  frequency_penalty?: number | null;
  presence_penalty?: number | null;
  logit_bias?: Record<string, number> | null;
  stop?: string | string[] | null;
  /** With several choices, that of the first; each next choice has the next number. */
  seed?: number | null;
  logprobs?: boolean | null;
  top_logprobs?: number | null;
  n?: number | null;
  response_format?: ResponseFormat;
  /** `none` keeps a model from thinking; anything else lets it. */
  reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null;
}

export interface TokenLogprob {
  token: string;
  /** Null for a token that is only part of a character. */
  bytes: number[] | null;
  logprob: number;
}

export interface ChatCompletionTokenLogprob extends TokenLogprob {
  top_logprobs: TokenLogprob[];
}

export interface Logprobs {
  content: ChatCompletionTokenLogprob[] | null;
  refusal: null;
}

export interface CompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** Tokens of the prompt that were held from the last call. */
  prompt_tokens_details: { cached_tokens: number };
}

export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: {
    index: number;
    message: { role: 'assistant'; content: string; refusal: null };
    finish_reason: 'stop' | 'length';
    logprobs: Logprobs | null;
  }[];
  usage: CompletionUsage;
}

export interface ChatCompletionChunk {
  id: string;
  object: 'chat.completion.chunk';
  created: number;
  model: string;
  choices: {
    index: number;
    delta: { role?: 'assistant'; content?: string };
    finish_reason: 'stop' | 'length' | null;
    /** All of an answer's come with its last chunk. */
    logprobs: Logprobs | null;
  }[];
  /** With `include_usage`: null but in the last chunk, which has no choices. */
  usage?: CompletionUsage | null;
}

/** Chunks as they are written. Leaving the loop, or `controller.abort()`, ends the answer. */
export interface ChatCompletionStream extends AsyncIterable<ChatCompletionChunk> {
  controller: AbortController;
}
