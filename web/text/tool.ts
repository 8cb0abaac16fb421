// SPDX-License-Identifier: MIT

/** Something that the model may ask its caller to do. */
export interface Tool {
  /** 1 to 128 letters, digits, `_`, `-`, `.`, `/` or `:`. */
  name: string;
  /** What it does and when to use it, for the model. */
  description?: string;
  /** A JSON Schema of an object: the arguments. By default there are none. */
  parameters?: { readonly [keyword: string]: unknown };
}

/** What the model has asked for. */
export interface ToolCall {
  /** Which call a result belongs to: none other of the conversation has it. */
  id: string;
  /** The tool's. */
  name: string;
  /** As the tool's `parameters` have them. */
  arguments: { readonly [name: string]: unknown };
}

const NAME = /^[\w\-./:]{1,128}$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy of what is plain data, as it will be sent and saved. */
function copied(value: unknown, what: string): Record<string, unknown> {
  if (!isObject(value)) throw new TypeError(`${what} must be an object`);
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (cause) {
    throw new TypeError(`${what} must be plain data`, { cause });
  }
}

/** @throws TypeError naming what is wrong with which tool */
export function checkTools(tools: unknown): Tool[] {
  if (!Array.isArray(tools)) throw new TypeError('tools must be an array');
  const names = new Set<string>();
  return tools.map((tool: Tool, index) => {
    const { name, description, parameters } = tool ?? {};
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw new TypeError(
        `the name of tool ${index} must be 1 to 128 letters, digits, _, -, ., / or :`,
      );
    }
    if (names.has(name)) throw new TypeError(`two tools are called ${name}`);
    names.add(name);
    if (description !== undefined && typeof description !== 'string') {
      throw new TypeError(`the description of the tool ${name} must be a string`);
    }
    return {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined
        ? {}
        : { parameters: copied(parameters, `the parameters of the tool ${name}`) }),
    };
  });
}

/** @throws TypeError naming what is wrong; `where` names the message */
export function checkToolCalls(calls: unknown, where: string): ToolCall[] {
  if (!Array.isArray(calls)) throw new TypeError(`toolCalls of ${where} must be an array`);
  return calls.map((call: ToolCall, index) => {
    const what = `toolCalls[${index}] of ${where}`;
    const { id, name, arguments: given } = call ?? {};
    if (typeof id !== 'string') throw new TypeError(`${what} must have a string as id`);
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw new TypeError(`${what} must have the name of a tool`);
    }
    return { id, name, arguments: copied(given, `the arguments of ${what}`) };
  });
}
