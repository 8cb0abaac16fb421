// SPDX-License-Identifier: MIT
// Tools, the choice of them and their calls: chat completions have a function's parts in an object
// called `function`, the Responses API beside its type.

import type { Tool, ToolCall, ToolChoice } from '../../index.js';
import { invalid, isObject, unsupported } from './parameters.js';

/** What may be called, and how that is chosen. */
export interface ReadTools {
  tools?: Tool[];
  toolChoice?: ToolChoice;
}

/**
 * @param nested whether a function's parts stand in `function`
 * @throws APIError 400 naming the parameter
 */
export function readTools(tools: unknown, choice: unknown, nested: boolean): ReadTools {
  const list = readList(tools, nested);
  if (choice === undefined || choice === null) return list.length > 0 ? { tools: list } : {};
  if (!isObject(choice) || choice.type !== 'allowed_tools') {
    return { tools: list, toolChoice: readChoice(choice, nested) };
  }
  const allowed = nested ? choice.allowed_tools : choice;
  const { mode, tools: names } = isObject(allowed) ? allowed : {};
  if (!Array.isArray(names)) throw invalid('tool_choice', 'must have an array of tools');
  const chosen = new Set(names.map((one) => partsOf(one, nested)?.name));
  return {
    tools: list.filter(({ name }) => chosen.has(name)),
    toolChoice: readChoice(mode ?? 'auto', nested),
  };
}

/**
 * The arguments of a call that a client sends back.
 *
 * @throws APIError 400 naming the parameter where they are no JSON of an object
 */
export function readArguments(text: unknown, param: string): ToolCall['arguments'] {
  let value: unknown;
  try {
    value = JSON.parse(text as string);
  } catch (cause) {
    throw invalid(param, 'must be JSON', cause);
  }
  if (typeof text === 'string' && isObject(value)) return value;
  throw invalid(param, 'must be the JSON of an object');
}

function readList(tools: unknown, nested: boolean): Tool[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) throw invalid('tools', 'must be an array');
  return tools.map((tool: unknown, index) => {
    const param = `tools[${index}]`;
    if (!isObject(tool)) throw invalid(param, 'must be an object');
    if (tool.type !== 'function') {
      throw unsupported(`${param}.type`, `tools of type ${tool.type} are not supported`);
    }
    const parts = partsOf(tool, nested);
    if (typeof parts?.name !== 'string') throw invalid(param, 'must have a function with a name');
    const { name, description, parameters } = parts;
    // Whatever else is wrong with them, those who hold answers to them say.
    return {
      name,
      ...(isGiven(description) ? { description: description as string } : {}),
      ...(isGiven(parameters) ? { parameters: parameters as Tool['parameters'] } : {}),
    } as Tool;
  });
}

function readChoice(choice: unknown, nested: boolean): ToolChoice {
  if (!isObject(choice)) return choice as ToolChoice;
  if (choice.type !== 'function') {
    const message = `a tool_choice of type ${choice.type} is not supported`;
    throw unsupported('tool_choice', message);
  }
  const name = partsOf(choice, nested)?.name;
  if (typeof name !== 'string') throw invalid('tool_choice', 'must have the name of a function');
  return { name };
}

function partsOf(tool: unknown, nested: boolean): Record<string, unknown> | undefined {
  const parts = nested && isObject(tool) ? tool.function : tool;
  return isObject(parts) ? parts : undefined;
}

const isGiven = (value: unknown) => value !== undefined && value !== null;
