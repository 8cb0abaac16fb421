// SPDX-License-Identifier: MIT
import { ModelError } from '../../../build/web/errors.js';

/** Whether what was thrown at a file that is wrong says so as it must: a code, and a sentence. */
export function isRefusal(error) {
  return error instanceof ModelError && error.code.length > 0 && error.message.length > 0;
}

/** The same, where a caller's own argument may be at fault. */
export function isArgumentError(error) {
  const known = error instanceof TypeError || error instanceof RangeError;
  return known && error.message.length > 0 && !isEngines(error);
}

// What V8 says of code that took a value for another: a mistake of ours.
function isEngines({ message }) {
  return /is not a function|is not iterable|of undefined|of null|Maximum call stack|Invalid (array|typed array|string) length|Cannot convert/.test(
    message,
  );
}

/** What `attempt` gives; undefined where it refuses, any other exception goes on. */
export async function unlessRefused(attempt, isRefused = isRefusal) {
  try {
    return await attempt();
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

export function must(condition, what) {
  if (!condition) throw new Error(what);
}
