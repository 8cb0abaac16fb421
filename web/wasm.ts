// SPDX-License-Identifier: MIT
import { relaxedSimd } from 'wasm-feature-detect';
import { ModelError, type ModelErrorCode } from './errors.js';
import type { GlueOptions, Status, WasmModule } from './glue.js';

/** A compiled variant of the C++ core. */
export type Build = 'simd128' | 'relaxed';

/** Where the WebAssembly comes from, for bundlers and hosts that move it. */
export interface WasmOptions {
  /** Which build to run; by default relaxed SIMD where the engine has it. */
  build?: Build;
  /** The .wasm file itself, or a function from the build to it. */
  url?: string | URL | ((build: Build) => string | URL);
  /** The bytes of the .wasm file, for hosts that cannot fetch it. Goes with `build`. */
  binary?: ArrayBuffer | Uint8Array;
  /** The compiled .wasm file, shared between workers or models. Goes with `build`. */
  module?: WebAssembly.Module;
}

/** `WasmOptions` in a form that can be posted to a worker. */
export interface WasmSource {
  build: Build;
  url?: string;
  binary?: ArrayBuffer | Uint8Array;
  module?: WebAssembly.Module;
  /** What runs where this one turns out to multiply wrongly. */
  fallback?: WasmSource;
}

/**
 * Decides which build runs and resolves addresses against the caller's page.
 *
 * @throws TypeError for options of the wrong kind
 */
export async function resolveWasm(options: WasmOptions = {}): Promise<WasmSource> {
  const { build = (await relaxedSimd()) ? 'relaxed' : 'simd128' } = options;
  if (build !== 'relaxed' && build !== 'simd128') {
    throw new TypeError(`wasm.build must be 'simd128' or 'relaxed', not '${build}'`);
  }
  const { url, binary, module } = options;
  const place = (of: Build) => {
    const found = typeof url === 'function' ? url(of) : url;
    return found === undefined ? undefined : new URL(found, globalThis.location?.href).href;
  };
  const source: WasmSource = { build, url: place(build), binary, module };
  const chosen = options.build === undefined && !binary && !module;
  if (chosen && build === 'relaxed' && (url === undefined || typeof url === 'function')) {
    source.fallback = { build: 'simd128', url: place('simd128') };
  }
  return source;
}

/**
 * One instance of the core with a memory of its own: a trap in one model cannot touch another, and
 * dropping the instance gives its memory back.
 */
export class Wasm {
  readonly build: Build;
  readonly module: WasmModule;
  /** Prompt tokens that one forward pass takes at most. */
  readonly batchTokens = 512;
  #ids: number;

  private constructor(build: Build, module: WasmModule) {
    this.build = build;
    this.module = module;
    this.#ids = module._malloc(4 * this.batchTokens);
  }

  /** @throws ModelError `wasm` when the file cannot be had or compiled */
  static async instantiate(source: WasmSource): Promise<Wasm> {
    const { build, url, binary, module: compiled, fallback } = source;
    let module: WasmModule;
    try {
      const { default: create } =
        build === 'relaxed'
          ? await import('fastweights-glue/relaxed')
          : await import('fastweights-glue/simd128');
      // What the runtime would print is in the error that it throws.
      const options: GlueOptions = { print: () => {}, printErr: () => {} };
      if (url !== undefined) options.locateFile = () => url;
      if (binary !== undefined) options.wasmBinary = binary;
      module = compiled ? await createFrom(compiled, create, options) : await create(options);
    } catch (cause) {
      throw new ModelError('wasm', `the ${build} build of fastweights could not be loaded`, {
        cause,
      });
    }
    if (!module.productsAreExact()) {
      if (fallback) return Wasm.instantiate(fallback);
      throw new ModelError('wasm', `this engine gets the ${build} build's products wrong`);
    }
    return new Wasm(build, module);
  }

  /** Size of the memory, which never shrinks. */
  get heapBytes(): number {
    return this.module.HEAPU8.byteLength;
  }

  /** Bytes of it that are allocated. */
  get heapInUse(): number {
    return this.module.heapInUse();
  }

  /** Copies up to `batchTokens` ids into the heap; returns their address. */
  putIds(ids: readonly number[] | Int32Array): number {
    this.module.HEAP32.set(ids, this.#ids >>> 2);
    return this.#ids;
  }

  /** A copy of `count` floats at an address. */
  floats(address: number, count: number): Float32Array {
    const start = address >>> 2;
    return this.module.HEAPF32.slice(start, start + count);
  }

  /** Runs `use` with a block of heap that is given back after it. */
  withBlock<T>(bytes: number, use: (address: number) => T): T {
    const address = this.module._malloc(bytes) >>> 0;
    if (address === 0) throw new ModelError('out_of_memory', 'the WebAssembly memory is full');
    try {
      return use(address);
    } finally {
      this.module._free(address);
    }
  }

  /** @throws ModelError for a status that is not empty */
  check(status: Status): void {
    if (status.code === '') return;
    throw new ModelError(status.code as ModelErrorCode, status.message, {
      subject: status.subject || undefined,
    });
  }
}

function createFrom(
  compiled: WebAssembly.Module,
  create: (options: GlueOptions) => Promise<WasmModule>,
  options: GlueOptions,
): Promise<WasmModule> {
  return new Promise((resolve, reject) => {
    create({
      ...options,
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(compiled, imports).then(
          (instance) => done(instance, compiled),
          reject,
        );
        return {};
      },
    }).then(resolve, reject);
  });
}
