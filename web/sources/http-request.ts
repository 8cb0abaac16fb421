// SPDX-License-Identifier: MIT
import { within } from '../abort.js';

/** A response with the switch that cancels it. */
export interface Reply {
  response: Response;
  cancel: () => void;
}

/** Why a request or a read of its body is given up after `ms`. */
export const stalled = (ms: number): Error =>
  new Error(`the server sent nothing for ${ms / 1000} s`);

/** One GET that ends with `released`, when it is cancelled, or when no answer comes for `stallTimeout`. */
export async function request(
  url: string,
  init: { headers: Record<string, string>; cache?: RequestCache },
  released: AbortSignal,
  stallTimeout: number,
): Promise<Reply> {
  if (!isRemote(url)) {
    // Node 24 throws out of reach when the signal of a blob: or data: fetch fires.
    const response = await fetch(url, init);
    const { body } = response;
    return { response, cancel: () => void body?.cancel().catch(() => {}) };
  }
  released.throwIfAborted();
  const controller = new AbortController();
  const cancel = () => {
    released.removeEventListener('abort', cancel);
    controller.abort();
  };
  released.addEventListener('abort', cancel, { once: true });
  const reply = fetch(url, { ...init, signal: controller.signal });
  const response = await within(reply, stallTimeout, (ms) => {
    cancel();
    return stalled(ms);
  });
  return { response, cancel };
}

export function isRemote(url: string): boolean {
  return /^https?:/i.test(url);
}

/** Across origins, headers that a form could not send cost a preflight, which file hosts refuse. */
export function mayAddHeaders(url: string): boolean {
  const origin = globalThis.location?.origin;
  return !origin || origin === 'null' || new URL(url).origin === origin;
}

/**
 * Whether the length may be that of compressed bytes: another origin shows `Content-Length`, but
 * hides `Content-Encoding` from scripts.
 */
export function hidesEncoding({ type, headers }: Response): boolean {
  return type === 'cors' && !headers.get('content-encoding');
}

export function emptyReader(): ReadableStreamDefaultReader<Uint8Array> {
  return new ReadableStream<Uint8Array>({ start: (controller) => controller.close() }).getReader();
}
