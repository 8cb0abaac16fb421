// SPDX-License-Identifier: MIT
import type { TokenLogprob as Drawn, GenerationResult, Model } from '../../index.js';
import { type Answer, Chats, type Question, type Usage } from '../chats.js';
import { merged } from '../streams.js';
import { apiError } from './error.js';
import { PARAMETERS, readRequest } from './request.js';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
  ChatCompletionStream,
  CompletionUsage,
  Logprobs,
} from './types.js';

/** What stands beside the parameters of a request. */
export interface RequestOptions {
  /** Ends the answer: `create`, or the loop over its chunks, rejects with the signal's reason. */
  signal?: AbortSignal | null;
}

/** The part of an `OpenAI` client that runs here. */
export interface Client {
  readonly chat: { readonly completions: Completions };
}

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

/** A client of the one model. What is not in a request is as the package has it, not as OpenAI. */
export function createClient(model: Model): Client {
  const chats = new Chats(model);
  const create = async (params: ChatCompletionCreateParams, { signal }: RequestOptions = {}) => {
    try {
      const request = readRequest(params);
      const withUsage = params.stream_options?.include_usage === true;
      if (params.stream) return await stream(chats, model, request, withUsage, signal);
      return await complete(chats, model, request, signal);
    } catch (error) {
      throw failure(error, signal);
    }
  };
  return { chat: { completions: { create: create as Completions['create'] } } };
}

/** The name that a model answers under. */
export const modelId = (model: Model): string => model.name ?? model.architecture;

type Request = ReturnType<typeof readRequest>;

async function complete(
  chats: Chats,
  model: Model,
  request: Request,
  signal?: AbortSignal | null,
): Promise<ChatCompletion> {
  const answers = await chats.answers(withSignal(request, signal), request.choices);
  const all = await Promise.all(
    answers.map(async ({ stream, done }) => {
      for await (const _ of stream);
      return done;
    }),
  );
  const choices = all.map(({ result }, index) => ({
    index,
    message: { role: 'assistant' as const, content: result.text, refusal: null },
    finish_reason: finishReason(result),
    logprobs: logprobs(result),
  }));
  const usages = all.map(({ usage }) => usage);
  return { ...head(model, 'chat.completion'), choices, usage: total(usages) };
}

async function stream(
  chats: Chats,
  model: Model,
  request: Request,
  withUsage: boolean,
  outer?: AbortSignal | null,
): Promise<ChatCompletionStream> {
  const controller = new AbortController();
  const { signal } = controller;
  const onAbort = () => controller.abort(outer?.reason);
  outer?.throwIfAborted();
  outer?.addEventListener('abort', onAbort, { once: true });
  const shared = head(model, 'chat.completion.chunk');
  const chunk = (choices: ChatCompletionChunk['choices'], usage: CompletionUsage | null = null) =>
    withUsage ? { ...shared, choices, usage } : { ...shared, choices };

  async function* choice({ stream, done }: Answer, index: number, usages: Usage[]) {
    let opening: { role?: 'assistant' } = { role: 'assistant' };
    for await (const content of stream) {
      const delta = { ...opening, content };
      yield chunk([{ index, delta, finish_reason: null, logprobs: null }]);
      opening = {};
    }
    const { result, usage } = await done;
    usages[index] = usage;
    const last = { finish_reason: finishReason(result), logprobs: logprobs(result) };
    yield chunk([{ index, delta: opening, ...last }]);
  }

  async function* chunks(): AsyncGenerator<ChatCompletionChunk> {
    const usages: Usage[] = [];
    try {
      const answers = await chats.answers(withSignal(request, signal), request.choices);
      yield* merged(answers.map((answer, index) => choice(answer, index, usages)));
      if (withUsage) yield chunk([], total(usages));
    } catch (error) {
      // As with OpenAI's: who ends it by the controller knows.
      if (signal.aborted && !outer?.aborted) return;
      throw failure(error, outer);
    } finally {
      outer?.removeEventListener('abort', onAbort);
    }
  }

  // What is wrong with a prompt shows when it is read, before the first chunk.
  const written = chunks();
  const first = await written.next();
  return { controller, [Symbol.asyncIterator]: () => resume(first, written) };
}

async function* resume<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T>) {
  try {
    if (first.done) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

const withSignal = (request: Request, signal?: AbortSignal | null): Question => ({
  ...request,
  options: { ...request.options, signal: signal ?? undefined },
});

function failure(error: unknown, signal?: AbortSignal | null): unknown {
  return signal?.aborted ? signal.reason : apiError(error, PARAMETERS);
}

function head<Kind extends string>(model: Model, object: Kind) {
  const [a, b] = crypto.getRandomValues(new BigUint64Array(2)) as unknown as [bigint, bigint];
  const id = `chatcmpl-${a.toString(36)}${b.toString(36)}`;
  return { id, object, created: Math.floor(Date.now() / 1000), model: modelId(model) };
}

const finishReason = ({ finishReason }: GenerationResult): 'stop' | 'length' =>
  finishReason === 'length' ? 'length' : 'stop';

// The prompt is the same for all choices, and counts once.
function total(usages: readonly Usage[]): CompletionUsage {
  const { prompt = 0, held = 0 } = usages[0] ?? {};
  const completion = usages.reduce((sum, usage) => sum + usage.completion, 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: held },
  };
}

function logprobs({ logprobs, finishReason, stopString }: GenerationResult): Logprobs | null {
  if (!logprobs) return null;
  // The token that ends a text is no part of it.
  const ended = finishReason === 'stop' && stopString === undefined;
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
