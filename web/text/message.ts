// SPDX-License-Identifier: MIT
import type { ToolCall } from './tool.js';

/** One turn of a conversation. */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /**
   * Whether control tokens that are written in the content are tokens: somebody else's text can then
   * end its turn, and speak in another role. Default false.
   */
  specialTokens?: boolean;
  /** The answer begins with this: only for the last message of a prompt, the assistant's. */
  prefix?: boolean;
  /** What the assistant thought before its answer. Most templates leave it out of later prompts. */
  reasoning?: string;
  /** What the assistant asked for, after its text. */
  toolCalls?: readonly ToolCall[];
  /** Of a tool's result: which call it answers. */
  toolCallId?: string;
  /** Of a tool's result: which tool gave it. Templates may read it of others too. */
  name?: string;
}
