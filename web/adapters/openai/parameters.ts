// SPDX-License-Identifier: MIT
// What the parameters of both interfaces have in common.

import type { RespondOptions } from '../../respond-options.js';
import { APIError } from './error.js';

/** Options by the names of parameters; of two for one option the later counts. */
export const SAMPLING = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  min_p: 'minP',
  seed: 'seed',
  parallel_tool_calls: 'parallelToolCalls',
} as const satisfies Record<string, keyof RespondOptions>;

/** They say who asks or how to serve it, and change no answer. */
export const HARMLESS = [
  ...['model', 'stream', 'stream_options', 'user', 'metadata', 'service_tier'],
  ...['safety_identifier', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
];

/** @throws APIError 400 naming the first parameter that is neither read nor harmless */
export function checkParameters(params: unknown, read: Iterable<string>): void {
  if (!isObject(params)) {
    throw new APIError(400, 'the request must be an object', { code: 'invalid_type' });
  }
  const known = new Set([...read, ...HARMLESS]);
  for (const [param, value] of Object.entries(params)) {
    if (known.has(param) || isNothing(value)) continue;
    throw unsupported(param, `${param} is not supported`);
  }
}

/** Those that were given, under the names of options. */
export function readOptions<Names extends Record<string, keyof RespondOptions>>(
  params: { readonly [Name in keyof Names]?: unknown },
  names: Names,
): RespondOptions {
  const options: Record<string, unknown> = {};
  for (const [param, option] of Object.entries(names)) {
    const value = params[param];
    if (value !== undefined && value !== null) options[option] = value;
  }
  return options;
}

/** Whether the model may think; its chat template decides where nobody says. */
export const mayThink = (effort: string | null | undefined): boolean | undefined =>
  effort ? effort !== 'none' : undefined;

// What clients send for parameters that were left alone.
function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Something that OpenAI has and this has not. */
export function unsupported(param: string, message: string): APIError {
  return new APIError(400, message, { param, code: 'unsupported_parameter' });
}

/** Something that nobody has. */
export function invalid(param: string, message: string, cause?: unknown): APIError {
  return new APIError(400, `${param} ${message}`, { param, code: 'invalid_value', cause });
}
