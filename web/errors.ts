// SPDX-License-Identifier: MIT

/**
 * What kind of thing went wrong. Stable across releases: switch on it rather than on messages.
 */
export type ModelErrorCode =
  | 'invalid_header'
  | 'truncated'
  | 'unsupported_type'
  | 'unsupported_architecture'
  | 'invalid_metadata'
  | 'missing_tensor'
  | 'shape_mismatch'
  | 'not_finite'
  | 'unsupported_tokenizer'
  | 'chat_template'
  | 'network'
  | 'not_found'
  | 'cache_unavailable'
  | 'integrity'
  | 'wrong_model'
  | 'out_of_memory'
  | 'context_full'
  | 'disposed'
  | 'worker'
  | 'wasm';

/**
 * A model, its file or its transport is at fault. Wrong arguments are `TypeError` or `RangeError`
 * instead, and an aborted call rejects with the reason of its signal.
 */
export class ModelError extends Error {
  // What consoles print: minifying renames classes.
  static override readonly name: string = 'ModelError';
  /** The kind of failure. */
  readonly code: ModelErrorCode;
  /** The tensor, metadata key, URL or file concerned, where there is one. */
  readonly subject: string | undefined;

  /**
   * @param code the kind of failure
   * @param message a sentence for people, naming the numbers that disagree
   * @param options `subject`: what it is about; `cause`: the error underneath
   */
  constructor(
    code: ModelErrorCode,
    message: string,
    options: { subject?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelError';
    this.code = code;
    this.subject = options.subject;
  }
}

/**
 * What a storage of the browser failed with, as our own error.
 *
 * @param what cannot be done, for people
 */
export function storageError(cause: unknown, what: string): ModelError {
  if (cause instanceof ModelError) return cause;
  const { name, message } = cause as Error;
  const why =
    name === 'QuotaExceededError'
      ? 'the storage quota of this origin is exceeded'
      : `the storage failed (${message || name})`;
  return new ModelError('cache_unavailable', `${what}: ${why}`, { cause });
}

/**
 * What fetching a part of this package failed with, as our own error.
 *
 * @param what is done by that part, for people
 */
export function fetchError(cause: unknown, what: string): ModelError {
  if ('ServiceWorkerGlobalScope' in globalThis) {
    const text = `a service worker may not import ${what} later: use fastweights/service-worker there`;
    return new ModelError('worker', text, { cause });
  }
  return new ModelError('network', `the code for ${what} cannot be fetched`, { cause });
}

/** A text out of a file as a message tells it: what is long is cut. */
export const short = (text: string): string =>
  text.length > 60 ? `${text.slice(0, 57)}...` : text;

/** A value out of a file as a message tells it. A list may be too long to be written out. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(short(value));
  if (Array.isArray(value) && value.length > 0) return 'a list';
  return typeof value === 'object' ? short(JSON.stringify(value)) : String(value);
}
