// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import { checkNames } from '../option-names.js';
import type { SavedKind } from '../storage/saved-file.js';
import { resolveWasm, WASM_NAMES, type WasmOptions } from '../wasm/builds.js';
import type { Wasm } from '../wasm/wasm.js';

/** A WebAssembly instance that memories live in, and are counted. */
export interface MemoryHome {
  wasm: Wasm;
  /** Bytes of a saved memory, with their checksum. */
  encode(kind: SavedKind, facts: object, arrays: Map<string, Float32Array>): Uint8Array;
  /** And back. @throws ModelError for others */
  decode<Facts extends object>(
    kind: SavedKind,
    bytes: Uint8Array,
  ): Facts & { arrays: Map<string, Float32Array> };
  /** Runs what may trap. */
  run<T>(call: () => T): T;
  /** Counts one more memory. */
  retain(): void;
  /** Counts one less; without any, nothing holds the instance any more. */
  release(): void;
  /** The same for a memory that `free` frees, where the instance may still be entered. */
  dispose(free: () => void): void;
}

// By build, of all memories whose maker brought no WebAssembly of their own.
const shared = new Map<string, Promise<MemoryHome>>();

/**
 * An instance, counted once.
 *
 * @throws TypeError for wrong options; ModelError `wasm`
 */
export async function memoryHome(options: WasmOptions = {}): Promise<MemoryHome> {
  checkNames(options, WASM_NAMES, 'wasm.');
  const { build = '', url, binary, module } = options;
  if (url !== undefined || binary || module) return open(options, () => {});
  const found = shared.get(build);
  if (found) {
    const home = await found;
    home.retain();
    return home;
  }
  const forget = () => {
    if (shared.get(build) === opening) shared.delete(build);
  };
  const opening = open(options, forget);
  shared.set(build, opening);
  opening.catch(forget);
  return opening;
}

async function open(options: WasmOptions, ended: () => void): Promise<MemoryHome> {
  const source = resolveWasm(options);
  const [{ Wasm }, { Sha256 }, { bodyOf, decodeSaved, encodeSaved, seal }] = await Promise.all([
    import('../wasm/wasm.js'),
    import('../storage/sha256.js'),
    import('../storage/saved-file.js'),
  ]);
  const wasm = await Wasm.instantiate(source, 1);
  const digest = (bytes: Uint8Array) => {
    const hash = new Sha256();
    hash.add(bytes);
    return hash.bytes();
  };
  let memories = 1;
  let lost: ModelError | undefined;
  const home: MemoryHome = {
    wasm,
    encode(kind, facts, arrays) {
      const bytes = encodeSaved(kind, facts, arrays);
      return seal(bytes, digest(bodyOf(bytes)));
    },
    decode: (kind, bytes) => decodeSaved(kind, bytes, digest(bodyOf(bytes))),
    run(call) {
      if (lost) throw lost;
      try {
        return call();
      } catch (cause) {
        if (!(cause instanceof WebAssembly.RuntimeError)) throw cause;
        // A trap leaves the instance in no known state: it must not be entered again.
        lost = new ModelError('wasm', `the WebAssembly code failed: ${cause.message}`, { cause });
        ended();
        throw lost;
      }
    },
    retain() {
      memories++;
    },
    release() {
      memories--;
      if (memories > 0) return;
      wasm.dispose();
      ended();
    },
    dispose(free) {
      try {
        home.run(free);
      } catch {
        // Its instance is lost, with all that it held.
      } finally {
        home.release();
      }
    },
  };
  return home;
}
