// SPDX-License-Identifier: MIT
import { ModelError, type ModelErrorCode } from '../errors.js';
import { isNode, nodeModule, packageFile } from '../node.js';
import type { KvType, WeightForm } from '../options.js';
import { nameOf, type WasmSource } from './builds.js';
import type { GlueOptions, Status, WasmModule } from './glue.js';
import { glueOf } from './glue-of.js';
import { startWorkers } from './thread-workers.js';

/** What a model multiplies with. */
export interface Products {
  /** Its matrices', as GGUF numbers them. */
  types: readonly number[];
  form: WeightForm;
  kv: KvType;
}

/**
 * One instance of the core with a memory of its own: a trap in one model cannot touch another, and
 * dropping the instance gives its memory back.
 */
export class Wasm {
  readonly build: string;
  readonly module: WasmModule;
  /** That its models may use, the caller's among them. */
  readonly threads: number;
  /** Prompt tokens that one forward pass takes at most. */
  readonly batchTokens: number;
  isDisposed = false;
  #source: WasmSource;
  #ids: number;

  private constructor(module: WasmModule, source: WasmSource, batchTokens: number) {
    this.build = source.build;
    this.module = module;
    this.threads = source.threads;
    this.batchTokens = batchTokens;
    this.#source = source;
    this.#ids = module._malloc(4 * batchTokens);
  }

  /**
   * Runs the first of the builds that the engine agrees with.
   *
   * @throws ModelError `wasm` when its file cannot be had or compiled
   */
  static async instantiate(source: WasmSource, batchTokens: number): Promise<Wasm> {
    const { build, threads, oneThread, simd128 } = source;
    const instead = (other: WasmSource) => Wasm.instantiate(other, batchTokens);
    let module: WasmModule;
    try {
      module = await create(source);
    } catch (cause) {
      // Phones have no room for the 4 GB of addresses that a memory for threads must reserve.
      if ((cause as Error)?.name === 'RangeError' && oneThread) {
        return instead(oneThread);
      }
      if (simd128 && isRefusal(cause)) return instead(simd128);
      const why = `the ${build} build of fastweights could not be loaded: ${(cause as Error).message}`;
      throw new ModelError('wasm', why, { cause });
    }
    if (module.PThread) {
      try {
        await startWorkers(module.PThread, build, threads - 1);
      } catch (cause) {
        module.PThread.terminateAllThreads();
        if (oneThread) return instead(oneThread);
        throw new ModelError('wasm', (cause as Error).message, { cause });
      }
    }
    return new Wasm(module, source, batchTokens);
  }

  /**
   * This instance, if the engine gets such products right; else one of the SIMD128 build, and this one is
   * disposed of.
   *
   * @throws ModelError `wasm` where that is wrong too, or cannot be had
   */
  async exactFor(products: Products): Promise<Wasm> {
    if (areExact(this.module, products)) return this;
    this.dispose();
    const { build, simd128 } = this.#source;
    if (!simd128) {
      throw new ModelError('wasm', `this engine gets the ${build} build's products wrong`);
    }
    return (await Wasm.instantiate(simd128, this.batchTokens)).exactFor(products);
  }

  /** Ends its threads' workers; it must not be used any more. */
  dispose(): void {
    this.isDisposed = true;
    this.module.PThread?.terminateAllThreads();
  }

  /** Size of the memory, which never shrinks. */
  get heapBytes(): number {
    return this.module.HEAPU8.byteLength;
  }

  /** Bytes of it that are allocated. */
  get heapInUse(): number {
    return this.module.heapInUse();
  }

  /** Has the memory grow at once: matrix by matrix 0.5 GB took 18 ms, most of it to collect garbage. */
  makeRoom(bytes: number): void {
    this.module._free(this.module._malloc(bytes));
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

// Exact to the bit: relaxed SIMD is young.
function areExact(module: WasmModule, { types, form, kv }: Products): boolean {
  return (
    module.productsAreExact(types, module.MatrixForm[form]) &&
    (kv !== 'int8' || module.int8AttentionIsExact())
  );
}

// Of an instruction, perhaps. What is compiled from an address arrives as an error of the glue's that
// quotes the engine's.
function isRefusal(cause: unknown): boolean {
  return /\bCompileError\b/.test(String(cause));
}

async function create(source: WasmSource): Promise<WasmModule> {
  const { build, threads, url, binary, module } = source;
  const { default: instance } = await glueOf(build, threads);
  // What the runtime prints on its way says more than what it throws at the end of it.
  const said: string[] = [];
  const options: GlueOptions = { print: () => {}, printErr: (text) => said.push(text) };
  if (url !== undefined) options.locateFile = () => url;
  if (binary !== undefined) options.wasmBinary = binary;
  else if (isNode() && !module) options.wasmBinary = await readWasm(source);
  try {
    return await (module ? createFrom(module, instance, options) : instance(options));
  } catch (cause) {
    // A memory that cannot be had is told by its class.
    if (said.length === 0 || (cause as Error).name === 'RangeError') throw cause;
    const file = url ?? `fastweights-${nameOf(build, threads)}.wasm`;
    const reasons = said.filter((text) => !text.startsWith('falling back'));
    throw new Error(`${file}: ${reasons.join('; ')}`, { cause });
  }
}

// What the glue fetches elsewhere; Node does not fetch files.
async function readWasm({ build, threads, url }: WasmSource): Promise<Uint8Array | undefined> {
  const file = packageFile(`./wasm/fastweights-${nameOf(build, threads)}.wasm`);
  const place = url === undefined ? file : new URL(url);
  if (place.protocol !== 'file:') return undefined;
  return nodeModule<typeof import('node:fs/promises')>('node:fs/promises').readFile(place);
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
