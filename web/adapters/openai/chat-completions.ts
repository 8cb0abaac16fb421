// SPDX-License-Identifier: MIT
import type { GenerationResult, Model } from '../../index.js';
import type { Usage } from '../../response-stream.js';
import { type Answer, Chats, type Question } from '../chats.js';
import { merged } from '../streams.js';
import { ChoiceDeltas } from './chat-deltas.js';
import { CHAT_PARAMETERS, readChatRequest } from './chat-request.js';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
  ChatCompletionMessage,
  ChatCompletionStream,
  ChatFinishReason,
  ChatToolCall,
  CompletionUsage,
} from './chat-types.js';
import { eventStream, failure, newId, type RequestOptions } from './event-stream.js';
import { logprobs } from './logprobs.js';
import { modelId } from './model-card.js';

export interface Completions {
  /** @throws APIError; the signal's reason */
  create(
    params: ChatCompletionCreateParams & { stream: true },
    options?: RequestOptions,
  ): Promise<ChatCompletionStream>;
  create(
    params: ChatCompletionCreateParams & { stream?: false | null },
    options?: RequestOptions,
  ): Promise<ChatCompletion>;
  create(
    params: ChatCompletionCreateParams,
    options?: RequestOptions,
  ): Promise<ChatCompletion | ChatCompletionStream>;
}

/** Chat completions of one model. */
export function createCompletions(model: Model): Completions {
  const chats = new Chats(model);
  const create = async (params: ChatCompletionCreateParams, { signal }: RequestOptions = {}) => {
    try {
      const request = readChatRequest(params);
      const withUsage = params.stream_options?.include_usage === true;
      if (params.stream) return await stream(chats, model, request, withUsage, signal);
      return await complete(chats, model, request, signal);
    } catch (error) {
      throw failure(error, CHAT_PARAMETERS, signal);
    }
  };
  return { create: create as Completions['create'] };
}

type Request = ReturnType<typeof readChatRequest>;

async function complete(
  chats: Chats,
  model: Model,
  request: Request,
  signal?: AbortSignal | null,
): Promise<ChatCompletion> {
  const answers = await chats.answers(withSignal(request, signal), request.choices);
  const all = await Promise.all(answers.map(whole));
  const choices = all.map(({ message, result }, index) => ({
    index,
    message,
    finish_reason: finishReason(result),
    logprobs: logprobs(result),
  }));
  const usages = all.map(({ usage }) => usage);
  return { ...head(model, 'chat.completion'), choices, usage: total(usages) };
}

async function whole({ stream, done }: Answer) {
  const deltas = new ChoiceDeltas();
  const calls: ChatToolCall[] = [];
  for await (const part of stream) {
    deltas.push(part);
    if (part.type !== 'tool-call') continue;
    const { id, name } = part;
    calls.push({ id, type: 'function', function: { name, arguments: deltas.json(id) } });
  }
  const { result, usage } = await done;
  const { text, reasoning } = result;
  const message: ChatCompletionMessage = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return { message, result, usage };
}

async function stream(
  chats: Chats,
  model: Model,
  request: Request,
  withUsage: boolean,
  outer?: AbortSignal | null,
): Promise<ChatCompletionStream> {
  const shared = head(model, 'chat.completion.chunk');
  const chunk = (choices: ChatCompletionChunk['choices'], usage: CompletionUsage | null = null) =>
    withUsage ? { ...shared, choices, usage } : { ...shared, choices };

  async function* choice({ stream, done }: Answer, index: number, usages: Usage[]) {
    const deltas = new ChoiceDeltas();
    for await (const part of stream) {
      for (const delta of deltas.push(part)) {
        yield chunk([{ index, delta, finish_reason: null, logprobs: null }]);
      }
    }
    const { result, usage } = await done;
    usages[index] = usage;
    const last = { finish_reason: finishReason(result), logprobs: logprobs(result) };
    yield chunk([{ index, delta: deltas.opening(), ...last }]);
  }

  async function* chunks(signal: AbortSignal): AsyncGenerator<ChatCompletionChunk> {
    const usages: Usage[] = [];
    const answers = await chats.answers(withSignal(request, signal), request.choices);
    yield* merged(answers.map((answer, index) => choice(answer, index, usages)));
    if (withUsage) yield chunk([], total(usages));
  }

  return eventStream(outer, CHAT_PARAMETERS, chunks);
}

const withSignal = (request: Request, signal?: AbortSignal | null): Question => ({
  ...request,
  options: { ...request.options, signal: signal ?? undefined },
});

function head<Kind extends string>(model: Model, object: Kind) {
  const created = Math.floor(Date.now() / 1000);
  return { id: newId('chatcmpl-'), object, created, model: modelId(model) };
}

function finishReason({ finishReason }: GenerationResult): ChatFinishReason {
  if (finishReason === 'tool-calls') return 'tool_calls';
  return finishReason === 'length' ? 'length' : 'stop';
}

// The prompt is the same for all choices, and counts once.
function total(usages: readonly Usage[]): CompletionUsage {
  const { promptTokens = 0, heldTokens = 0 } = usages[0] ?? {};
  const sum = (key: 'completionTokens' | 'reasoningTokens') =>
    usages.reduce((all, usage) => all + usage[key], 0);
  const completion = sum('completionTokens');
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completion,
    total_tokens: promptTokens + completion,
    prompt_tokens_details: { cached_tokens: heldTokens },
    completion_tokens_details: { reasoning_tokens: sum('reasoningTokens') },
  };
}
