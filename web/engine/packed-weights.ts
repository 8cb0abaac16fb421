// SPDX-License-Identifier: MIT
import { pause } from '../abort.js';
import { ModelError } from '../errors.js';
import type { CacheSettings } from '../sources/cache-settings.js';
import type { ModelFiles } from '../sources/model-files.js';
import type { KeyedFiles } from '../storage/keyed-files.js';
import { modelCache, packedKey } from '../storage/models.js';
import type { Tokenizer } from '../text/tokenizer.js';
import type { WasmModelBuilder } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';
import type { Fingerprint } from './fingerprint.js';
import { keptHeader } from './kept-header.js';
import {
  layoutOf,
  PackedEntry,
  type PackedFacts,
  type Part,
  PIECE_BYTES,
  partsOf,
  piecesOf,
} from './packed-entry.js';

// Whoever writes a text waits for a piece at most, and has the thread for two thirds of the time.
const REST = 2;
// Timers of hidden pages ring once a second, and a small model has a hundred pieces of a millisecond.
const LEAST_REST_MS = 20;

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
  #parts: readonly Part[] = [];

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
    let entry: PackedEntry | undefined;
    try {
      const version = of && (await this.#files.versions(this.#key))[0];
      entry = version ? await PackedEntry.open(this.#files, version, of) : undefined;
      if (!entry || !(await entry.fill(wasm, builder, signal))) return false;
      fingerprint.is(entry.facts.fingerprint as string);
      await entry.use();
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError && error.code === 'out_of_memory') throw error;
      return false;
    } finally {
      entry?.close();
    }
  }

  /** Notes where the weights lie that were appended. */
  note(builder: WasmModelBuilder): void {
    this.#wanted.wasm.check(builder.makePacked());
    this.#parts = partsOf(builder.packed());
  }

  /**
   * Stores the weights, where there is room for them beside everything else. They lie where they lie until
   * the instance is disposed of, which ends it. Whatever fails, nothing of it stays.
   *
   * In front of them is what the next load has in the place of the file's header, if there is one file.
   */
  async keep(files: ModelFiles, fingerprint: Fingerprint, tokenizer: Tokenizer): Promise<void> {
    const { wasm } = this.#wanted;
    const of = nameOf(files.keptAs);
    const sum = this.#parts.reduce((total, { bytes }) => total + bytes, 0);
    if (of === undefined || sum === 0) return;
    const isWhole = files.keptAs.length === 1 && 'dataOffset' in files.header;
    const header = isWhole ? keptHeader(files.header, tokenizer.pairs) : undefined;
    if (!(await this.#hasRoom(sum + (header?.length ?? 0)))) return;
    const turn = await this.#files.turn(this.#key, { ifFree: true });
    if (!turn) return;
    // The checksum is of what lies in the memory.
    const head = header ? wasm.module._malloc(header.length) >>> 0 : 0;
    try {
      if (header && head) wasm.module.HEAPU8.set(header, head);
      const bytes = head ? (header?.length ?? 0) : 0;
      const parts = [{ address: head, bytes }, ...this.#parts];
      await this.#write(parts, { of, fingerprint: await fingerprint.digest(), head: bytes });
    } finally {
      if (head && !wasm.isDisposed) wasm.module._free(head);
      turn();
    }
  }

  async #write(
    parts: readonly Part[],
    known: Pick<PackedFacts, 'of' | 'fingerprint' | 'head'>,
  ): Promise<void> {
    const { wasm } = this.#wanted;
    const layout = layoutOf(wasm);
    const writing = await this.#files.begin(this.#key, undefined, { isChecked: true });
    const checksum = new wasm.module.Checksum();
    // Of a memory that grows while a piece is written, views end.
    const piece = new Uint8Array(PIECE_BYTES);
    let rest = 0;
    try {
      for (const { address, bytes } of piecesOf(parts)) {
        const start = performance.now();
        if (wasm.isDisposed) throw new Error('disposed');
        checksum.add(address, bytes);
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
      if (!wasm.isDisposed) checksum.delete();
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
