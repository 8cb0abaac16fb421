// SPDX-License-Identifier: MIT
import type { TokenLogprob as Drawn, GenerationResult } from '../../index.js';
import type { Logprobs } from './chat-types.js';

/** Those of every token that was drawn, thoughts and calls included; null where nobody asked. */
export function logprobs(result: GenerationResult): Logprobs | null {
  const { logprobs, finishReason, stopString, text } = result;
  if (!logprobs) return null;
  // The token that ends a text is no part of it; a constraint may end one without any.
  const last = logprobs.at(-1)?.text;
  const isPart = finishReason === 'length' || stopString !== undefined;
  const ended = !isPart && !(last && text.endsWith(last));
  const content = (ended ? logprobs.slice(0, -1) : logprobs).map((drawn) => ({
    ...logprob(drawn),
    top_logprobs: drawn.alternatives.map(logprob),
  }));
  return { content, refusal: null };
}

function logprob({ text, logprob }: Pick<Drawn, 'text' | 'logprob'>) {
  const bytes = text.includes('\uFFFD') ? null : [...new TextEncoder().encode(text)];
  return { token: text, bytes, logprob };
}
