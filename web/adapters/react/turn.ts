// SPDX-License-Identifier: MIT
import type { Message } from '../../index.js';
import type { ChatMessage, ChatPart, ToolResult } from './types.js';

/** A question, and all that comes of it, behind the messages before it. */
export class Turn {
  /** Whether the session has read the question. */
  isRead = false;
  /** For the session. */
  readonly asked: readonly Message[];
  readonly #before: readonly ChatMessage[];
  readonly #show: (messages: readonly ChatMessage[]) => void;
  #parts: readonly ChatPart[] = [];

  constructor(
    before: readonly ChatMessage[],
    input: string | readonly ToolResult[],
    show: (messages: readonly ChatMessage[]) => void,
  ) {
    this.#show = show;
    if (typeof input === 'string') {
      this.asked = [{ role: 'user', content: input }];
      this.#before = [...before, messageOf('user', [{ type: 'text', text: input }])];
      return;
    }
    // Results go on with the turn of their calls.
    this.asked = input.map(resultMessage);
    this.#parts = [
      ...(before.at(-1)?.parts ?? []),
      ...input.map((result) => ({ type: 'tool-result' as const, ...result })),
    ];
    this.#before = before.slice(0, -1);
  }

  add(part: ChatPart): void {
    this.#parts = withPart(this.#parts, part);
    this.show();
  }

  show(): void {
    this.#show([...this.#before, messageOf('assistant', this.#parts)]);
  }
}

/** A result, for the session. */
export const resultMessage = ({ id, name, content }: ToolResult): Message => ({
  role: 'tool',
  toolCallId: id,
  name,
  content,
});

function messageOf(role: ChatMessage['role'], parts: readonly ChatPart[]): ChatMessage {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return { role, content: texts.join('\n\n'), parts };
}

/** Parts with another one at the end: more text belongs to the text before it. */
function withPart(parts: readonly ChatPart[], part: ChatPart): ChatPart[] {
  const last = parts.at(-1);
  const isMore =
    (part.type === 'text' && last?.type === 'text') ||
    (part.type === 'reasoning' && last?.type === 'reasoning');
  if (!isMore) return [...parts, part];
  return [...parts.slice(0, -1), { ...part, text: last.text + part.text }];
}
