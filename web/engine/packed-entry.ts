// SPDX-License-Identifier: MIT

import { otherTasks } from '../abort.js';
import type { Version } from '../storage/file-names.js';
import type { KeyedFiles } from '../storage/keyed-files.js';
import type { Release } from '../storage/locks.js';
import type { WasmChecksum, WasmModelBuilder } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';
import { openWeights, type WeightBytes } from './packed-source.js';

/**
 * Read, checked and written at once. A part of what the checksum is of. It has to stay in a second-level cache
 * beside the system's own copy: of 1 MB on an Intel with 2 MB of it 525 MB took 60 ms to check, not 33.
 */
export const PIECE_BYTES = 1 << 18;
// No header of today comes near it: 250,000 tokens and their merges take 6 MB.
const MOST_HEAD_BYTES = 64 << 20;
// Raised with what lies in an entry.
const FORMAT = 3;

/** What is written down beside packed weights; all of it must be right. */
export interface PackedFacts {
  /** The versions of the kept files that they were made of. */
  of: string;
  /** Of the package, the build and the processor. */
  layout: string;
  /** Of the tensors' bytes, which are not read any more. */
  fingerprint: string;
  /** Bytes of the kept header in front of the weights, 0 where there is none. */
  head: number;
  checksum: string;
}

/** Which entries of a build are read. */
export const layoutOf = (wasm: Wasm): string => `${wasm.module.packedLayout()}-${FORMAT}`;

/** An entry of packed weights that is being read; it stays until it is closed. */
export class PackedEntry {
  readonly facts: Partial<PackedFacts>;
  readonly version: Version;
  readonly #files: KeyedFiles;
  readonly #release: Release;
  readonly #source: WeightBytes;
  #head: Uint8Array | undefined;

  private constructor(
    files: KeyedFiles,
    version: Version,
    open: { facts: Partial<PackedFacts>; release: Release; source: WeightBytes },
  ) {
    this.#files = files;
    this.version = version;
    this.facts = open.facts;
    this.#release = open.release;
    this.#source = open.source;
  }

  /**
   * @param of the files that it must be made of
   * @returns undefined where it is not, where bytes of it are gone, and while another tab removes it
   */
  static async open(
    files: KeyedFiles,
    version: Version,
    of: string,
  ): Promise<PackedEntry | undefined> {
    // Asked for together, as each waits for another process: what is opened without being held is closed.
    const [release, facts, source] = await Promise.all([
      files.hold(version).catch(() => undefined),
      files.facts<PackedFacts>(version).catch((): Partial<PackedFacts> => ({})),
      openWeights(files, version).catch(() => undefined),
    ]);
    const isWanted = facts.of === of && typeof facts.fingerprint === 'string';
    if (release && source && isWanted)
      return new PackedEntry(files, version, { facts, release, source });
    source?.close();
    if (release && isWanted) await files.drop(version).catch(() => {});
    release?.();
    return undefined;
  }

  /** The kept header's bytes, in a buffer of their own; undefined where they are not as many as it says. */
  async readHead(): Promise<Uint8Array | undefined> {
    const { head = 0 } = this.facts;
    const isLength = Number.isSafeInteger(head) && head >= 0;
    if (!isLength || head > Math.min(this.version.bytes, MOST_HEAD_BYTES)) return undefined;
    if (!this.#head) {
      const bytes = new Uint8Array(head);
      await this.#source.bring(0, head);
      if (!this.#source.read(bytes, 0)) return undefined;
      this.#head = bytes;
    }
    return this.#head;
  }

  /**
   * Fills the memory of a model's weights.
   *
   * @param builder has its staging buffer
   * @returns whether everything is as it was written; else the entry is removed
   * @throws the signal's reason
   */
  async fill(wasm: Wasm, builder: WasmModelBuilder, signal: AbortSignal): Promise<boolean> {
    if (this.facts.layout !== layoutOf(wasm)) return false;
    wasm.check(builder.makePacked());
    const checksum = new wasm.module.Checksum();
    try {
      const isRead = await this.#read(wasm, builder, checksum, signal);
      const isRight = isRead && checksum.hex() === this.facts.checksum;
      if (!isRight) await this.drop();
      return isRight;
    } finally {
      if (!wasm.isDisposed) checksum.delete();
    }
  }

  /** Makes it the last one to go. */
  async use(): Promise<void> {
    // A full disk forgets when it was used.
    await this.#files.use(this.version).catch(() => {});
  }

  /** Removes it. */
  async drop(): Promise<void> {
    await this.#files.drop(this.version);
  }

  close(): void {
    this.#head = undefined;
    this.#source.close();
    this.#release();
  }

  async #read(
    wasm: Wasm,
    builder: WasmModelBuilder,
    checksum: WasmChecksum,
    signal: AbortSignal,
  ): Promise<boolean> {
    const head = await this.readHead();
    if (!head) return false;
    // The checksum, which is the core's, begins with it.
    const staging = builder.staging() >>> 0;
    for (const { address: at, bytes } of piecesOf([{ address: 0, bytes: head.length }])) {
      wasm.module.HEAPU8.set(head.subarray(at, at + bytes), staging);
      checksum.add(staging, bytes);
    }
    let at = head.length;
    const pieces = piecesOf(partsOf(builder.packed()));
    for (const { stretch, sum } of stretchesOf(pieces, this.#source.stretchBytes)) {
      // Nothing below waits where files are read at once, and an abort is to be heard.
      await otherTasks();
      signal.throwIfAborted();
      await this.#source.bring(at, sum);
      if (!this.#fill(wasm, builder, checksum, { stretch, at })) return false;
      at += sum;
    }
    return at === this.version.bytes;
  }

  /** Whether all pieces of a stretch, which begins at `at` of the file, were there. */
  #fill(
    wasm: Wasm,
    builder: WasmModelBuilder,
    checksum: WasmChecksum,
    { stretch, at: start }: { stretch: readonly Part[]; at: number },
  ): boolean {
    let at = start;
    const fill = ({ address, bytes }: Part) => {
      const room = wasm.module.HEAPU8.subarray(address, address + bytes);
      const isThere = this.#source.read(room, at);
      if (isThere) checksum.add(address, bytes);
      at += bytes;
      return isThere;
    };
    let isWhole = false;
    let failure: unknown;
    builder.fillPacked(() => {
      try {
        isWhole = stretch.every(fill);
      } catch (error) {
        failure = error;
      }
    });
    if (failure) throw failure;
    return isWhole;
  }
}

/** A stretch of WebAssembly memory. */
export interface Part {
  address: number;
  bytes: number;
}

/** @param places address and bytes of each, one after the other */
export function partsOf(places: readonly number[]): Part[] {
  const parts: Part[] = [];
  for (let i = 0; i < places.length; i += 2) {
    parts.push({ address: places[i] as number, bytes: places[i + 1] as number });
  }
  return parts;
}

/** The same in pieces. */
export function* piecesOf(parts: readonly Part[]): Generator<Part> {
  for (const { address, bytes } of parts) {
    for (let at = 0; at < bytes; at += PIECE_BYTES) {
      yield { address: address + at, bytes: Math.min(PIECE_BYTES, bytes - at) };
    }
  }
}

/** As many of them as come to `most` bytes at most, and what they come to. */
function* stretchesOf(
  pieces: Iterable<Part>,
  most: number,
): Generator<{ stretch: Part[]; sum: number }> {
  let stretch: Part[] = [];
  let sum = 0;
  for (const piece of pieces) {
    if (sum + piece.bytes > most) {
      yield { stretch, sum };
      stretch = [];
      sum = 0;
    }
    stretch.push(piece);
    sum += piece.bytes;
  }
  if (sum > 0) yield { stretch, sum };
}
