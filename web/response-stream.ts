// SPDX-License-Identifier: MIT

import { asyncIterable, type IterableStream } from './async-iterable.js';
import type {
  Ended,
  FinishReason,
  GenerationResult,
  Request,
  TextUse,
  TokenLogprob,
  Written,
} from './engine/types.js';
import { type OnUse, Writing } from './generation-stream.js';
import type { PrefillOptions } from './options.js';
import type { AnswerPart } from './tools/answer-reader.js';
import type { Calls } from './worker/calls.js';

/** Tokens that an answer took. */
export interface Usage {
  /** All that the session had read when the answer began. */
  promptTokens: number;
  /** Those of them that were not read for it: held from before, or kept as a prefix. */
  heldTokens: number;
  completionTokens: number;
  /** Those of the completion that were thought. */
  reasoningTokens: number;
}

/** A piece of an answer; the last one says how it ended. */
export type ResponsePart = AnswerPart | { type: 'finish'; reason: FinishReason; usage: Usage };

/**
 * An answer as it is written: a `ReadableStream` of its parts that is async-iterable in every browser.
 * Leaving the loop, or cancelling the stream, ends the answer within one token.
 */
export interface ResponseStream extends IterableStream<ResponsePart> {
  /** All there is to know once the answer is complete; rejects as the stream does. */
  readonly result: Promise<GenerationResult>;
  /** As of a {@link GenerationStream}. */
  readonly logprobs: readonly TokenLogprob[];
}

/** Starts an answer at once and keeps one step ahead of its reader, no more. */
export function responseStream(
  calls: Calls,
  request: Request,
  options: PrefillOptions,
  onUse: OnUse,
): ResponseStream {
  const writing = new Writing(calls, request, options, onUse);
  const stream = new ReadableStream<ResponsePart>({
    async start(controller) {
      writing.result.catch((error) => controller.error(error));
      await writing.start();
    },
    async pull(controller) {
      const parts = await writing.next();
      if (writing.stopped) return;
      if (parts !== undefined) {
        for (const part of parts as AnswerPart[]) controller.enqueue(part);
        return;
      }
      controller.enqueue(finish(await writing.ended));
      controller.close();
    },
    cancel: () => writing.stop(),
  });
  const { result, logprobs } = writing;
  return Object.assign(asyncIterable(stream), { result, logprobs });
}

/** What an answer took: `use` is what its text has become. */
export function usageOf({ result, use }: { result: Written; use: Pick<TextUse, 'tokens'> }): Usage {
  const { tokens, promptTokens, prefixTokens, reasoningTokens } = result;
  // The last token has been drawn but not read.
  const prompt = use.tokens - Math.max(0, tokens.length - 1);
  return {
    promptTokens: prompt,
    heldTokens: prompt - (promptTokens.length - prefixTokens),
    completionTokens: tokens.length,
    reasoningTokens,
  };
}

function finish(ended: Ended): ResponsePart {
  return { type: 'finish', reason: ended.result.finishReason, usage: usageOf(ended) };
}
