// SPDX-License-Identifier: MIT
// Inputs, in two steps as in the standard: a value becomes messages when a method is called, and
// whether a session can take them is decided when it is their turn.
import type { Message } from '../../index.js';
import type { ToolCall } from '../../text/tool.js';
import { named } from './errors.js';
import { CONTENT_TYPES, type Expected } from './expected.js';
import {
  callArguments,
  LanguageModelToolCall,
  LanguageModelToolError,
  LanguageModelToolSuccess,
  responseText,
  type ToolResponse,
} from './tool-messages.js';
import type { ContentType, PromptMessage } from './types.js';
import { dictionary, isMedia, oneOf, sequence, string } from './web-idl.js';

const ROLES: readonly PromptMessage['role'][] = ['system', 'user', 'assistant'];

interface GivenContent {
  type: ContentType;
  value: unknown;
}

/** A message as it was given, every member looked up once. */
export interface GivenMessage {
  role: PromptMessage['role'];
  content: GivenContent[];
  prefix: boolean;
}

/**
 * A sequence of messages, or anything else as the text of one.
 *
 * @throws TypeError for a sequence of what are no messages
 */
export function givenMessages(input: unknown): GivenMessage[] {
  const messages = sequence(input, 'the input');
  if (messages) return messages.map(givenMessage);
  return [{ role: 'user', content: [{ type: 'text', value: `${input}` }], prefix: false }];
}

function givenMessage(message: unknown, index: number): GivenMessage {
  const { content, prefix, role } = dictionary(message, `message ${index}`);
  const parts = sequence(content, `the content of message ${index}`);
  return {
    role: oneOf(role, ROLES, `the role of message ${index}`),
    content: parts?.map((part) => givenContent(part, index)) ?? [
      { type: 'text', value: string(content, `the content of message ${index}`) },
    ],
    prefix: Boolean(prefix),
  };
}

function givenContent(part: unknown, index: number): GivenContent {
  const { type, value } = dictionary(part, `a part of message ${index}`);
  if (value === undefined) throw new TypeError(`a part of message ${index} has no value`);
  const isValue = isMedia(value) || isToolResponse(value) || value instanceof LanguageModelToolCall;
  return {
    type: oneOf(type, CONTENT_TYPES, `the type of a part of message ${index}`),
    value: isValue ? value : `${value}`,
  };
}

const isToolResponse = (value: unknown): value is ToolResponse =>
  value instanceof LanguageModelToolSuccess || value instanceof LanguageModelToolError;

/** What decides whether a session can take messages. */
export interface Occasion {
  expected: Pick<Expected, 'inputs'>;
  /** Whether there are messages before these. */
  begun: boolean;
  /** Whether an answer follows, which may begin with the last of them. */
  answered: boolean;
}

/**
 * Messages for a session.
 *
 * @throws TypeError; DOMException NotSupportedError, SyntaxError, DataError
 */
export function readMessages(given: readonly GivenMessage[], occasion: Occasion): Message[] {
  return given.flatMap(({ role, content, prefix }, index) => {
    if (role === 'system' && (occasion.begun || index > 0)) {
      throw new TypeError('a system message can only be the first of a conversation');
    }
    const isLast = index === given.length - 1;
    if (prefix && !(occasion.answered && role === 'assistant' && isLast)) {
      throw named('SyntaxError', "only a prompt's last message, the assistant's, can be a prefix");
    }
    const messages = readContent(role, content, occasion.expected);
    const [first] = messages;
    if (prefix && first?.toolCalls) throw named('SyntaxError', 'a prefix has no tool-call');
    if (prefix && first) first.prefix = true;
    return messages;
  });
}

function readContent(
  role: PromptMessage['role'],
  content: readonly GivenContent[],
  expected: Occasion['expected'],
): Message[] {
  const messages: Message[] = [];
  const toolCalls: ToolCall[] = [];
  let text: string | undefined;
  const take = () => {
    if (text !== undefined) messages.push({ role, content: text });
    text = undefined;
  };
  for (const { type, value } of content) {
    checkContent(role, type, value, expected);
    if (typeof value === 'string') text = (text ?? '') + value;
    if (value instanceof LanguageModelToolCall) {
      toolCalls.push({ id: value.callID, name: value.name, arguments: callArguments(value) });
    }
    if (!isToolResponse(value)) continue;
    take();
    const { callID: toolCallId, name } = value;
    messages.push({ role: 'tool', content: responseText(value), toolCallId, name });
  }
  // What is said stands before what is called, as models write it.
  if (toolCalls.length > 0) return [{ role, content: text ?? '', toolCalls }];
  take();
  return messages.length > 0 ? messages : [{ role, content: '' }];
}

function checkContent(
  role: PromptMessage['role'],
  type: ContentType,
  value: unknown,
  { inputs }: Occasion['expected'],
): void {
  const wrong = (what: string) => new TypeError(`a ${type} ${what}`);
  if (type === 'text') {
    if (typeof value !== 'string') throw wrong('value must be a string');
    return;
  }
  if (type === 'tool-call') {
    if (role !== 'assistant') throw wrong("must be the assistant's");
    if (!(value instanceof LanguageModelToolCall)) throw wrong('must be a LanguageModelToolCall');
  }
  if (type === 'tool-response') {
    if (role !== 'user') throw wrong("must be the user's");
    if (!isToolResponse(value)) {
      throw wrong('must be a LanguageModelToolSuccess or a LanguageModelToolError');
    }
  }
  if (inputs.has(type) && type !== 'image' && type !== 'audio') return;
  throw named('NotSupportedError', `the session does not read ${type}`);
}
