// SPDX-License-Identifier: MIT
// What several tests ask of OpenAI's interfaces.
import OpenAI from 'openai';

/** OpenAI's own client over a `fetch`. */
export const openai = (fetch) =>
  new OpenAI({ apiKey: '-', baseURL: 'http://model.invalid/v1', fetch, maxRetries: 0 });

/** A tool with arguments; the Responses API has `type` beside them, chats have it around. */
export const DICE = {
  name: 'dice',
  description: 'Rolls a die.',
  strict: true,
  parameters: {
    type: 'object',
    properties: { sides: { type: 'integer', minimum: 2, maximum: 100 } },
    required: ['sides'],
    additionalProperties: false,
  },
};

/** Tools and a question of the Responses API. */
export const TOOLS = [
  { type: 'function', ...DICE },
  { type: 'function', name: 'weather', parameters: null, strict: true },
];
export const GREEDY = {
  model: 'any',
  input: 'Tell a story.',
  temperature: 0,
  max_output_tokens: 8,
};
