// SPDX-License-Identifier: MIT
import type {
  LoadProgress,
  Message,
  Model,
  RespondOptions,
  SessionOptions,
  Tool,
  ToolCall,
} from '../../index.js';
import type { SharedLoadOptions } from '../shared-model.js';

export type { SharedLoadOptions };

/** A model on its way; in the end there is either `model` or `error`. */
export interface Loading {
  model?: Model;
  progress?: LoadProgress;
  error?: unknown;
}

/**
 * How a model is loaded: as the first of the components that share it says. It is freed with the last,
 * not by a signal.
 */
export type ModelOptions = SharedLoadOptions;

/** A tool that may be run in the page. */
export interface ChatTool extends Tool {
  /**
   * What the tool does. The model reads a string as it is, and anything else as JSON; what is thrown,
   * in words. Calls of one answer run at the same time. A tool without it ends the turn: its results
   * are sent.
   *
   * @param given arguments, of the schema in `parameters`
   * @param call `signal` fires when the turn is stopped, which then waits no longer
   */
  execute?(given: ToolCall['arguments'], call: { id: string; signal: AbortSignal }): unknown;
}

/** What a tool gave. */
export interface ToolResult {
  /** The call's. */
  id: string;
  /** The tool's. */
  name: string;
  content: string;
  /** Whether the tool has failed, and `content` says why. */
  isError?: boolean;
}

/** What a message is made of, in the order in which it came. */
export type ChatPart =
  /** What the model thought before it went on. */
  | { type: 'reasoning'; text: string }
  | { type: 'text'; text: string }
  | ({ type: 'tool-call' } & ToolCall)
  | ({ type: 'tool-result' } & ToolResult);

/** One turn: the model's has all its answers to one question, with the results of tools in between. */
export interface ChatMessage {
  role: Message['role'];
  /** Its text parts, one paragraph each. */
  content: string;
  parts: readonly ChatPart[];
}

/** How the session starts, and what it may call. */
export type ChatOptions = Omit<SessionOptions, 'tools'> & {
  /** As they are at the first question, but for `execute`, which is that of the latest render. */
  tools?: readonly ChatTool[];
  /** Most answers to one question, where tools are run in between: 1 or more. Default 8. */
  maxSteps?: number;
};

/** A conversation, its last message growing as it is written. */
export interface Chat {
  messages: readonly ChatMessage[];
  busy: boolean;
  /** What the last answer failed with. */
  error: unknown;
  /**
   * Asks, or goes on with the results of tools that are not run here; not taken while an answer is being
   * written. Resolves when the answer is complete. A question that could not be read to its end is no
   * part of the conversation, and leaves `messages` again. A `toolChoice` that asks for a call is that
   * of the first answer; the next ones call tools as they like.
   * The same function for as long as the component lives, as is `stop`.
   */
  send(input: string | readonly ToolResult[], options?: RespondOptions): Promise<void>;
  /** Ends the answer, the tools or the reading before it; what is written stays. */
  stop(): void;
}
