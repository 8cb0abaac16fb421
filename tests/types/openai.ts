// SPDX-License-Identifier: MIT
// Results are OpenAI's; parameters that we take are OpenAI's too, but for two that servers add.
import type OpenAI from 'openai';
import type { ClientOptions } from 'openai';
import type * as Ours from '../../web/adapters/openai.js';

type Chat = OpenAI.ChatCompletionCreateParamsNonStreaming;

export const completion = (ours: Ours.ChatCompletion): OpenAI.ChatCompletion => ours;
export const chunk = (ours: Ours.ChatCompletionChunk): OpenAI.ChatCompletionChunk => ours;
export const fetch = (ours: ReturnType<typeof Ours.createFetch>): ClientOptions['fetch'] => ours;
export const params = (
  ours: Omit<Ours.ChatCompletionCreateParams, 'top_k' | 'min_p' | 'messages' | 'stream'>,
  messages: OpenAI.ChatCompletionMessageParam[],
): Chat => ({ model: '', ...ours, messages });

/** What programs do with a client of theirs, they can do with one of ours. */
export async function use(client: OpenAI | Ours.Client) {
  const completions = client.chat.completions as Ours.Completions;
  const whole = await completions.create({ messages: [{ role: 'user', content: 'Hi' }], n: 2 });
  const text: string | null | undefined = whole.choices[0]?.message.content;
  const stream = await completions.create({ messages: [], stream: true });
  for await (const part of stream) console.log(part.choices[0]?.delta.content ?? '', text);
  // @ts-expect-error Tools are not taken.
  await completions.create({ messages: [], tools: [] });
}
