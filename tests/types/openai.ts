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
  ours: Omit<Ours.ChatCompletionCreateParams, 'top_k' | 'min_p' | 'messages' | 'stream' | 'tools'>,
  messages: OpenAI.ChatCompletionMessageParam[],
  tools: Ours.ChatTool[],
): Chat => ({ model: '', ...ours, messages, tools });

/** What programs do with a client of theirs, they can do with one of ours. */
export async function use(client: OpenAI | Ours.Client) {
  const completions = client.chat.completions as Ours.Completions;
  const whole = await completions.create({ messages: [{ role: 'user', content: 'Hi' }], n: 2 });
  const text: string | null | undefined = whole.choices[0]?.message.content;
  const stream = await completions.create({ messages: [], stream: true });
  for await (const part of stream) console.log(part.choices[0]?.delta.content ?? '', text);
  const [call] = whole.choices[0]?.message.tool_calls ?? [];
  await completions.create({
    messages: whole.choices.map(({ message }) => message),
    tools: [{ type: 'function', function: { name: 'dice', parameters: {} } }],
    tool_choice: { type: 'function', function: { name: call?.function.name ?? 'dice' } },
  });
  // @ts-expect-error Tools of other kinds are not taken.
  await completions.create({ messages: [], tools: [{ type: 'custom', custom: { name: 'f' } }] });
}

type Api = typeof OpenAI.Responses.prototype;
type Theirs = Awaited<ReturnType<Api['retrieve']>>;

/** Which programs of OpenAI's may be used is nothing to say here. */
export const response = (ours: Ours.Response): Omit<Theirs, 'access_programs'> => ours;
export const responseParams = (
  ours: Omit<Ours.ResponseCreateParams, 'top_k' | 'min_p' | 'seed' | 'input' | 'stream' | 'tools'>,
  input: OpenAI.Responses.ResponseInput,
  tools: Ours.ResponseTool[],
): OpenAI.Responses.ResponseCreateParamsNonStreaming => ({ model: '', ...ours, input, tools });
export const output = (ours: Ours.ResponseOutputItem): OpenAI.Responses.ResponseOutputItem => ours;

/** Events but for the responses in them, which are held against each other above. */
type Bare<Event> = Event extends { response: unknown } ? Omit<Event, 'response'> : Event;
export const event = (
  ours: Bare<Ours.ResponseStreamEvent>,
): Bare<OpenAI.Responses.ResponseStreamEvent> => ours;

/** What a response has can be sent back, and is told apart by its type. */
export async function goOn({ responses }: Ours.Client) {
  const first = await responses.create({ input: 'Hi', tools: [] });
  const stream = await responses.create({ input: first.output, stream: true });
  for await (const part of stream) {
    if (part.type === 'response.output_text.delta') console.log(part.delta);
    if (part.type === 'response.completed') console.log(part.response.output_text);
  }
}
