// SPDX-License-Identifier: MIT
// The part of OpenAI's Responses API that runs here, under names of the `openai` package.
// Written out, so that nobody needs that package; tests/types holds them against it.

/** Text, or text in parts. */
export type ResponseInputContent =
  | string
  | readonly { type: 'input_text' | 'output_text'; text: string }[];

/** One turn, or a part of it: what an answer's `output` has can be sent back as it is. */
export type ResponseInputItem =
  | {
      type?: 'message';
      role: 'user' | 'assistant' | 'system' | 'developer';
      content: ResponseInputContent;
    }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: ResponseInputContent }
  | { type: 'reasoning'; content?: readonly { type: 'reasoning_text'; text: string }[] };

/** A tool that the model may call: its arguments are held to `parameters`, a JSON Schema. */
export interface ResponseTool {
  type: 'function';
  name: string;
  description?: string | null;
  parameters: Record<string, unknown> | null;
  /** Taken and not looked at: all arguments are held to their schema. */
  strict: boolean | null;
}

export type ResponseToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { type: 'function'; name: string }
  /** As if there were no other tools. */
  | { type: 'allowed_tools'; mode: 'auto' | 'required'; tools: Record<string, unknown>[] };

export type ResponseTextFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema';
      name: string;
      description?: string;
      schema: Record<string, unknown>;
      /** Taken and not looked at: every answer is held to its schema. */
      strict?: boolean | null;
    };

/** Everything else that OpenAI's interface has is refused by name, unless it changes no answer. */
export interface ResponseCreateParams {
  /** The user's text, or items. */
  input?: string | readonly ResponseInputItem[];
  /** The system message: of this response alone. */
  instructions?: string | null;
  /** Goes on from a response that is kept, whose conversation is not read again. */
  previous_response_id?: string | null;
  /** Whether the response can be gone on from and retrieved. Default true. */
  store?: boolean | null;
  /** Taken and not looked at: the client has one model. */
  model?: string;
  stream?: boolean | null;
  max_output_tokens?: number | null;
  temperature?: number | null;
  top_p?: number | null;
  /** Not OpenAI's, but known to most servers of its interface. */
  top_k?: number | null;
  /** As `top_k`. */
  min_p?: number | null;
  /** As `top_k`. */
  seed?: number | null;
  text?: { format?: ResponseTextFormat };
  tools?: readonly ResponseTool[];
  tool_choice?: ResponseToolChoice;
  /** Whether the model may call several at once. Default true. */
  parallel_tool_calls?: boolean | null;
  /** An effort of `none` keeps a model from thinking; any other lets it. */
  reasoning?: {
    effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null;
  } | null;
  metadata?: Record<string, string> | null;
  /** `auto`, which drops what does not fit, is not supported. */
  truncation?: 'disabled' | null;
}

/** `incomplete` where `max_output_tokens`, or the context window, has cut it short. */
export type ResponseItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** Of an answer. */
export interface ResponseOutputText {
  type: 'output_text';
  text: string;
  annotations: never[];
}

/** What was thought. */
export interface ResponseReasoningText {
  type: 'reasoning_text';
  text: string;
}

export interface ResponseReasoningItem {
  type: 'reasoning';
  id: string;
  summary: never[];
  content: ResponseReasoningText[];
  status: ResponseItemStatus;
}

export interface ResponseOutputMessage {
  type: 'message';
  id: string;
  role: 'assistant';
  content: ResponseOutputText[];
  status: ResponseItemStatus;
}

export interface ResponseFunctionToolCall {
  type: 'function_call';
  id: string;
  call_id: string;
  name: string;
  /** JSON of an object; the beginning of it where the call is `incomplete`. */
  arguments: string;
  status: ResponseItemStatus;
}

/** An answer has thoughts, then a message, then calls. */
export type ResponseOutputItem =
  | ResponseReasoningItem
  | ResponseOutputMessage
  | ResponseFunctionToolCall;

export interface ResponseUsage {
  input_tokens: number;
  /** Tokens of the input that were held from before. */
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
}

export interface Response {
  id: string;
  object: 'response';
  created_at: number;
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  error: { code: 'server_error'; message: string } | null;
  incomplete_details: { reason: 'max_output_tokens' } | null;
  output: ResponseOutputItem[];
  /** The text of its message. */
  output_text: string;
  usage?: ResponseUsage;
  model: string;
  instructions: string | null;
  previous_response_id: string | null;
  max_output_tokens: number | null;
  /** Null where nobody chose it. */
  temperature: number | null;
  /** As `temperature`. */
  top_p: number | null;
  text: { format: ResponseTextFormat };
  tools: ResponseTool[];
  tool_choice: ResponseToolChoice;
  parallel_tool_calls: boolean;
  reasoning: { effort: NonNullable<ResponseCreateParams['reasoning']>['effort'] | null };
  truncation: 'disabled';
  metadata: Record<string, string> | null;
}
