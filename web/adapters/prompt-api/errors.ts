// SPDX-License-Identifier: MIT
import { ModelError } from '../../index.js';

/** What a method of the Prompt API throws for what the package threw. */
export function domError(error: unknown): unknown {
  // A form that cannot be kept to; one that no browser has to know is no mistake of the caller's.
  const isMistake = error instanceof TypeError || error instanceof RangeError;
  if (isMistake && error.message.startsWith('constraint')) {
    return named('NotSupportedError', error.message, error);
  }
  if (!(error instanceof ModelError)) return error;
  const name = NAMES[error.code] ?? 'OperationError';
  return named(name, error.message, error);
}

const NAMES: Partial<Record<ModelError['code'], string>> = {
  disposed: 'InvalidStateError',
  chat_template: 'NotSupportedError',
  network: 'NetworkError',
  not_found: 'NetworkError',
};

export function named(name: string, message: string, cause?: unknown): DOMException {
  const error = new DOMException(message, name);
  if (cause !== undefined) Object.defineProperty(error, 'cause', { value: cause });
  return error;
}

type QuotaError = new (
  message: string,
  quota: { requested: number; quota: number },
) => DOMException;

/**
 * The same where the input alone may be more than the context window, `quota`, holds.
 *
 * @param count what is measured of the input; where its answer is what finds no room, that is less
 */
export async function quotaError(
  error: unknown,
  quota: number,
  count: () => Promise<number>,
): Promise<unknown> {
  if (!(error instanceof ModelError) || error.code !== 'context_full') return domError(error);
  return count().then((measured) => quotaExceeded(Math.max(measured, quota + 1), quota), domError);
}

function quotaExceeded(requested: number, quota: number): DOMException {
  const message = `the input has ${requested} tokens, but there is room for ${quota}`;
  // A class of its own in newer browsers, a name in older ones.
  const { QuotaExceededError } = globalThis as { QuotaExceededError?: QuotaError };
  if (QuotaExceededError) return new QuotaExceededError(message, { requested, quota });
  return Object.assign(named('QuotaExceededError', message), { requested, quota });
}
