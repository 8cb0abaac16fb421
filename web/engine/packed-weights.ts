// SPDX-License-Identifier: MIT
// Fetched with the first model that is kept as it lies in memory.

import { otherTasks, pause } from '../abort.js';
import { ModelError } from '../errors.js';
import type { CacheSettings } from '../sources/cache-settings.js';
import type { ModelFiles } from '../sources/model-files.js';
import type { Version } from '../storage/file-names.js';
import type { KeyedFiles } from '../storage/keyed-files.js';
import { modelCache, packedKey } from '../storage/models.js';
import type { WasmModelBuilder } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';
import type { Fingerprint } from './fingerprint.js';
import { openWeights } from './packed-source.js';

// Read, checked and written at once; a part of what the checksum is of.
const PIECE_BYTES = 4 << 20;
// Whoever writes a text waits for a piece at most, and has the thread for two thirds of the time.
const REST = 2;
// Timers of hidden pages ring once a second, and a small model has a hundred pieces of a millisecond.
const LEAST_REST_MS = 20;

/** Where weights lie in WebAssembly memory: address and bytes of each part, one after the other. */
type Places = readonly number[];

/** What is written down beside packed weights; all of it must be right. */
interface PackedFacts {
  /** The versions of the kept files that they were made of. */
  of: string;
  /** Of the package, the build and the processor. */
  layout: string;
  /** Of the tensors' bytes, which are not read any more. */
  fingerprint: string;
  checksum: string;
}

/** What a load wants of the weights that an earlier one has kept. */
interface Wanted {
  wasm: Wasm;
  /** What is kept of the file's: their form, and whether its block for guesses is among them. */
  weights: string;
  cache: CacheSettings;
  signal: AbortSignal;
}

/**
 * A model's weights as they lie in memory, in the browser's storage beside the files that they were made
 * of. They are used where those files, the form of weights, the build and the processor are the same, and
 * their checksum is right; where anything is not they are made again, of the files.
 */
export class PackedWeights {
  readonly #files: KeyedFiles;
  readonly #key: string;
  readonly #wanted: Wanted;
  #places: Places = [];

  private constructor(files: KeyedFiles, key: string, wanted: Wanted) {
    this.#files = files;
    this.#key = key;
    this.#wanted = wanted;
  }

  /** Undefined where nothing can be kept. */
  static async of(wanted: Wanted): Promise<PackedWeights | undefined> {
    const [key] = wanted.cache.keys;
    if (key === undefined) return undefined;
    const files = await modelCache.files().catch(() => undefined);
    return files && new PackedWeights(files, packedKey(key, wanted.weights), wanted);
  }

  /**
   * Fills the memory of a model's weights.
   *
   * @returns whether it did; if not, rows can be appended as if nothing had been tried
   * @throws the signal's reason
   */
  async fill(
    builder: WasmModelBuilder,
    { keptAs }: ModelFiles,
    fingerprint: Fingerprint,
  ): Promise<boolean> {
    const { wasm, signal } = this.#wanted;
    const of = nameOf(keptAs);
    try {
      const version = of && (await this.#files.versions(this.#key))[0];
      if (!version) return false;
      const facts = await this.#files.facts<PackedFacts>(version);
      if (facts.of !== of || facts.layout !== wasm.module.packedLayout()) return false;
      wasm.check(builder.makePacked());
      const checksum = await this.#read(version, builder);
      if (checksum === undefined) return false;
      if (checksum !== facts.checksum || typeof facts.fingerprint !== 'string') {
        await this.#files.drop(version);
        return false;
      }
      builder.finishPacked();
      fingerprint.is(facts.fingerprint);
      // A full disk forgets when it was used.
      await this.#files.use(version).catch(() => {});
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError && error.code === 'out_of_memory') throw error;
      return false;
    }
  }

  /** The checksum of what is there, of another length too; undefined where another tab removes it. */
  async #read(version: Version, builder: WasmModelBuilder): Promise<string | undefined> {
    const { wasm, signal } = this.#wanted;
    const release = await this.#files.hold(version);
    if (!release) return undefined;
    const checksum = new wasm.module.Checksum();
    const source = await openWeights(this.#files, version).catch(() => undefined);
    try {
      let at = 0;
      for (const { address, bytes } of piecesOf(builder.packed())) {
        // Nothing below waits where files are read at once, and an abort is to be heard.
        if (at % (16 * PIECE_BYTES) < bytes) await otherTasks();
        signal.throwIfAborted();
        const room = wasm.module.HEAPU8.subarray(address, address + bytes);
        if (!source || !(await source.read(room, at))) return '';
        checksum.add(address, bytes, builder);
        at += bytes;
      }
      return at === version.bytes ? checksum.hex() : '';
    } finally {
      checksum.delete();
      source?.close();
      release();
    }
  }

  /** Notes where the weights lie that were appended. */
  note(builder: WasmModelBuilder): void {
    this.#wanted.wasm.check(builder.makePacked());
    this.#places = builder.packed();
  }

  /**
   * Stores the weights, where there is room for them beside everything else. They lie where they lie until
   * the instance is disposed of, which ends it. Whatever fails, nothing of it stays.
   */
  async keep(files: ModelFiles, fingerprint: Fingerprint): Promise<void> {
    const of = nameOf(files.keptAs);
    const bytes = this.#places.reduce((sum, part, i) => sum + (i % 2 ? part : 0), 0);
    if (of === undefined || bytes === 0 || !(await this.#hasRoom(bytes))) return;
    const turn = await this.#files.turn(this.#key, { ifFree: true });
    if (!turn) return;
    try {
      await this.#write({ of, fingerprint: await fingerprint.digest() });
    } finally {
      turn();
    }
  }

  async #write(known: Pick<PackedFacts, 'of' | 'fingerprint'>): Promise<void> {
    const { wasm } = this.#wanted;
    const layout = wasm.module.packedLayout();
    const writing = await this.#files.begin(this.#key, undefined, { isChecked: true });
    const checksum = new wasm.module.Checksum();
    // Of a memory that grows while a piece is written, views end.
    const piece = new Uint8Array(PIECE_BYTES);
    let rest = 0;
    try {
      for (const { address, bytes } of piecesOf(this.#places)) {
        const start = performance.now();
        if (wasm.isDisposed) throw new Error('disposed');
        checksum.add(address, bytes, null);
        piece.set(wasm.module.HEAPU8.subarray(address, address + bytes));
        if (await writing.write(piece.subarray(0, bytes))) await writing.note({});
        rest += REST * (performance.now() - start);
        if (rest < LEAST_REST_MS) continue;
        await pause(rest, undefined);
        rest = 0;
      }
      if (wasm.isDisposed) throw new Error('disposed');
      await writing.finish({ ...known, layout, checksum: checksum.hex() });
    } catch (error) {
      await writing.drop();
      throw error;
    } finally {
      checksum.delete();
    }
  }

  // It can be made again, so nothing is removed for it but what it replaces.
  async #hasRoom(bytes: number): Promise<boolean> {
    const others = (await this.#files.list()).filter(({ key }) => key !== this.#key);
    const kept = others.reduce((sum, version) => sum + version.bytes, bytes);
    if (kept > this.#wanted.cache.budgetBytes) return false;
    const { quota, usage } = (await globalThis.navigator?.storage?.estimate?.()) ?? {};
    return quota === undefined || usage === undefined || usage + bytes <= quota;
  }
}

function nameOf(keptAs: ModelFiles['keptAs']): string | undefined {
  if (keptAs.length === 0 || keptAs.includes(undefined)) return undefined;
  return keptAs.join('+');
}

function* piecesOf(places: Places): Generator<{ address: number; bytes: number }> {
  for (let i = 0; i < places.length; i += 2) {
    const [start, size] = [places[i] as number, places[i + 1] as number];
    for (let at = 0; at < size; at += PIECE_BYTES) {
      yield { address: start + at, bytes: Math.min(PIECE_BYTES, size - at) };
    }
  }
}
