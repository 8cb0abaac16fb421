// SPDX-License-Identifier: MIT

import { asyncIterable } from '../../async-iterable.js';
import type { Model } from '../../index.js';
import { decodedUri } from '../../uri.js';
import { createClient, modelId } from './client.js';
import { APIError, apiError } from './error.js';
import { PARAMETERS } from './request.js';
import type { ChatCompletionStream } from './types.js';

/**
 * A `fetch` that answers OpenAI's HTTP interface from a model, without a network: for
 * `new OpenAI({ fetch, apiKey: '-' })` and whatever else lets its fetch be chosen. It knows
 * `POST …/chat/completions`, `GET …/models` and `GET …/models/{id}`, under any address.
 */
export function createFetch(model: Model): typeof fetch {
  const { completions } = createClient(model).chat;
  const created = Math.floor(Date.now() / 1000);
  const card = { id: modelId(model), object: 'model', created, owned_by: 'fastweights' };

  async function answer(request: Request): Promise<Response> {
    const { method, signal } = request;
    const { pathname } = new URL(request.url);
    if (method === 'GET' && pathname.endsWith('/models')) {
      return Response.json({ object: 'list', data: [card] });
    }
    const name = /\/models\/([^/]+)$/.exec(pathname)?.[1];
    if (method === 'GET' && name !== undefined) {
      if (decodedUri(name) === card.id) return Response.json(card);
      throw new APIError(404, `there is no model '${name}'`, { code: 'model_not_found' });
    }
    if (method !== 'POST' || !pathname.endsWith('/chat/completions')) {
      throw new APIError(404, `there is no ${method} ${pathname}`, { code: 'unknown_url' });
    }
    const params = await request.json().catch((cause: unknown) => {
      throw new APIError(400, 'the body must be JSON', { code: 'invalid_json', cause });
    });
    const result = await completions.create(params, { signal });
    return 'controller' in result ? events(result) : Response.json(result);
  }

  return async (input, init) => {
    const request = new Request(input, init);
    try {
      return await answer(request);
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      const failure = apiError(error, PARAMETERS);
      // Asking again changes nothing: no server is busy, nothing gets lost on a way.
      const headers = { 'x-should-retry': 'false' };
      return Response.json({ error: failure.error }, { status: failure.status, headers });
    }
  };
}

/** Chunks as server-sent events, as far as they are read. */
function events(chunks: ChatCompletionStream): Response {
  const lines = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (data: string) => controller.enqueue(encoder.encode(`data: ${data}\n\n`));
        try {
          const { done, value } = await lines.next();
          send(done ? '[DONE]' : JSON.stringify(value));
          if (done) controller.close();
        } catch (error) {
          if (!(error instanceof APIError)) throw error;
          send(JSON.stringify({ error: error.error }));
          controller.close();
        }
      },
      cancel: () => chunks.controller.abort(),
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
  return new Response(asyncIterable(body), { headers });
}
