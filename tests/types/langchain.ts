// SPDX-License-Identifier: MIT
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { ChatFastweights } from '../../web/adapters/langchain.js';
import type { Model } from '../../web/index.js';

/** Ours can stand wherever a chat model is asked for. */
export const theirs = (model: Model): BaseChatModel => new ChatFastweights({ model });

export async function use(model: Model) {
  const chat = new ChatFastweights({
    model,
    generation: { temperature: 0, minP: 0.1 },
    tags: ['page'],
  });
  const dice = tool(async () => '4', { name: 'dice', schema: z.object({ sides: z.number() }) });
  const { tool_calls } = await chat.bindTools([dice], { tool_choice: 'any' }).invoke('Hi');
  const found = await chat.withStructuredOutput(z.object({ ok: z.boolean() })).invoke('Hi');
  const ok: boolean = found.ok;
  // @ts-expect-error Tools are bound, or options of a call.
  new ChatFastweights({ model, generation: { tools: [] } });
  // @ts-expect-error There is no such option.
  await chat.invoke('Hi', { generation: { temprature: 0 } });
  return [tool_calls, ok];
}
