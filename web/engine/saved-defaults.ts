// SPDX-License-Identifier: MIT
// A session's defaults as the JSON of a saved session has them. It knows no regular expressions, and
// of -Infinity and Infinity makes null, which is no value of any option.

import type { Constraint } from '../constraints/constraint.js';
import type { GenerationOptions } from '../options.js';

interface PackedRegex {
  type: 'regex';
  pattern: { source: string; flags: string };
}

/** What of a session's defaults survives JSON: everything. */
export function packDefaults({ constraint, ...others }: GenerationOptions): object {
  return { ...others, constraint: constraint && packConstraint(constraint) };
}

function packConstraint(constraint: Constraint): Constraint | PackedRegex {
  if (constraint instanceof RegExp) return packConstraint({ type: 'regex', pattern: constraint });
  if (constraint.type !== 'regex' || typeof constraint.pattern === 'string') return constraint;
  const { source, flags } = constraint.pattern;
  return { type: 'regex', pattern: { source, flags } };
}

/**
 * The defaults that `packDefaults` was given, but for what may only be said by who restores them: that
 * what others write may be control tokens.
 */
export function unpackDefaults(packed: object): GenerationOptions {
  const {
    constraint,
    logitBias,
    maxTokens,
    specialTokens: _,
    ...others
  } = packed as GenerationOptions;
  return {
    ...others,
    constraint: constraint && unpackConstraint(constraint),
    logitBias:
      logitBias &&
      Object.fromEntries(
        Object.entries(logitBias).map(([token, bias]) => [token, bias ?? Number.NEGATIVE_INFINITY]),
      ),
    maxTokens: maxTokens === null ? Number.POSITIVE_INFINITY : maxTokens,
  };
}

function unpackConstraint(packed: Constraint | PackedRegex): Constraint {
  if (packed instanceof RegExp || packed.type !== 'regex') return packed;
  const { pattern } = packed;
  if (typeof pattern === 'string' || pattern instanceof RegExp) return { ...packed, pattern };
  return { type: 'regex', pattern: new RegExp(pattern.source, pattern.flags) };
}
