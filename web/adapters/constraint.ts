// SPDX-License-Identifier: MIT
import type { GenerationOptions } from '../options.js';

/** What an answer must be. */
export type Constraint =
  | { type: 'json_object' }
  | { type: 'json_schema'; schema: object }
  | { type: 'regex'; pattern: RegExp | string };

/**
 * Where constrained generation plugs into every adapter.
 *
 * @returns the options of a generation that keeps to `constraint`, or undefined where the sampler
 * cannot be held to one: each adapter then says so in the way its interface has for that
 */
export function constraintOptions(constraint: Constraint): GenerationOptions | undefined {
  return CONSTRAINED ? ({ constraint } as GenerationOptions) : undefined;
}

// Whether GenerationOptions has `constraint`.
const CONSTRAINED = true as boolean;
