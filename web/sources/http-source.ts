// SPDX-License-Identifier: MIT
import { abortable, pause, within } from '../abort.js';
import { ModelError } from '../errors.js';
import { type ByteFeed, ForwardSource } from './forward-source.js';
import {
  emptyReader,
  hidesEncoding,
  isRemote,
  mayAddHeaders,
  type Reply,
  request,
  stalled,
} from './http-request.js';
import {
  provenSame,
  sameVersion,
  strongValidator,
  tellsRange,
  type Validators,
  validatorsFrom,
  validatorsOf,
} from './http-version.js';

/** Skipping less than this reads on; more asks for a new range. */
const RANGE_GAP_BYTES = 1 << 20;
const MAX_FAILURES = 3;
const FIRST_DELAY_MS = 200;
// What an attempt has to bring to count as one: all of a small file's hundredth.
const PROGRESS_BYTES = 1 << 16;
const PROGRESS_SHARE = 0.01;
/** Milliseconds without a byte after which a connection counts as lost. */
export const DEFAULT_STALL_TIMEOUT = 60_000;

/** How {@link openHttp} asks. */
export interface HttpOptions {
  signal?: AbortSignal;
  /** Gives `undefined` instead of a source when the server still has this version. */
  unlessStill?: Validators;
  /** Begins at a byte if the server proves that it still has this version, else at the first one. */
  resume?: { at: number; version: Validators };
  /** Milliseconds to wait for the next bytes, or for an answer. Default 60 000. */
  stallTimeout?: number;
  /** Most bytes to ask for at once, where the server gives ranges: of what is not read no more is sent than that. */
  rangeBytes?: number;
  /** `no-store` when the bytes are kept by us anyway. */
  httpCache?: RequestCache;
}

/** A download in progress, with what identifies the version being read. */
export class HttpSource extends ForwardSource {
  #feed: HttpFeed;

  constructor(feed: HttpFeed, signal?: AbortSignal) {
    super(feed, signal, feed.at);
    this.#feed = feed;
  }

  get version(): Validators {
    return this.#feed.version;
  }

  /** Whether another load could go on from a byte of it. */
  get resumable(): boolean {
    return this.#feed.rangesWork && strongValidator(this.version) !== undefined;
  }
}

/**
 * Starts one streaming GET. A connection that drops is resumed from where it stopped: up to three
 * attempts in a row that bring next to nothing, with growing pauses between them.
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
  const feed = new HttpFeed(url, options);
  try {
    const { resume, unlessStill, signal } = options;
    const begun = async () =>
      (resume && (await feed.resumeAt(resume))) || (await feed.start(unlessStill));
    if (await abortable(begun(), signal)) return new HttpSource(feed, signal);
  } catch (error) {
    await feed.release();
    throw error;
  }
  await feed.release();
  return undefined;
}

class HttpFeed implements ByteFeed {
  readonly name: string;
  size: number | undefined;
  version: Validators = {};
  rangesWork = true;
  #url: string;
  #httpCache: RequestCache | undefined;
  #stallTimeout: number;
  #rangeBytes: number | undefined;
  /** Where a reply ends that was asked for in part. */
  #until: number | undefined;
  #released = new AbortController();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #cancel = () => {};
  #at = 0;
  #discard = 0;
  #failures = 0;
  /** Bytes since the last failure. */
  #progress = 0;
  /** Where the last tensor ends, if that is why the length is believed. */
  #end: number | undefined;

  constructor(url: string, { httpCache, stallTimeout, rangeBytes }: HttpOptions) {
    this.name = url.startsWith('data:') ? 'data: URL' : url;
    this.#url = url;
    this.#httpCache = httpCache;
    this.#stallTimeout = stallTimeout ?? DEFAULT_STALL_TIMEOUT;
    this.#rangeBytes = isRemote(url) ? rangeBytes : undefined;
  }

  /** Where the next byte lies. */
  get at(): number {
    return this.#at;
  }

  /** The first request. False when the server still has the version asked about. */
  async start(unlessStill: Validators | undefined): Promise<boolean> {
    const headers: Record<string, string> = {};
    if (unlessStill?.etag && mayAddHeaders(this.#url)) headers['If-None-Match'] = unlessStill.etag;
    let reply = this.#rangeBytes ? await this.#firstRange() : undefined;
    if (reply?.response.status === 206) return true;
    // A second try at once: a kept-alive connection may have been closed under the first.
    reply ??= await this.#request(headers)
      .catch(() => this.#request(headers))
      .catch((cause) => {
        const why = String((cause as Error)?.message ?? cause);
        throw this.#error(`cannot be fetched: ${why}`, cause);
      });
    const { response } = reply;
    if (response.status === 304 && unlessStill) {
      reply.cancel();
      return false;
    }
    this.#requireOk(reply);
    this.version = validatorsOf(response);
    // What may be the length of something else counts once the header agrees with it.
    const sure = !hidesEncoding(response);
    this.size = sure ? this.version.bytes : undefined;
    this.rangesWork = sure && !response.headers.get('content-encoding') && isRemote(this.#url);
    const comparable =
      (unlessStill?.etag && this.version.etag) ||
      (unlessStill?.lastModified && this.version.lastModified);
    if (unlessStill && comparable && sameVersion(unlessStill, this.version)) {
      reply.cancel();
      return false;
    }
    this.#adopt(reply, 0);
    return true;
  }

  /**
   * The reply to a first request for a part: a range, which is adopted, or what a server says that gives
   * none. Undefined where nobody knows of how many bytes it is a part.
   */
  async #firstRange(): Promise<Reply | undefined> {
    const reply = await this.#request(this.#rangeHeaders(0)).catch(() => undefined);
    if (reply?.response.status !== 206) {
      this.#rangeBytes = undefined;
      return reply?.response.status === 416 ? undefined : reply;
    }
    const version = validatorsFrom(reply.response, 0);
    if (version?.bytes === undefined || !tellsRange(reply.response, 0, undefined)) {
      this.#rangeBytes = undefined;
      reply.cancel();
      return undefined;
    }
    this.version = version;
    this.size = version.bytes;
    this.#adopt(reply, 0);
    return reply;
  }

  /** Asks for what follows a byte. False where the file is not proven the same, or came whole. */
  async resumeAt({ at, version }: { at: number; version: Validators }): Promise<boolean> {
    this.version = version;
    const reply = await this.#request(this.#rangeHeaders(at)).catch(() => undefined);
    const isRange = reply?.response.status === 206 && tellsRange(reply.response, at, version.bytes);
    const now = isRange ? validatorsFrom(reply.response, at) : undefined;
    if (!reply || !now || !provenSame(version, now)) {
      reply?.cancel();
      return false;
    }
    this.version = { ...version, ...now, bytes: now.bytes ?? version.bytes };
    this.size = this.version.bytes;
    this.#adopt(reply, at);
    return true;
  }

  /**
   * Judges the length by where the last tensor ends: past it lies nothing but padding, so that of
   * compressed bytes does not fit.
   */
  learnEnd(end: number, padded: number): void {
    const { bytes } = this.version;
    if (this.size !== undefined || bytes === undefined) return;
    if (bytes < end || bytes > padded) return;
    this.#end = end;
    this.size = bytes;
    this.rangesWork = isRemote(this.#url);
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
        result = await within(this.#reader.read(), this.#stallTimeout, stalled);
      } catch (error) {
        failure = error;
      }
      if (result?.done && this.#at === this.#until) {
        this.#reader = undefined;
        continue;
      }
      if (!result || (result.done && this.#endsEarly())) {
        await this.#lost(failure);
        continue;
      }
      if (result.done) return undefined;
      const bytes = this.#afterDiscard(result.value);
      if (bytes.byteLength === 0) continue;
      this.#at += bytes.byteLength;
      this.#progress += bytes.byteLength;
      if (this.#progress >= Math.min(PROGRESS_BYTES, PROGRESS_SHARE * (this.size ?? Infinity))) {
        this.#failures = 0;
      }
      // A compressed reply announces another length than it delivers.
      if (this.size !== undefined && this.#at > this.size) {
        this.size = undefined;
        this.rangesWork = false;
      }
      return bytes;
    }
  }

  // A length that fits by chance may be that of bytes which compression made a little longer.
  #endsEarly(): boolean {
    if (this.size === undefined || this.#at >= this.size) return false;
    if (this.#end === undefined || this.#at < this.#end) return true;
    this.size = this.#at;
    return false;
  }

  async jump(offset: number): Promise<boolean> {
    if (this.size !== undefined && offset >= this.size) {
      this.#at = this.size;
      this.#cancel();
      this.#reader = emptyReader();
      return true;
    }
    if (offset - this.#at <= RANGE_GAP_BYTES || !this.rangesWork) return false;
    // The old connection stays until the server is known to honour the range.
    const reply = await this.#request(this.#rangeHeaders(offset)).catch(() => undefined);
    if (reply?.response.status !== 206 || !tellsRange(reply.response, offset, this.size)) {
      reply?.cancel();
      this.rangesWork = false;
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
    const headers = this.rangesWork ? this.#rangeHeaders(this.#at) : {};
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
    if (status === 206 && !tellsRange(reply.response, this.#at, this.size)) {
      reply.cancel();
      this.rangesWork = false;
      return this.#lost(new Error('a range was answered without Content-Range'));
    }
    const isRange = status === 206;
    const { bytes } = this.#requireSameVersion(reply, isRange ? this.#at : 0);
    // The first reply may not have said how long the file is.
    if (isRange) this.size ??= this.version.bytes ??= bytes;
    const discard = isRange ? 0 : this.#at;
    this.#adopt(reply, this.#at);
    this.#discard = discard;
  }

  async #lost(cause: unknown): Promise<void> {
    this.#cancel();
    this.#reader = undefined;
    this.#failures += 1;
    this.#progress = 0;
    if (this.#failures > MAX_FAILURES || this.#released.signal.aborted) {
      const total = this.size === undefined ? '' : ` of ${this.size}`;
      throw this.#error(`connection lost at byte ${this.#at}${total}`, cause);
    }
    await pause(FIRST_DELAY_MS * 4 ** (this.#failures - 1), this.#released.signal);
  }

  #request(headers: Record<string, string>): Promise<Reply> {
    const cache = this.#httpCache ? { cache: this.#httpCache } : {};
    const late = this.#stallTimeout;
    return request(this.#url, { headers, ...cache }, this.#released.signal, late);
  }

  #adopt({ response, cancel }: Reply, at: number): void {
    const reader = response.body ? response.body.getReader() : emptyReader();
    this.#reader = reader;
    this.#cancel = isRemote(this.#url) ? cancel : () => void reader.cancel().catch(() => {});
    this.#at = at;
    this.#discard = 0;
    const end = at + (this.#rangeBytes ?? Infinity);
    this.#until = end < (this.size ?? 0) ? end : undefined;
  }

  #afterDiscard(chunk: Uint8Array): Uint8Array {
    const drop = Math.min(this.#discard, chunk.byteLength);
    this.#discard -= drop;
    return chunk.subarray(drop);
  }

  #rangeHeaders(offset: number): Record<string, string> {
    const last = this.#rangeBytes ? offset + this.#rangeBytes - 1 : '';
    const headers: Record<string, string> = { Range: `bytes=${offset}-${last}` };
    const validator = strongValidator(this.version);
    // Where it may not be sent the reply is compared instead.
    if (validator && mayAddHeaders(this.#url)) headers['If-Range'] = validator;
    return headers;
  }

  #requireOk(reply: Reply): void {
    const { status } = reply.response;
    if (reply.response.ok) return;
    reply.cancel();
    throw this.#error(`HTTP ${status}`, undefined, status === 404 || status === 410);
  }

  #requireSameVersion(reply: Reply, offset: number): Validators {
    const now = validatorsFrom(reply.response, offset);
    if (now && sameVersion(this.version, now)) return now;
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
