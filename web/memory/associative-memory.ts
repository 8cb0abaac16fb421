// SPDX-License-Identifier: MIT

import { fetchError } from '../errors.js';
import type { MemoryBuffers, MemoryOptions, MemoryPlace, MemoryWrite } from './options.js';
import type { MemoryInputs, MemoryRule, Numbers } from './rules.js';
import type { WasmMemory } from './wasm-memory.js';

export type { MemoryBuffers, MemoryPlace, MemoryWrite };

/**
 * The memory inside a linear-attention layer, by itself: keys and values go in, queries read. Runs in
 * the calling thread, each call to its end; all numbers are float32.
 *
 * ```js
 * const memory = await AssociativeMemory.create({ rule: 'delta', keyDim: 64, valueDim: 64 });
 * memory.write({ key, value });
 * const recalled = memory.read(key);
 * ```
 */
export class AssociativeMemory<Rule extends MemoryRule = MemoryRule> {
  readonly rule: Rule;
  readonly heads: number;
  readonly keyHeads: number;
  readonly keyDim: number;
  readonly valueDim: number;
  readonly #memory: WasmMemory<Rule>;

  /** @internal Memories come from {@link AssociativeMemory.create}. */
  constructor(memory: WasmMemory<Rule>) {
    this.#memory = memory;
    this.rule = memory.rule;
    this.heads = memory.heads;
    this.keyHeads = memory.keyHeads;
    this.keyDim = memory.keyDim;
    this.valueDim = memory.valueDim;
  }

  /**
   * Makes an empty memory. `dispose` frees it.
   *
   * @param options the rule, its size and its settings
   * @throws TypeError or RangeError naming the option; ModelError `wasm` when the WebAssembly cannot
   * be had, `out_of_memory`
   */
  static async create<Rule extends MemoryRule>(
    options: MemoryOptions<Rule> & MemoryPlace,
  ): Promise<AssociativeMemory<Rule>> {
    const WasmMemory = await fetched();
    return new AssociativeMemory(await WasmMemory.open(options));
  }

  /**
   * A memory that was saved, by any build of this package.
   *
   * @throws ModelError `invalid_header`, `truncated` or `integrity` for other bytes
   */
  static async restore(
    bytes: Uint8Array | ArrayBuffer,
    place: MemoryPlace = {},
  ): Promise<AssociativeMemory> {
    const WasmMemory = await fetched();
    return new AssociativeMemory(await WasmMemory.reopen(bytes, place));
  }

  /**
   * Takes tokens in and reads after each.
   *
   * @param inputs each `[tokens, ...]` as the rule has it; see {@link MemoryInputs}
   * @param tokens how many; by default as many as the first input holds
   * @param out `[tokens, heads, valueDim]` to write to, by default a new array
   * @returns `out`
   * @throws RangeError naming an array of the wrong length, TypeError one that is unknown, missing or
   * not numbers; ModelError `out_of_memory`, `disposed`
   */
  forward(inputs: MemoryInputs[Rule], tokens?: number, out?: Float32Array): Float32Array {
    return this.#memory.forward(inputs, tokens, out);
  }

  /** One token: `forward` of one. */
  step(inputs: MemoryInputs[Rule], out?: Float32Array): Float32Array {
    return this.#memory.step(inputs, out);
  }

  /**
   * What is stored under a key: reads with it for a query, and changes nothing.
   *
   * @param query `[keyHeads, keyDim]` (of softmax `[heads, keyDim]`), or several of them
   * @returns `[heads, valueDim]` of each
   */
  read(query: Numbers, out?: Float32Array): Float32Array {
    return this.#memory.read(query, out);
  }

  /**
   * Stores a value under a key, without a read: one token. Inputs that are not given are such that
   * all of the value is written (beta 1) and nothing decays (g 0); see {@link MemoryInputs}.
   *
   * @param write `key` `[keyHeads, keyDim]`, `value` `[heads, valueDim]`, and other inputs by name
   * @throws as `forward`
   */
  write(write: MemoryWrite<Rule>): void {
    this.#memory.write(write);
  }

  /**
   * Arrays inside the memory's heap: inputs written there, and an output given back there, are not
   * copied. They are good until a call with more tokens, or another memory of the same heap, makes
   * the heap grow; then their length is 0, and `forward` says so.
   *
   * @param tokens a whole number >= 1
   */
  buffers(tokens: number): MemoryBuffers<Rule> {
    return this.#memory.buffers(tokens);
  }

  /**
   * A copy of the state, `[heads, keyDim, valueDim]` (features instead of keyDim with a feature map
   * that makes more of them; of mamba1 `[heads, valueDim, keyDim]`); setting it replaces it.
   *
   * @throws TypeError for softmax, which has none; RangeError for another length
   */
  get state(): Float32Array {
    return this.#memory.getState('state');
  }
  set state(values: Numbers) {
    this.#memory.setState('state', values);
  }

  /** Names of the arrays that make up the state: 'state' and, by the rule, others. */
  get stateNames(): string[] {
    return this.#memory.stateNames;
  }

  /** A copy of one of them. */
  getState(name: string): Float32Array {
    return this.#memory.getState(name);
  }

  /** Replaces one of them. */
  setState(name: string, values: Numbers): void {
    this.#memory.setState(name, values);
  }

  /** Tokens taken in since it was empty. */
  get tokens(): number {
    return this.#memory.tokens;
  }

  /** Size of the state in bytes, padding included; only that of softmax grows. */
  get stateBytes(): number {
    return this.#memory.stateBytes;
  }

  /** A memory that goes on from here by itself. */
  clone(): AssociativeMemory<Rule> {
    return new AssociativeMemory(this.#memory.clone());
  }

  /** Everything that `restore` needs to go on from here, bit for bit in the same build. */
  save(): Uint8Array {
    return this.#memory.save();
  }

  /** Forgets everything; size and settings stay. */
  reset(): void {
    this.#memory.reset();
  }

  /** Frees the memory; any other call then throws ModelError `disposed`. Twice does no harm. */
  dispose(): void {
    this.#memory.dispose();
  }
}

// A page that has models only never downloads the rest.
async function fetched() {
  const { WasmMemory } = await import('./wasm-memory.js').catch((cause: unknown) => {
    throw fetchError(cause, 'memories');
  });
  return WasmMemory;
}
