// SPDX-License-Identifier: MIT
import { ModelError } from './errors.js';
import type { Sha256 } from './sha256.js';
import type { Wasm } from './wasm.js';
import { resolveWasm, type WasmOptions } from './wasm-source.js';

/** A WebAssembly instance that memories live in, and are counted. */
export interface MemoryHome {
  wasm: Wasm;
  Sha256: typeof Sha256;
  /** Runs what may trap. */
  run<T>(call: () => T): T;
  /** Counts one more memory. */
  retain(): void;
  /** Counts one less; without any, nothing holds the instance any more. */
  release(): void;
}

// Of all memories whose maker did not say where their WebAssembly comes from.
let shared: Promise<MemoryHome> | undefined;

/**
 * An instance, counted once.
 *
 * @throws TypeError for wrong options; ModelError `wasm`
 */
export async function memoryHome(options: WasmOptions | undefined): Promise<MemoryHome> {
  if (options !== undefined) return open(options, () => {});
  if (!shared) {
    const opening = open(undefined, () => {
      if (shared === opening) shared = undefined;
    });
    shared = opening;
    opening.catch(() => {
      if (shared === opening) shared = undefined;
    });
    return opening;
  }
  const home = await shared;
  home.retain();
  return home;
}

async function open(options: WasmOptions | undefined, ended: () => void): Promise<MemoryHome> {
  const source = await resolveWasm(options);
  const [{ Wasm }, { Sha256 }] = await Promise.all([import('./wasm.js'), import('./sha256.js')]);
  const wasm = await Wasm.instantiate(source, 1);
  let memories = 1;
  let lost: ModelError | undefined;
  return {
    wasm,
    Sha256,
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
  };
}
