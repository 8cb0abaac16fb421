// SPDX-License-Identifier: MIT
// Messages as templates expect them: in OpenAI's shape, as transformers passes them on.
import type { Message } from './message.js';
import { THINK, THOUGHT_END } from './thought.js';
import type { Tool, ToolCall } from './tool.js';

/** How calls of tools stand in an answer, for templates that leave that to whoever calls them. */
export interface CallWriter {
  write(calls: readonly ToolCall[]): string;
}

/** What a template says something about; the rest is put into contents. */
export interface Knows {
  tools: boolean;
  toolCalls: boolean;
  /** The role of a tool's result. */
  results: boolean;
  reasoning: boolean;
  /** It looks for the end of a thought in contents. */
  thoughts: boolean;
}

/** A message as a template sees it. */
export type TemplateMessage = { role: string; content: string } & Record<string, unknown>;

/** What every text is passed through: marks are put into those of a role. */
type Mark = (text: string, role: Message['role']) => string;

export function knownTo(source: string): Knows {
  const tools = /\btools\b/.test(source);
  return {
    tools,
    // What a model is told of tools in one form, it is not shown in another.
    toolCalls: tools && /\btool_calls\b/.test(source),
    // One that is told of tools may write every role as it is named.
    results: tools || /["']tool["']/.test(source),
    reasoning: /\breasoning_content\b/.test(source),
    thoughts: source.includes(THOUGHT_END),
  };
}

/** Tools in OpenAI's shape. */
export function templateTools(tools: readonly Tool[], mark: Mark): Record<string, unknown>[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: everyText(
      {
        name,
        ...(description === undefined ? {} : { description }),
        parameters: parameters ?? { type: 'object', properties: {} },
      },
      (text) => mark(text, 'system'),
    ),
  }));
}

/** @param tools those that the template does not speak of */
export function templateMessages(
  messages: readonly Message[],
  knows: Knows,
  writer: CallWriter,
  mark: Mark,
  tools: readonly Tool[],
): TemplateMessage[] {
  const list = messages.map((message) => {
    if (message.role === 'assistant') return answer(message, knows, writer, mark);
    if (message.role === 'tool') return result(message, knows, mark);
    return plain(message, mark);
  });
  if (knows.tools || tools.length === 0) return list;
  const told = toolsText(templateTools(tools, mark), writer);
  const [first, ...others] = list;
  if (first?.role !== 'system') return [{ role: 'system', content: told }, ...list];
  return [{ ...first, content: `${first.content}\n\n${told}` }, ...others];
}

function plain({ role, content, name, specialTokens }: Message, mark: Mark): TemplateMessage {
  return {
    role,
    content: specialTokens ? content : mark(content, role),
    ...(name === undefined ? {} : { name: mark(name, role) }),
  };
}

function answer(message: Message, knows: Knows, writer: CallWriter, mark: Mark): TemplateMessage {
  const { reasoning, toolCalls = [] } = message;
  const marked = (text: string) => mark(text, 'assistant');
  const found = plain(message, mark);
  if (reasoning !== undefined && knows.reasoning) found.reasoning_content = marked(reasoning);
  else if (reasoning !== undefined && knows.thoughts) {
    found.content = `${THINK}\n${marked(reasoning)}\n${THOUGHT_END}\n\n${found.content}`;
  }
  if (toolCalls.length === 0) return found;
  const calls = toolCalls.map((call) => everyText(call, marked));
  if (!knows.toolCalls) {
    const text = writer.write(calls);
    return { ...found, content: found.content ? `${found.content}\n${text}` : text };
  }
  found.tool_calls = calls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  }));
  return found;
}

function result(message: Message, knows: Knows, mark: Mark): TemplateMessage {
  const found = plain(message, mark);
  if (!knows.results) {
    return { role: 'user', content: `<tool_response>\n${found.content}\n</tool_response>` };
  }
  const { toolCallId } = message;
  return toolCallId === undefined ? found : { ...found, tool_call_id: mark(toolCallId, 'tool') };
}

// The form that models of many makers know: Nous Research's Hermes, Qwen.
function toolsText(tools: readonly Record<string, unknown>[], writer: CallWriter): string {
  const example = { id: '', name: 'function-name', arguments: { 'argument-name': 'value' } };
  return [
    '# Tools',
    '',
    'You may call one or more functions to assist with the user query.',
    '',
    'You are provided with function signatures within <tools></tools> tags:',
    '<tools>',
    ...tools.map((tool) => JSON.stringify(tool)),
    '</tools>',
    '',
    'For each function call, answer with its name and arguments like this:',
    writer.write([example]),
  ].join('\n');
}

// Plain data whose texts and names are passed through `change`.
function everyText<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((one) => everyText(one, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [change(name), everyText(one, change)]),
  ) as T;
}
