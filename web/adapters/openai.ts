// SPDX-License-Identifier: MIT
/**
 * OpenAI's chat completions on a model in this page or process.
 *
 * @packageDocumentation
 */
export {
  type Client,
  type Completions,
  createClient,
  type RequestOptions,
} from './openai/client.js';
export { APIError } from './openai/error.js';
export { createFetch } from './openai/fetch.js';
export type * from './openai/types.js';
