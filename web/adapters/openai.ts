// SPDX-License-Identifier: MIT
/**
 * OpenAI's chat completions and Responses API on a model in this page or process.
 *
 * @module fastweights/openai
 */

export type { Completions } from './openai/chat-completions.js';
export type * from './openai/chat-types.js';
export { type Client, createClient } from './openai/client.js';
export { APIError } from './openai/error.js';
export type { EventStream, RequestOptions } from './openai/event-stream.js';
export { createFetch } from './openai/fetch.js';
export type * from './openai/response-event-types.js';
export type * from './openai/response-types.js';
export type { Responses } from './openai/responses.js';
