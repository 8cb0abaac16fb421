// SPDX-License-Identifier: MIT
// What crosses between a page and the worker of its engine. Every message has a mark, since a worker
// of the page's own may have others to send.
import { ModelError, type ModelErrorCode } from '../errors.js';

const MARK = 'fastweights';

/** To the worker. */
export type Request =
  /** Whether it runs. */
  | { kind: 'ping' }
  /** Calls a method of the engine; `heard`: somebody listens to how far it is. */
  | { kind: 'call'; call: number; method: string; args: unknown[]; heard: boolean }
  | { kind: 'abort'; call: number }
  /** What the worker of a thread has posted. */
  | { kind: 'from thread'; thread: number; message: unknown }
  | { kind: 'thread failed'; thread: number; why: string };

/** From the worker. */
export type Reply =
  | { kind: 'ready' }
  | { kind: 'progress'; call: number; progress: unknown }
  | { kind: 'value'; call: number; value: unknown }
  | { kind: 'error'; call: number; error: PlainError }
  /** Starts the worker of a thread. Some bundlers write scripts instead of modules. */
  | { kind: 'start thread'; thread: number; url: string; options: WorkerOptions }
  | { kind: 'to thread'; thread: number; message: unknown }
  | { kind: 'end thread'; thread: number };

/** @param target a worker, or in one its own scope */
export function send(
  target: { postMessage(message: unknown, transfer: Transferable[]): void },
  message: Request | Reply,
  transfer: Transferable[] = [],
): void {
  target.postMessage({ ...message, [MARK]: 1 }, transfer);
}

/** What a message says, where it is one of ours. */
export function received<Message extends Request | Reply>(event: Event): Message | undefined {
  const { data } = event as MessageEvent;
  return typeof data === 'object' && data !== null && data[MARK] === 1 ? data : undefined;
}

/** An error with all that is lost when it is posted as it is: its class, its code, its cause. */
export interface PlainError {
  name: string;
  message: string;
  stack: string | undefined;
  code?: ModelErrorCode;
  subject?: string | undefined;
  cause?: PlainError | undefined;
}

// Causes may have causes; a circle of them must end.
const MOST_CAUSES = 4;

export function toPlain(error: unknown, causes = MOST_CAUSES): PlainError {
  const { name = 'Error', message = String(error), stack, cause } = (error ?? {}) as Error;
  const plain: PlainError = { name: String(name), message: String(message), stack };
  if (cause !== undefined && cause !== null && causes > 0) plain.cause = toPlain(cause, causes - 1);
  return error instanceof ModelError
    ? { ...plain, code: error.code, subject: error.subject }
    : plain;
}

const KNOWN: Record<string, new (text: string, options?: ErrorOptions) => Error> = {
  TypeError,
  RangeError,
  SyntaxError,
  CompileError: WebAssembly.CompileError,
  LinkError: WebAssembly.LinkError,
  RuntimeError: WebAssembly.RuntimeError,
};

export function fromPlain({ name, message, stack, code, subject, ...rest }: PlainError): Error {
  const cause = rest.cause && fromPlain(rest.cause);
  const options = cause === undefined ? {} : { cause };
  if (code) {
    return Object.assign(new ModelError(code, message, { ...options, subject }), { stack });
  }
  const Known = KNOWN[name];
  if (Known) return Object.assign(new Known(message, options), { stack });
  // Those of the DOM have no class of their own: AbortError, QuotaExceededError, NetworkError …
  if (/^[A-Z]\w+Error$/.test(name) && typeof DOMException === 'function') {
    const made = new DOMException(message, name);
    return cause === undefined ? made : Object.defineProperty(made, 'cause', { value: cause });
  }
  return Object.assign(new Error(message, options), { name, stack });
}
