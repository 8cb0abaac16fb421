// SPDX-License-Identifier: MIT
import { checkNames, type NamesOf } from '../option-names.js';
import { hasRelaxedSimd } from './relaxed-simd.js';

/** A compiled variant of the C++ core; each comes with and without threads. */
export type Build = 'simd128' | 'relaxed';

/**
 * Where the WebAssembly comes from, for bundlers and hosts that move it. One file given as such, by
 * address, bytes or module, goes with `build`, and is the build without threads unless the load
 * option `threads` is given too.
 */
export interface WasmOptions {
  /** Which build to run; by default relaxed SIMD where the engine has it. */
  build?: Build;
  /**
   * The .wasm file itself, or a function to it from the build and from the file's name in
   * `fastweights/wasm/`, which is another one with threads.
   */
  url?: string | URL | ((build: Build, file: string) => string | URL);
  /** The bytes of the .wasm file, for hosts that cannot fetch it. */
  binary?: ArrayBuffer | Uint8Array;
  /** The compiled .wasm file, shared between workers or models. */
  module?: WebAssembly.Module;
}

export const WASM_NAMES: NamesOf<WasmOptions> = {
  build: true,
  url: true,
  binary: true,
  module: true,
};

/** A build and where its file is; can be posted to a worker. */
export interface WasmSource {
  build: Build;
  /** That share the work; with more than one it is the build with threads. */
  threads: number;
  url?: string;
  binary?: ArrayBuffer | Uint8Array;
  module?: WebAssembly.Module;
  /** What runs where the engine refuses this one or multiplies wrongly with it. */
  simd128?: WasmSource;
  /** What runs where this one's threads are refused. */
  oneThread?: WasmSource;
}

/**
 * Decides which build runs and resolves addresses against the caller's page.
 *
 * @param threads how many the engine's host allows and the caller wants; of no choice of the
 * caller's, only one is used with a file of the caller's
 * @throws TypeError for options of the wrong kind
 */
export function resolveWasm(
  options: WasmOptions = {},
  { threads, chosen = false }: { threads: number; chosen?: boolean } = { threads: 1 },
): WasmSource {
  checkNames(options, WASM_NAMES, 'wasm.');
  const { build = hasRelaxedSimd() ? 'relaxed' : 'simd128', url, binary, module } = options;
  if (build !== 'relaxed' && build !== 'simd128') {
    throw new TypeError(`wasm.build must be 'simd128' or 'relaxed', not '${build}'`);
  }
  const oneFile = binary !== undefined || module !== undefined || isAddress(url);
  const source = (of: Build, count: number): WasmSource => {
    const found =
      typeof url === 'function' ? url(of, `fastweights-${nameOf(of, count)}.wasm`) : url;
    return {
      build: of,
      threads: count,
      url: found === undefined ? undefined : new URL(found, globalThis.location?.href).href,
      binary,
      module,
      simd128:
        !oneFile && of === 'relaxed' && options.build === undefined
          ? source('simd128', count)
          : undefined,
      oneThread: !oneFile && count > 1 ? source(of, 1) : undefined,
    };
  };
  return source(build, oneFile && !chosen ? 1 : threads);
}

/** The name of a build's files, without `fastweights-`. */
export function nameOf(build: Build, threads: number): `${Build}${'' | '-threads'}` {
  return threads > 1 ? `${build}-threads` : build;
}

function isAddress(url: WasmOptions['url']): boolean {
  return url !== undefined && typeof url !== 'function';
}
