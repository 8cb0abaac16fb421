// SPDX-License-Identifier: MIT
import type { FinishReason as Reason, ResponsePart, Usage } from '../../index.js';
import type { AnswerContent, CalledTool, Finish, WrittenPart } from './types.js';

/** An answer's parts as the SDK has them, each stretch with its start and its end. */
export async function* writtenParts(
  answer: AsyncIterable<ResponsePart>,
): AsyncGenerator<WrittenPart> {
  let open: { type: 'text' | 'reasoning' | 'tool-input'; id: string } | undefined;
  let count = 0;
  const ends = (): WrittenPart[] => {
    const ended = open;
    open = undefined;
    return ended ? [{ type: `${ended.type}-end`, id: ended.id }] : [];
  };
  for await (const part of answer) {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        if (open?.type !== part.type) {
          yield* ends();
          open = { type: part.type, id: `${count++}` };
          yield { type: `${part.type}-start`, id: open.id };
        }
        yield { type: `${part.type}-delta`, id: open.id, delta: part.text };
        break;
      case 'tool-call-delta':
        if (open?.id !== part.id) {
          yield* ends();
          open = { type: 'tool-input', id: part.id };
          yield { type: 'tool-input-start', id: part.id, toolName: part.name };
        }
        yield { type: 'tool-input-delta', id: part.id, delta: part.delta };
        break;
      case 'tool-call':
        yield* ends();
        yield calledTool(part);
        break;
      default:
        yield* ends();
    }
  }
}

/** The same, whole. */
export async function writtenContent(
  answer: AsyncIterable<ResponsePart>,
): Promise<AnswerContent[]> {
  const content: AnswerContent[] = [];
  for await (const part of answer) {
    if (part.type === 'tool-call') content.push(calledTool(part));
    if (part.type !== 'text' && part.type !== 'reasoning') continue;
    const last = content.at(-1);
    if (last?.type === part.type) last.text += part.text;
    else content.push({ ...part });
  }
  return content;
}

function calledTool(call: Extract<ResponsePart, { type: 'tool-call' }>): CalledTool {
  const { id, name, arguments: given } = call;
  return { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(given) };
}

/** How an answer ended, and what it took. */
export function finishOf(reason: Reason, usage: Usage): Finish {
  const { promptTokens, heldTokens, completionTokens, reasoningTokens } = usage;
  return {
    finishReason: { unified: reason === 'cancelled' ? 'other' : reason, raw: reason },
    usage: {
      inputTokens: {
        total: promptTokens,
        noCache: promptTokens - heldTokens,
        cacheRead: heldTokens,
        cacheWrite: undefined,
      },
      outputTokens: {
        total: completionTokens,
        text: completionTokens - reasoningTokens,
        reasoning: reasoningTokens,
      },
    },
  };
}
