// SPDX-License-Identifier: MIT
// What a model asks of the page, and what the page says to that: values of message contents.
import { named } from './errors.js';
import { dictionary, isMedia, isObject, list, oneOf, string } from './web-idl.js';

/** What a {@link LanguageModelToolCall} is made of. */
export interface ToolCallInit {
  /** Tells the calls of one answer apart. */
  callID: string;
  /** Of the tool. */
  name: string;
  /** A JSON object; `{}` where none is given. */
  arguments?: unknown;
}

/** That a tool be run: part of an answer, and of a conversation that is told to a model. */
export class LanguageModelToolCall {
  readonly callID: string;
  readonly name: string;
  readonly arguments: unknown;

  /** @throws TypeError where a name is missing; what the arguments are is looked at when they are used */
  constructor(init: ToolCallInit) {
    const given = dictionary(init, 'a tool call');
    this.callID = string(given.callID, 'callID');
    this.name = string(given.name, 'name');
    this.arguments = given.arguments === undefined ? {} : given.arguments;
  }
}

const RESULT_TYPES = ['text', 'image', 'audio', 'object'] as const;

/** One part of what a tool has found. */
export interface ToolResultContent {
  /** Models that read text alone refuse `image` and `audio`. */
  type: (typeof RESULT_TYPES)[number];
  /** A text, or anything that JSON can write. */
  value: unknown;
}

/** What a tool has found. */
export class LanguageModelToolSuccess {
  readonly callID: string;
  readonly name: string;
  readonly result: readonly ToolResultContent[];

  /** @throws TypeError where something is missing or a type does not exist */
  constructor(init: { callID: string; name: string; result: readonly ToolResultContent[] }) {
    const given = dictionary(init, 'a tool response');
    this.callID = string(given.callID, 'callID');
    this.name = string(given.name, 'name');
    if (given.result === undefined) throw new TypeError('result is missing');
    this.result = list(given.result, 'result').map((item) => {
      const { type, value } = dictionary(item, 'a part of result');
      return { type: oneOf(type, RESULT_TYPES, 'the type of a part of result'), value };
    });
  }
}

/** Why a tool has found nothing. */
export class LanguageModelToolError {
  readonly callID: string;
  readonly name: string;
  readonly errorMessage: string;

  /** @throws TypeError where something is missing */
  constructor(init: { callID: string; name: string; errorMessage: string }) {
    const given = dictionary(init, 'a tool response');
    this.callID = string(given.callID, 'callID');
    this.name = string(given.name, 'name');
    this.errorMessage = string(given.errorMessage, 'errorMessage');
  }
}

export type ToolResponse = LanguageModelToolSuccess | LanguageModelToolError;

/** The arguments of a call, as JSON reads them. @throws DOMException DataError */
export function callArguments(call: LanguageModelToolCall): Record<string, unknown> {
  const value = call.arguments;
  if (isObject(value) && !Array.isArray(value) && !isMedia(value)) {
    const read: unknown = JSON.parse(jsonOf(value, `the arguments of ${call.name}`));
    if (isObject(read) && !Array.isArray(read)) return read;
  }
  throw named('DataError', `the arguments of ${call.name} must be an object`);
}

/**
 * What the model is told of a tool's response: its parts, a line each.
 *
 * @throws DOMException DataError for what JSON cannot write, NotSupportedError for other than texts
 */
export function responseText(response: ToolResponse): string {
  if (response instanceof LanguageModelToolError) return `Error: ${response.errorMessage}`;
  const what = `the result of ${response.name}`;
  return response.result
    .map(({ type, value }) => {
      if (type === 'image' || type === 'audio') {
        throw named('NotSupportedError', `the model does not read ${type} in ${what}`);
      }
      return typeof value === 'string' ? value : jsonOf(value, what);
    })
    .join('\n');
}

function jsonOf(value: unknown, what: string): string {
  let json: string | undefined;
  let cause: unknown;
  try {
    if (!isMedia(value)) json = JSON.stringify(value);
  } catch (error) {
    cause = error;
  }
  if (json !== undefined) return json;
  throw named('DataError', `${what} cannot be written as JSON`, cause);
}
