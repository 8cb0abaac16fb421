// SPDX-License-Identifier: MIT

import { nameOf, type Version } from './file-names.js';
import type { FileStore, FileWriter } from './store.js';

/** A piece of this size is closed and the next one begun: what a crash may cost of a download. */
const PIECE_BYTES = 1 << 26;

/** How a version is written. */
export interface WritingOptions {
  /** Whoever reads it compares a checksum: nothing has to wait until it is on the disk. */
  isChecked?: boolean;
}

/** A version on its way: of what is interrupted others see nothing, or what they can go on with. */
export class Writing {
  readonly #store: FileStore;
  readonly #key: string;
  /** Of its version. */
  readonly id: string;
  readonly #isChecked: boolean;
  readonly #done: () => Promise<unknown>;
  #pieces: number;
  #bytes: number;
  #record: string | undefined;
  #writer: FileWriter | undefined;
  #inPiece = 0;
  #ended = false;

  constructor(
    store: FileStore,
    begun: Pick<Version, 'key' | 'id' | 'pieces' | 'bytes' | 'record'>,
    done: () => Promise<unknown>,
    { isChecked = false }: WritingOptions = {},
  ) {
    this.#isChecked = isChecked;
    this.#store = store;
    this.#key = begun.key;
    this.id = begun.id;
    this.#pieces = begun.pieces;
    this.#bytes = begun.bytes;
    this.#record = begun.record;
    this.#done = done;
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes + this.#inPiece;
  }

  /** @returns whether a piece is full, and is to be {@link note noted} */
  async write(bytes: Uint8Array): Promise<boolean> {
    if (bytes.byteLength === 0) return false;
    const name = nameOf.data(this.#key, this.id, this.#pieces);
    this.#writer ??= await this.#store.create(name, this.#isChecked);
    await this.#writer.write(bytes);
    this.#inPiece += bytes.byteLength;
    return this.#inPiece >= PIECE_BYTES;
  }

  /** Writes down what there is, so that another may go on from here. */
  async note(facts: object): Promise<void> {
    await this.#settle(facts, false);
  }

  /** Makes it the entry. */
  async finish(facts: object): Promise<void> {
    await this.#settle(facts, true);
    this.#ended = true;
    // What is not removed now is rubbish next time.
    await this.#done().catch(() => {});
  }

  /** Gives up; nothing stays. Does nothing after {@link finish} and {@link leave}. */
  async drop(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#writer?.abort().catch(() => {});
    const names = Array.from({ length: this.#pieces + 1 }, (_, i) =>
      nameOf.data(this.#key, this.id, i),
    );
    const record = this.#record ? [this.#record, nameOf.facts(this.#record)] : [];
    await removeAll(this.#store, [...record, ...names]);
  }

  /** Gives up; what can be noted stays. */
  async leave(facts: object): Promise<void> {
    if (this.#ended) return;
    await this.note(facts).catch(async () => {
      await this.#writer?.abort().catch(() => {});
      await removeAll(this.#store, [nameOf.data(this.#key, this.id, this.#pieces)]);
    });
    this.#ended = true;
  }

  async #settle(facts: object, whole: boolean): Promise<void> {
    if (this.#writer) {
      await this.#writer.close();
      this.#writer = undefined;
      this.#bytes += this.#inPiece;
      this.#inPiece = 0;
      this.#pieces += 1;
    }
    const record = nameOf.record(this.#key, this.id, whole, this.#pieces, this.#bytes);
    if (record === this.#record) return;
    if (Object.keys(facts).length > 0) {
      const bytes = new TextEncoder().encode(JSON.stringify(facts));
      await writeFile(this.#store, nameOf.facts(record), bytes);
    }
    await writeFile(this.#store, record);
    if (this.#record) await removeAll(this.#store, [this.#record, nameOf.facts(this.#record)]);
    this.#record = record;
  }
}

/** Writes a small file, or nothing. */
export async function writeFile(store: FileStore, name: string, bytes?: Uint8Array): Promise<void> {
  const writer = await store.create(name);
  try {
    if (bytes) await writer.write(bytes);
    await writer.close();
  } catch (error) {
    await writer.abort().catch(() => {});
    await store.remove(name).catch(() => false);
    throw error;
  }
}

/** @returns false where some stay, as those do that another tab is writing */
export async function removeAll(store: FileStore, names: readonly string[]): Promise<boolean> {
  let all = true;
  for (const name of names) {
    await store.remove(name).catch(() => {
      all = false;
    });
  }
  return all;
}
