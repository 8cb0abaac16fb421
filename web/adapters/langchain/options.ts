// SPDX-License-Identifier: MIT
import type {
  BaseChatModelCallOptions,
  BaseChatModelParams,
  BindToolsInput,
  ToolChoice as TheirChoice,
} from '@langchain/core/language_models/chat_models';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import type { Model, RespondOptions, Tool, ToolChoice } from '../../index.js';

/** How answers are written; tools, stop strings and signals are LangChain's own options. */
export type ChatGeneration = Omit<RespondOptions, 'tools' | 'toolChoice' | 'stop' | 'signal'>;

export type ChatFastweightsFields = BaseChatModelParams & {
  model: Model;
  /** Defaults of every answer. */
  generation?: ChatGeneration;
};

export type ChatFastweightsCallOptions = BaseChatModelCallOptions & {
  tools?: BindToolsInput[];
  /** Goes before the model's own defaults. */
  generation?: ChatGeneration;
};

export function readTool(tool: BindToolsInput): Tool {
  const { name, description, parameters } = convertToOpenAITool(tool).function;
  return { name, description, parameters: parameters as Tool['parameters'] };
}

export function readChoice(choice: TheirChoice | undefined): ToolChoice | undefined {
  if (choice === undefined || choice === 'auto' || choice === 'none') return choice;
  if (choice === 'any' || choice === 'required') return 'required';
  return { name: typeof choice === 'string' ? choice : String(choice.function?.name) };
}
