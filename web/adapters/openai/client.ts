// SPDX-License-Identifier: MIT
import type { Model } from '../../index.js';
import { type Completions, createCompletions } from './chat-completions.js';
import { createResponses, type Responses } from './responses.js';

/** The part of an `OpenAI` client that runs here. */
export interface Client {
  readonly chat: { readonly completions: Completions };
  readonly responses: Responses;
}

/** A client of the one model. What is not in a request is as the package has it, not as OpenAI. */
export function createClient(model: Model): Client {
  return { chat: { completions: createCompletions(model) }, responses: createResponses(model) };
}
