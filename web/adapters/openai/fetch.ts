// SPDX-License-Identifier: MIT

import { asyncIterable } from '../../async-iterable.js';
import type { Model } from '../../index.js';
import { decodedUri } from '../../uri.js';
import { CHAT_PARAMETERS } from './chat-request.js';
import { createClient } from './client.js';
import { APIError, apiError } from './error.js';
import { type EventStream, serverSentEvents } from './event-stream.js';
import { modelCard } from './model-card.js';

/** What is known of a request: the parts of its path that the route names, and its signal. */
interface Asked {
  request: Request;
  id: string;
}

interface Route {
  method: string;
  path: RegExp;
  answer(asked: Asked): Promise<object>;
}

/**
 * A `fetch` that answers OpenAI's HTTP interface from a model, without a network: for
 * `new OpenAI({ fetch, apiKey: '-' })` and whatever else lets its fetch be chosen. It knows
 * `POST …/chat/completions`, `POST …/responses`, `GET` and `DELETE …/responses/{id}`,
 * `GET …/models` and `GET …/models/{id}`, under any address.
 */
export function createFetch(model: Model): typeof fetch {
  const routes = routesOf(model);

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    for (const { method, path, answer } of routes) {
      const found = request.method === method ? path.exec(pathname) : null;
      if (!found) continue;
      const result = await answer({ request, id: decodedUri(found[1] ?? '') });
      return 'controller' in result ? events(result as EventStream<object>) : Response.json(result);
    }
    throw new APIError(404, `there is no ${request.method} ${pathname}`, { code: 'unknown_url' });
  }

  return async (input, init) => {
    const request = new Request(input, init);
    try {
      return await answer(request);
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      const failure = apiError(error, CHAT_PARAMETERS);
      // Asking again changes nothing: no server is busy, nothing gets lost on a way.
      const headers = { 'x-should-retry': 'false' };
      return Response.json({ error: failure.error }, { status: failure.status, headers });
    }
  };
}

function routesOf(model: Model): Route[] {
  const { chat, responses } = createClient(model);
  const card = modelCard(model);
  const one = /\/responses\/([^/]+)$/;
  return [
    {
      method: 'POST',
      path: /\/chat\/completions$/,
      answer: async ({ request }) =>
        chat.completions.create(await body(request), { signal: request.signal }),
    },
    {
      method: 'POST',
      path: /\/responses$/,
      answer: async ({ request }) =>
        responses.create(await body(request), { signal: request.signal }),
    },
    { method: 'GET', path: one, answer: ({ id }) => responses.retrieve(id) },
    {
      method: 'DELETE',
      path: one,
      async answer({ id }) {
        await responses.delete(id);
        return { id, object: 'response', deleted: true };
      },
    },
    {
      method: 'POST',
      path: /\/responses\/([^/]+)\/cancel$/,
      answer: ({ id }) => responses.cancel(id),
    },
    { method: 'GET', path: /\/models$/, answer: async () => ({ object: 'list', data: [card] }) },
    {
      method: 'GET',
      path: /\/models\/([^/]+)$/,
      async answer({ id }) {
        if (id === card.id) return card;
        throw new APIError(404, `there is no model '${id}'`, { code: 'model_not_found' });
      },
    },
  ];
}

// What stands in it is looked at by whoever takes it.
async function body<Params>(request: Request): Promise<Params> {
  return request.json().catch((cause: unknown) => {
    throw new APIError(400, 'the body must be JSON', { code: 'invalid_json', cause });
  });
}

function events(stream: EventStream<object>): Response {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
  return new Response(asyncIterable(serverSentEvents(stream)), { headers });
}
