// SPDX-License-Identifier: MIT
import { abortable, pause } from '../abort.js';
import { ModelError } from '../errors.js';
import { type ByteFeed, ForwardSource } from './forward-source.js';
import { sameVersion, type Validators, validatorsOf } from './http-version.js';

/** Skipping less than this reads on; more asks for a new range. */
const RANGE_GAP_BYTES = 1 << 20;
const MAX_FAILURES = 3;
const FIRST_DELAY_MS = 200;

/** How {@link openHttp} asks. */
export interface HttpOptions {
  signal?: AbortSignal;
  /** Gives `undefined` instead of a source when the server still has this version. */
  unlessStill?: Validators;
  /** `no-store` when the bytes are kept by us anyway. */
  httpCache?: RequestCache;
}

/** A download in progress, with what identifies the version being read. */
export class HttpSource extends ForwardSource {
  readonly version: Validators;

  constructor(feed: HttpFeed, version: Validators, signal?: AbortSignal) {
    super(feed, signal);
    this.version = version;
  }
}

/**
 * Starts one streaming GET. A connection that drops is resumed from where it stopped: up to three
 * attempts in a row that bring nothing, with growing pauses between them.
 *
 * @throws ModelError `not_found` for 404 and 410, `network` with status and URL otherwise
 */
export function openHttp(
  url: string,
  options?: HttpOptions & { unlessStill?: undefined },
): Promise<HttpSource>;
export function openHttp(url: string, options: HttpOptions): Promise<HttpSource | undefined>;
export async function openHttp(
  url: string,
  options: HttpOptions = {},
): Promise<HttpSource | undefined> {
  const feed = new HttpFeed(url, options.httpCache);
  try {
    const version = await abortable(feed.start(options.unlessStill), options.signal);
    if (version) return new HttpSource(feed, version, options.signal);
  } catch (error) {
    await feed.release();
    throw error;
  }
  await feed.release();
  return undefined;
}

// A response with the switch that cancels it.
interface Reply {
  response: Response;
  cancel: () => void;
}

class HttpFeed implements ByteFeed {
  readonly name: string;
  size: number | undefined;
  #url: string;
  #remote: boolean;
  #httpCache: RequestCache | undefined;
  #released = new AbortController();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #cancel = () => {};
  #at = 0;
  #discard = 0;
  #failures = 0;
  #version: Validators = {};
  #rangesWork = true;

  constructor(url: string, httpCache: RequestCache | undefined) {
    this.name = url.startsWith('data:') ? 'data: URL' : url;
    this.#url = url;
    this.#remote = /^https?:/i.test(url);
    this.#httpCache = httpCache;
  }

  /** The first request. Undefined when the server still has the version asked about. */
  async start(unlessStill: Validators | undefined): Promise<Validators | undefined> {
    const headers: Record<string, string> = {};
    if (unlessStill?.etag && this.#mayAddHeaders()) headers['If-None-Match'] = unlessStill.etag;
    // A second try at once: a kept-alive connection may have been closed under the first.
    const reply = await this.#request(headers)
      .catch(() => this.#request(headers))
      .catch((cause) => {
        const why = String((cause as Error)?.message ?? cause);
        throw this.#error(`cannot be fetched: ${why}`, cause);
      });
    const { response } = reply;
    if (response.status === 304 && unlessStill) {
      reply.cancel();
      return undefined;
    }
    this.#requireOk(reply);
    this.#version = validatorsOf(response);
    this.size = this.#version.bytes;
    this.#rangesWork = !response.headers.get('content-encoding') && this.#remote;
    const comparable =
      (unlessStill?.etag && this.#version.etag) ||
      (unlessStill?.lastModified && this.#version.lastModified);
    if (unlessStill && comparable && sameVersion(unlessStill, this.#version)) {
      reply.cancel();
      return undefined;
    }
    this.#adopt(reply, 0);
    return this.#version;
  }

  async pull(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (!this.#reader) {
        await this.#resume();
        continue;
      }
      let result: ReadableStreamReadResult<Uint8Array> | undefined;
      let failure: unknown;
      try {
        result = await this.#reader.read();
      } catch (error) {
        failure = error;
      }
      if (!result || (result.done && this.size !== undefined && this.#at < this.size)) {
        await this.#lost(failure);
        continue;
      }
      if (result.done) return undefined;
      const bytes = this.#afterDiscard(result.value);
      if (bytes.byteLength === 0) continue;
      this.#at += bytes.byteLength;
      this.#failures = 0;
      // A compressed reply announces another length than it delivers.
      if (this.size !== undefined && this.#at > this.size) this.size = undefined;
      return bytes;
    }
  }

  async jump(offset: number): Promise<boolean> {
    if (this.size !== undefined && offset >= this.size) {
      this.#at = this.size;
      this.#cancel();
      this.#reader = emptyReader();
      return true;
    }
    if (offset - this.#at <= RANGE_GAP_BYTES || !this.#rangesWork) return false;
    // The old connection stays until the server is known to honour the range.
    const reply = await this.#request(this.#rangeHeaders(offset)).catch(() => undefined);
    if (reply?.response.status !== 206) {
      reply?.cancel();
      this.#rangesWork = false;
      return false;
    }
    this.#requireSameVersion(reply, offset);
    this.#cancel();
    this.#adopt(reply, offset);
    return true;
  }

  async release(): Promise<void> {
    this.#cancel();
    this.#released.abort();
  }

  /** Asks again for what is missing; leaves no reader when the attempt failed but may be repeated. */
  async #resume(): Promise<void> {
    const headers = this.#rangesWork ? this.#rangeHeaders(this.#at) : {};
    let reply: Reply;
    try {
      reply = await this.#request(headers);
    } catch (error) {
      return this.#lost(error);
    }
    const { status } = reply.response;
    if (status === 408 || status === 429 || status >= 500) {
      reply.cancel();
      return this.#lost(new Error(`HTTP ${status}`));
    }
    this.#requireOk(reply);
    this.#requireSameVersion(reply, status === 206 ? this.#at : 0);
    const discard = status === 206 ? 0 : this.#at;
    this.#adopt(reply, this.#at);
    this.#discard = discard;
  }

  async #lost(cause: unknown): Promise<void> {
    this.#cancel();
    this.#reader = undefined;
    this.#failures += 1;
    if (this.#failures > MAX_FAILURES || this.#released.signal.aborted) {
      const total = this.size === undefined ? '' : ` of ${this.size}`;
      throw this.#error(`connection lost at byte ${this.#at}${total}`, cause);
    }
    await pause(FIRST_DELAY_MS * 4 ** (this.#failures - 1), this.#released.signal);
  }

  async #request(headers: Record<string, string>): Promise<Reply> {
    const cache = this.#httpCache ? { cache: this.#httpCache } : {};
    if (!this.#remote) {
      // Node 24 throws out of reach when the signal of a blob: or data: fetch fires.
      const response = await fetch(this.#url, { headers, ...cache });
      const { body } = response;
      return { response, cancel: () => void body?.cancel().catch(() => {}) };
    }
    const controller = new AbortController();
    const cancel = () => controller.abort();
    this.#released.signal.addEventListener('abort', cancel, { once: true });
    const response = await fetch(this.#url, { headers, signal: controller.signal, ...cache });
    return { response, cancel };
  }

  #adopt({ response, cancel }: Reply, at: number): void {
    const reader = response.body ? response.body.getReader() : emptyReader();
    this.#reader = reader;
    this.#cancel = this.#remote ? cancel : () => void reader.cancel().catch(() => {});
    this.#at = at;
    this.#discard = 0;
  }

  #afterDiscard(chunk: Uint8Array): Uint8Array {
    const drop = Math.min(this.#discard, chunk.byteLength);
    this.#discard -= drop;
    return chunk.subarray(drop);
  }

  #rangeHeaders(offset: number): Record<string, string> {
    const headers: Record<string, string> = { Range: `bytes=${offset}-` };
    const { etag, lastModified } = this.#version;
    const validator = etag && !etag.startsWith('W/') ? etag : lastModified;
    if (validator && this.#mayAddHeaders()) headers['If-Range'] = validator;
    return headers;
  }

  // Across origins these headers cost a preflight that file hosts refuse; the reply is compared instead.
  #mayAddHeaders(): boolean {
    const origin = globalThis.location?.origin;
    return !origin || origin === 'null' || new URL(this.#url).origin === origin;
  }

  #requireOk(reply: Reply): void {
    const { status } = reply.response;
    if (reply.response.ok) return;
    reply.cancel();
    throw this.#error(`HTTP ${status}`, undefined, status === 404 || status === 410);
  }

  #requireSameVersion(reply: Reply, offset: number): void {
    const { response } = reply;
    const now = validatorsOf(response);
    const range = /^bytes (\d+)-\d+\/(\d+|\*)/.exec(response.headers.get('content-range') ?? '');
    if (range) now.bytes = range[2] === '*' ? undefined : Number(range[2]);
    else if (now.bytes !== undefined) now.bytes += offset;
    if ((!range || Number(range[1]) === offset) && sameVersion(this.#version, now)) return;
    reply.cancel();
    throw this.#error('the file changed on the server during the download');
  }

  #error(what: string, cause?: unknown, missing = false): ModelError {
    return new ModelError(missing ? 'not_found' : 'network', `${this.name}: ${what}`, {
      subject: this.name,
      cause,
    });
  }
}

function emptyReader(): ReadableStreamDefaultReader<Uint8Array> {
  return new ReadableStream<Uint8Array>({ start: (controller) => controller.close() }).getReader();
}
