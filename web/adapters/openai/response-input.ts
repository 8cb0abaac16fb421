// SPDX-License-Identifier: MIT

import type { Message } from '../../text/message.js';
import type { ToolCall } from '../../text/tool.js';
import { invalid, isObject, unsupported } from './parameters.js';
import type {
  ResponseCreateParams,
  ResponseInputContent,
  ResponseInputItem,
} from './response-types.js';
import { readArguments } from './tools.js';

type Item<Type> = Extract<ResponseInputItem, { type: Type }>;
type MessageItem = Extract<ResponseInputItem, { role: string }>;

/**
 * Items as messages: what belongs to one answer, its thoughts, message and calls, is one.
 *
 * @param before the conversation that they go on from
 * @throws APIError 400 naming the part of an item
 */
export function readInput(
  input: ResponseCreateParams['input'],
  before: readonly Message[],
): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!Array.isArray(input) || input.length === 0) {
    throw invalid('input', 'must be text, or an array of at least one item');
  }
  const turns = new Turns(before);
  for (const [index, item] of input.entries()) {
    const param = `input[${index}]`;
    if (!isObject(item)) throw invalid(param, 'must be an object');
    readItem(item as ResponseInputItem, param, turns);
  }
  return turns.messages;
}

function readItem(item: ResponseInputItem, param: string, turns: Turns): void {
  switch (item.type) {
    case undefined:
    case 'message':
      readMessage(item, param, turns);
      break;
    case 'function_call':
      readCall(item, param, turns);
      break;
    case 'function_call_output':
      turns.add(readResult(item, param, turns));
      break;
    case 'reasoning': {
      const reasoning = readReasoning(item, param);
      if (reasoning) turns.answer(() => false).reasoning = reasoning;
      break;
    }
    default: {
      const { type } = item as { type: unknown };
      throw unsupported(param, `items of type ${type} are not supported`);
    }
  }
}

function readMessage(item: MessageItem, param: string, turns: Turns): void {
  const { role } = item;
  const content = readContent(item.content, `${param}.content`);
  switch (role) {
    case 'system':
    case 'developer':
      turns.add({ role: 'system', content });
      break;
    case 'user':
      turns.add({ role, content });
      break;
    case 'assistant': {
      const isThought = ({ content, toolCalls }: Message) => content === '' && !toolCalls;
      turns.answer(isThought).content = content;
      break;
    }
    default:
      throw invalid(`${param}.role`, `is ${role}: system, developer, user, assistant are known`);
  }
}

function readCall(item: Item<'function_call'>, param: string, turns: Turns): void {
  const { call_id: id, name } = item;
  if (typeof id !== 'string') throw invalid(`${param}.call_id`, 'must be a string');
  if (typeof name !== 'string') throw invalid(`${param}.name`, 'must be a string');
  const given = readArguments(item.arguments, `${param}.arguments`);
  turns.call({ id, name, arguments: given });
}

function readResult(item: Item<'function_call_output'>, param: string, turns: Turns): Message {
  const { call_id: id } = item;
  const name = turns.called(id);
  if (name === undefined) throw invalid(`${param}.call_id`, 'is of no call before it');
  const content = readContent(item.output, `${param}.output`);
  return { role: 'tool', content, toolCallId: id, name };
}

function readReasoning({ content }: Item<'reasoning'>, param: string): string {
  // Thoughts of others' models have only summaries, or are encrypted.
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) throw invalid(`${param}.content`, 'must be an array');
  return content.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

function readContent(content: ResponseInputContent, param: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw invalid(param, 'must be text, or text in parts');
  return content
    .map((part, index) => {
      const isText = part?.type === 'input_text' || part?.type === 'output_text';
      if (isText && typeof part.text === 'string') return part.text;
      throw unsupported(`${param}[${index}]`, `content of type ${part?.type} is not supported`);
    })
    .join('');
}

/** Messages as they are put together. */
class Turns {
  readonly messages: Message[] = [];
  /** Calls of the answer that was begun last. */
  #calls: ToolCall[] = [];
  /** Tools by the ids of their calls. */
  readonly #called = new Map<string, string>();

  constructor(before: readonly Message[]) {
    for (const { toolCalls = [] } of before) {
      for (const { id, name } of toolCalls) this.#called.set(id, name);
    }
  }

  called(id: string): string | undefined {
    return this.#called.get(id);
  }

  add(message: Message): void {
    // Templates take one system message, the first.
    const last = this.messages.at(-1);
    if (message.role === 'system' && last?.role === 'system') {
      last.content = `${last.content}\n\n${message.content}`;
      return;
    }
    this.messages.push(message);
  }

  /** The answer that is last, if more of it `mayFollow`; else a new one, which is empty. */
  answer(mayFollow: (answer: Message) => boolean): Message {
    const last = this.messages.at(-1);
    if (last?.role === 'assistant' && mayFollow(last)) return last;
    const answer: Message = { role: 'assistant', content: '' };
    this.#calls = [];
    this.messages.push(answer);
    return answer;
  }

  call(call: ToolCall): void {
    this.answer(() => true).toolCalls = this.#calls;
    this.#calls.push(call);
    this.#called.set(call.id, call.name);
  }
}
