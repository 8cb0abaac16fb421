// SPDX-License-Identifier: MIT
import { abortable } from '../../abort.js';
import type { GenerationOptions, Message, Session } from '../../index.js';
import type { ToolCall } from '../../text/tool.js';
import { LanguageModelToolCall, LanguageModelToolError, responseText } from './tool-messages.js';
import type { Tools } from './tools.js';
import type { Answer, ToolCallContent } from './types.js';

/** A piece of an answer. */
export type Piece = string | ToolCallContent;

// A model that never stops asking would be told for ever: then its calls are the answer.
const MOST_ROUNDS = 16;

/**
 * An answer of a model that may call tools. What the page is to run is part of it; what runs here is
 * not, and the model goes on with what came of that. Thoughts are left out.
 */
export async function* answerWithTools(
  session: Session,
  { told, run }: Tools,
  messages: readonly Message[],
  options: GenerationOptions,
): AsyncGenerator<Piece> {
  let asked = messages;
  for (let round = 1; ; round++) {
    const runs = run.size === told.length && round <= MOST_ROUNDS;
    const calls: ToolCall[] = [];
    for await (const part of session.respond(asked, options)) {
      if (part.type === 'text') yield part.text;
      if (part.type !== 'tool-call') continue;
      if (runs) calls.push(part);
      else yield content(part);
    }
    if (calls.length === 0) return;
    asked = await abortable(Promise.all(calls.map((call) => result(call, run))), options.signal);
  }
}

function content({ id: callID, name, arguments: given }: ToolCall): ToolCallContent {
  const value = new LanguageModelToolCall({ callID, name, arguments: given });
  return { type: 'tool-call', value };
}

async function result({ id, name, arguments: given }: ToolCall, run: Tools['run']) {
  const told = (text: string): Message => ({
    role: 'tool',
    content: text,
    toolCallId: id,
    name,
  });
  try {
    return told(`${await run.get(name)?.(given)}`);
  } catch (error) {
    const errorMessage = error instanceof Error ? error.message : String(error);
    return told(responseText(new LanguageModelToolError({ callID: id, name, errorMessage })));
  }
}

/** The whole of an answer: its text, or all of its parts where tools are called. */
export async function whole(pieces: AsyncIterable<Piece>): Promise<Answer> {
  const parts: Exclude<Answer, string> = [];
  let text = '';
  const take = () => {
    if (text !== '') parts.push({ type: 'text', value: text });
    text = '';
  };
  for await (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    take();
    parts.push(piece);
  }
  if (parts.length === 0) return text;
  take();
  return parts;
}
