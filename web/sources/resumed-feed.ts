// SPDX-License-Identifier: MIT

import type { ByteSource } from './byte-source.js';
import type { ByteFeed } from './forward-source.js';
import type { HttpSource } from './http-source.js';

/** What is stored of an interrupted download, and then the rest of it. */
export class ResumedFeed implements ByteFeed {
  #stored: ByteSource | undefined;
  #rest: HttpSource;

  constructor(stored: ByteSource, rest: HttpSource) {
    this.#stored = stored;
    this.#rest = rest;
  }

  get name(): string {
    return this.#rest.name;
  }

  get size(): number | undefined {
    return this.#rest.size;
  }

  async pull(): Promise<Uint8Array | undefined> {
    const bytes = await this.#stored?.read();
    if (bytes) return bytes;
    this.#stored = undefined;
    return this.#rest.read();
  }

  async jump(): Promise<boolean> {
    return false;
  }

  learnEnd(end: number, padded: number): void {
    this.#rest.learnEnd(end, padded);
  }

  async release(): Promise<void> {
    await this.#stored?.close();
    await this.#rest.close();
  }
}
