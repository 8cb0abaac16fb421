// SPDX-License-Identifier: MIT
import type { Model } from '../../index.js';
import type { Usage } from '../../response-stream.js';
import { answerOf, Chats } from '../chats.js';
import { APIError } from './error.js';
import { eventStream, failure, newId, type RequestOptions, resume } from './event-stream.js';
import { modelId } from './model-card.js';
import type {
  ResponseEventStream,
  ResponseStreamEvent,
  UnnumberedEvent,
} from './response-event-types.js';
import {
  RESPONSE_PARAMETERS,
  type ResponseRequest,
  readResponseRequest,
} from './response-request.js';
import { ResponseStore } from './response-store.js';
import type { Response, ResponseCreateParams, ResponseUsage } from './response-types.js';
import { ResponseWriter } from './response-writer.js';

export interface Responses {
  /** @throws APIError; the signal's reason */
  create(
    params: ResponseCreateParams & { stream: true },
    options?: RequestOptions,
  ): Promise<ResponseEventStream>;
  create(
    params: ResponseCreateParams & { stream?: false | null },
    options?: RequestOptions,
  ): Promise<Response>;
  create(
    params: ResponseCreateParams,
    options?: RequestOptions,
  ): Promise<Response | ResponseEventStream>;
  /** @throws APIError 404 for one that is not kept: the latest 100 are */
  retrieve(id: string): Promise<Response>;
  /** @throws as {@link retrieve} */
  delete(id: string): Promise<void>;
  /** @throws APIError: only what runs in the background could be, and nothing does */
  cancel(id: string): Promise<never>;
}

// Two agents that take turns do not read everything again.
const HELD_SESSIONS = 2;

/** Responses of one model. */
export function createResponses(model: Model): Responses {
  const chats = new Chats(model, HELD_SESSIONS);
  const store = new ResponseStore();

  async function* write(
    params: ResponseCreateParams,
    { question, turns }: ResponseRequest,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ResponseStreamEvent> {
    const options = { ...question.options, signal };
    const { stream, done } = await chats.answer({ ...question, options });
    const parts = stream[Symbol.asyncIterator]();
    const first = await parts.next();
    let count = 0;
    const numbered = (event: UnnumberedEvent): ResponseStreamEvent => ({
      ...event,
      sequence_number: count++,
    });
    const response = begun(model, params);
    const writer = new ResponseWriter(response);
    for (const type of ['response.created', 'response.in_progress'] as const) {
      yield numbered({ type, response: structuredClone(response) });
    }
    try {
      for await (const part of resume(first, parts)) {
        yield* writer.push(part).map(numbered);
      }
      const { result, usage } = await done;
      end(response, result.finishReason === 'length', usage);
      if (params.store !== false) store.add(response, [...turns, answerOf(result)]);
    } catch (error) {
      if (signal?.aborted || !params.stream) throw error;
      response.status = 'failed';
      response.error = { code: 'server_error', message: (error as Error).message };
    }
    const type = `response.${response.status as 'completed' | 'incomplete' | 'failed'}` as const;
    yield numbered({ type, response: structuredClone(response) });
  }

  async function create(params: ResponseCreateParams, { signal }: RequestOptions = {}) {
    try {
      const { previous_response_id: previous } = params ?? {};
      const before = previous ? store.find(previous, 'previous_response_id').turns : [];
      const request = readResponseRequest(params, before);
      if (params.stream) {
        return await eventStream(signal, RESPONSE_PARAMETERS, (own) => write(params, request, own));
      }
      let last: ResponseStreamEvent | undefined;
      for await (const event of write(params, request, signal ?? undefined)) last = event;
      return (last as Extract<ResponseStreamEvent, { response: Response }>).response;
    } catch (error) {
      throw failure(error, RESPONSE_PARAMETERS, signal);
    }
  }

  return {
    create: create as Responses['create'],
    retrieve: async (id) => structuredClone(store.find(id).response),
    delete: async (id) => store.delete(id),
    async cancel(id) {
      store.find(id);
      throw new APIError(400, `the response '${id}' is complete: none runs in the background`, {
        code: 'unsupported_parameter',
      });
    },
  };
}

function begun(model: Model, params: ResponseCreateParams): Response {
  const { instructions, previous_response_id, max_output_tokens, temperature, top_p } = params;
  const { text, tools, tool_choice, parallel_tool_calls, reasoning, metadata } = params;
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    output: [],
    output_text: '',
    model: modelId(model),
    instructions: instructions ?? null,
    previous_response_id: previous_response_id ?? null,
    max_output_tokens: max_output_tokens ?? null,
    temperature: temperature ?? null,
    top_p: top_p ?? null,
    text: { format: text?.format ?? { type: 'text' } },
    tools: [...(tools ?? [])],
    tool_choice: tool_choice ?? 'auto',
    parallel_tool_calls: parallel_tool_calls ?? true,
    reasoning: { effort: reasoning?.effort ?? null },
    truncation: 'disabled',
    metadata: metadata ?? null,
  };
}

function end(response: Response, isCut: boolean, usage: Usage): void {
  response.status = isCut ? 'incomplete' : 'completed';
  if (isCut) response.incomplete_details = { reason: 'max_output_tokens' };
  response.usage = usageOf(usage);
}

function usageOf(usage: Usage): ResponseUsage {
  const { promptTokens, heldTokens, completionTokens, reasoningTokens } = usage;
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: heldTokens, cache_write_tokens: 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}
