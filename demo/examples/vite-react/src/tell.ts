// SPDX-License-Identifier: MIT
import { ModelError } from 'fastweights';

/** An error with what is under it, which often says more. */
export function tell(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = error instanceof ModelError ? ` (${error.code})` : '';
  const own = `${error.name}${code}: ${error.message}`;
  return error.cause ? `${own}\n${tell(error.cause)}` : own;
}
