// SPDX-License-Identifier: MIT
import { abortable, otherTasks } from '../abort.js';
import { ModelError } from '../errors.js';
import type { ByteSource } from './byte-source.js';

/** Longest piece one `read()` hands out, in bytes. */
export const MAX_CHUNK_BYTES = 4 << 20;

/** Where a {@link ForwardSource} gets its bytes from; one implementation per kind of source. */
export interface ByteFeed {
  /** For messages: URL, path or kind. */
  readonly name: string;
  /** Bytes in the whole file, when known. May become known or unknown while reading. */
  readonly size: number | undefined;
  /** The next bytes, of any length, valid until it is called again; undefined at the end. */
  pull(): Promise<Uint8Array | undefined>;
  /** Moves to `offset` (past everything pulled) without reading; false when reading on is better. */
  jump(offset: number): Promise<boolean>;
  /** Hears from the header where its last tensor ends, and where the padding after that would. */
  learnEnd?(end: number, padded: number): void;
  /** Gives back what is held (connection, file). Called once. */
  release(): Promise<void>;
}

/** Turns a feed into a {@link ByteSource}: bounded chunks, positions, abort and closing. */
export class ForwardSource implements ByteSource {
  #feed: ByteFeed;
  #signal: AbortSignal | undefined;
  #held: Uint8Array | undefined;
  #position: number;
  #closing: Promise<void> | undefined;
  #onAbort = () => {
    this.close().catch(() => {});
  };

  /**
   * @param signal when it fires, pending and later calls reject with its reason and the feed is released
   * @param position of the feed's first byte
   */
  constructor(feed: ByteFeed, signal?: AbortSignal, position = 0) {
    this.#feed = feed;
    this.#position = position;
    this.#signal = signal;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get name(): string {
    return this.#feed.name;
  }

  get size(): number | undefined {
    return this.#feed.size;
  }

  get position(): number {
    return this.#position;
  }

  async read(): Promise<Uint8Array | undefined> {
    // What is here already waits for nothing: a header of many pieces would let nobody abort.
    if (this.#held) await otherTasks();
    while (!this.#held || this.#held.byteLength === 0) {
      const chunk = await this.#guarded(() => this.#feed.pull());
      if (!chunk) return undefined;
      this.#held = chunk;
    }
    const chunk = this.#held;
    const piece = chunk.subarray(0, MAX_CHUNK_BYTES);
    this.#held = piece.byteLength < chunk.byteLength ? chunk.subarray(piece.byteLength) : undefined;
    this.#position += piece.byteLength;
    return piece;
  }

  async seek(offset: number): Promise<void> {
    if (!Number.isSafeInteger(offset) || offset < this.#position) {
      throw new RangeError(`cannot seek from ${this.#position} to ${offset}: forward only`);
    }
    const held = this.#held?.byteLength ?? 0;
    if (this.#held && offset - this.#position < held) {
      this.#held = this.#held.subarray(offset - this.#position);
      this.#position = offset;
      return;
    }
    this.#held = undefined;
    this.#position += held;
    if (offset === this.#position) return;
    if (await this.#guarded(() => this.#feed.jump(offset))) {
      this.#position = Math.min(offset, this.size ?? offset);
      return;
    }
    while (this.#position < offset) {
      const piece = await this.read();
      if (!piece) return;
      const over = this.#position - offset;
      if (over > 0) {
        const tail = piece.subarray(piece.byteLength - over);
        this.#held = this.#held ? concat(tail, this.#held) : tail;
        this.#position = offset;
      }
    }
  }

  learnEnd(end: number, padded: number): void {
    this.#feed.learnEnd?.(end, padded);
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#signal?.removeEventListener('abort', this.#onAbort);
      this.#held = undefined;
      await this.#feed.release();
    })();
    return this.#closing;
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#signal?.aborted) throw this.#signal.reason;
    if (this.#closing) {
      throw new ModelError('disposed', `${this.name} is closed`, { subject: this.name });
    }
    try {
      return await abortable(work(), this.#signal);
    } catch (error) {
      await this.close().catch(() => {});
      throw error;
    }
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.byteLength + b.byteLength);
  joined.set(a);
  joined.set(b, a.byteLength);
  return joined;
}
