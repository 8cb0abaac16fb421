// SPDX-License-Identifier: MIT

/** A response with the switch that cancels it. */
export interface Reply {
  response: Response;
  cancel: () => void;
}

/** One GET that ends with `released`, or when it is cancelled. */
export async function request(
  url: string,
  init: { headers: Record<string, string>; cache?: RequestCache },
  released: AbortSignal,
): Promise<Reply> {
  if (!isRemote(url)) {
    // Node 24 throws out of reach when the signal of a blob: or data: fetch fires.
    const response = await fetch(url, init);
    const { body } = response;
    return { response, cancel: () => void body?.cancel().catch(() => {}) };
  }
  released.throwIfAborted();
  const controller = new AbortController();
  const cancel = () => controller.abort();
  released.addEventListener('abort', cancel, { once: true });
  const response = await fetch(url, { ...init, signal: controller.signal });
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
