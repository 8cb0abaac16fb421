// SPDX-License-Identifier: MIT
import { ModelError } from '../../index.js';

/** An error in the shape of OpenAI's: `status` as over HTTP, and the fields of its `error` object. */
export class APIError extends Error {
  static override readonly name: string = 'APIError';
  readonly status: number;
  readonly error: { message: string; type: string; param: string | null; code: string | null };

  constructor(
    status: number,
    message: string,
    details: { param?: string; code?: string; cause?: unknown } = {},
  ) {
    const { param = null, code = null, cause } = details;
    super(`${status} ${message}`, cause === undefined ? undefined : { cause });
    this.name = 'APIError';
    this.status = status;
    const type = status < 500 ? 'invalid_request_error' : 'server_error';
    this.error = { message, type, param, code };
  }

  get code(): string | null {
    return this.error.code;
  }

  get type(): string {
    return this.error.type;
  }

  get param(): string | null {
    return this.error.param;
  }
}

const BAD_REQUEST: Partial<Record<ModelError['code'], string>> = {
  context_full: 'context_length_exceeded',
  chat_template: 'chat_template',
};

/**
 * What a call failed with, in OpenAI's shape.
 *
 * @param names of parameters here by those of options: messages begin with an option's
 */
export function apiError(cause: unknown, names: ReadonlyMap<string, string>): APIError {
  if (cause instanceof APIError) return cause;
  if (cause instanceof TypeError || cause instanceof RangeError) {
    const [option = ''] = /^\w+/.exec(cause.message) ?? [];
    const named = names.get(option);
    const message = named ? named + cause.message.slice(option.length) : cause.message;
    const param = named ?? (/\btools?\b/.test(message) ? 'tools' : undefined);
    return new APIError(400, message, { param, code: 'invalid_value', cause });
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  if (!(cause instanceof ModelError)) return new APIError(500, message, { cause });
  const code = BAD_REQUEST[cause.code];
  if (code) {
    const param = names.get('messages') ?? 'messages';
    return new APIError(400, message, { param, code, cause });
  }
  return new APIError(cause.code === 'disposed' ? 503 : 500, message, { code: cause.code, cause });
}
