// SPDX-License-Identifier: MIT
// The part of OpenAI's chat completions that runs here, under the names of the `openai` package.
// Written out, so that nobody needs that package; tests/types holds them against it.

import type { EventStream } from './event-stream.js';

/** Text, or text in parts. */
export type ChatContent = string | readonly { type: 'text'; text: string }[];

export type ChatMessage =
  | { role: 'system' | 'developer' | 'user'; content: ChatContent }
  | {
      role: 'assistant';
      /** May be null where there are calls. */
      content?: ChatContent | null;
      /** What was thought before it: not OpenAI's, but known to most servers of its interface. */
      reasoning_content?: string | null;
      tool_calls?: readonly ChatToolCall[];
    }
  /** What a call gave. */
  | { role: 'tool'; content: ChatContent; tool_call_id: string };

/** A tool that the model may call: its arguments are held to `parameters`, a JSON Schema. */
export interface ChatTool {
  type: 'function';
  function: {
    name: string;
    description?: string;
    parameters?: Record<string, unknown>;
    /** Taken and not looked at: all arguments are held to their schema. */
    strict?: boolean | null;
  };
}

export interface ChatToolCall {
  id: string;
  type: 'function';
  /** Arguments are JSON of an object. */
  function: { name: string; arguments: string };
}

export type ChatToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { type: 'function'; function: { name: string } }
  /** As if there were no other tools. */
  | {
      type: 'allowed_tools';
      allowed_tools: { mode: 'auto' | 'required'; tools: Record<string, unknown>[] };
    };

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
  tools?: readonly ChatTool[];
  tool_choice?: ChatToolChoice;
  /** Whether the model may call several at once. Default true. */
  parallel_tool_calls?: boolean;
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
  completion_tokens_details: { reasoning_tokens: number };
}

/** `tool_calls` also where one tool was asked for by its name. */
export type ChatFinishReason = 'stop' | 'length' | 'tool_calls';

export interface ChatCompletionMessage {
  role: 'assistant';
  /** Null where there are only calls. */
  content: string | null;
  refusal: null;
  reasoning_content?: string;
  /** Whole ones: a call that `length` has cut short is none. */
  tool_calls?: ChatToolCall[];
}

export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: {
    index: number;
    message: ChatCompletionMessage;
    finish_reason: ChatFinishReason;
    logprobs: Logprobs | null;
  }[];
  usage: CompletionUsage;
}

/** A piece of a choice. A call's first one has its id and name, those after it its arguments. */
export interface ChatCompletionDelta {
  role?: 'assistant';
  content?: string;
  reasoning_content?: string;
  tool_calls?: {
    index: number;
    id?: string;
    type?: 'function';
    function: { name?: string; arguments: string };
  }[];
}

export interface ChatCompletionChunk {
  id: string;
  object: 'chat.completion.chunk';
  created: number;
  model: string;
  choices: {
    index: number;
    delta: ChatCompletionDelta;
    finish_reason: ChatFinishReason | null;
    /** All of an answer's come with its last chunk. */
    logprobs: Logprobs | null;
  }[];
  /** With `include_usage`: null but in the last chunk, which has no choices. */
  usage?: CompletionUsage | null;
}

export type ChatCompletionStream = EventStream<ChatCompletionChunk>;
