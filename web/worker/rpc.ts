// SPDX-License-Identifier: MIT
import { proxy, transferHandlers } from 'comlink';
import { ModelError, type ModelErrorCode } from '../errors.js';

/** A callback that a worker may call; functions cannot be posted as they are. */
export function proxyCallback<T extends ((...args: never[]) => void) | undefined>(callback: T): T {
  return (callback && proxy(callback)) as T;
}

interface PlainError {
  name: string;
  message: string;
  stack: string | undefined;
  code?: ModelErrorCode;
  subject?: string | undefined;
}

let carrying = false;

/**
 * Teaches Comlink to carry our errors whole: by default their code is lost, and a RangeError
 * arrives as a plain Error. Called on each side of the boundary.
 */
export function carryErrors(): void {
  if (carrying) return;
  carrying = true;
  const thrown = transferHandlers.get('throw');
  if (!thrown) return;
  transferHandlers.set('throw', {
    canHandle: thrown.canHandle,
    serialize: (marked: unknown) => [toPlain((marked as { value: unknown }).value), []],
    deserialize: (plain: unknown) => {
      throw fromPlain(plain as PlainError);
    },
  });
}

function toPlain(error: unknown): PlainError {
  const { name = 'Error', message = String(error), stack } = (error ?? {}) as Error;
  return error instanceof ModelError
    ? { name, message, stack, code: error.code, subject: error.subject }
    : { name, message, stack };
}

function fromPlain({ name, message, stack, code, subject }: PlainError): Error {
  if (code) return Object.assign(new ModelError(code, message, { subject }), { stack });
  const known: Record<string, new (text: string) => Error> = { TypeError, RangeError };
  const made = known[name]
    ? new known[name](message)
    : name === 'AbortError'
      ? new DOMException(message, name)
      : new Error(message);
  if (made instanceof Error && !(made instanceof DOMException)) made.stack = stack;
  return made as Error;
}
