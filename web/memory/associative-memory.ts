// SPDX-License-Identifier: MIT

import type { WasmOptions } from '../wasm/builds.js';
import type { MemoryOptions } from './options.js';
import type { MemoryInputs, MemoryRule, Numbers } from './rules.js';

/** Where a memory's WebAssembly comes from. */
export interface MemoryPlace {
  /** As of `loadModel`. Memories that bring no file of their own share one instance. */
  wasm?: WasmOptions;
}

/** What a write brings: a key and a value under those names, other inputs under the rule's own. */
export type MemoryWrite<Rule extends MemoryRule> = { key?: Numbers; value?: Numbers } & Partial<
  MemoryInputs[Rule]
>;

/** Arrays in the memory's own heap: see {@link AssociativeMemory.buffers}. */
export interface MemoryBuffers<Rule extends MemoryRule> {
  inputs: { [Name in keyof MemoryInputs[Rule]]-?: Float32Array };
  output: Float32Array;
}

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
export abstract class AssociativeMemory<Rule extends MemoryRule = MemoryRule> {
  abstract readonly rule: Rule;
  abstract readonly heads: number;
  abstract readonly keyHeads: number;
  abstract readonly keyDim: number;
  abstract readonly valueDim: number;

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
    // A page that has models only never downloads the rest.
    const { WasmMemory } = await import('./wasm-memory.js');
    return WasmMemory.open(options);
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
    const { WasmMemory } = await import('./wasm-memory.js');
    return WasmMemory.reopen(bytes, place);
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
  abstract forward(inputs: MemoryInputs[Rule], tokens?: number, out?: Float32Array): Float32Array;

  /** One token: `forward` of one. */
  abstract step(inputs: MemoryInputs[Rule], out?: Float32Array): Float32Array;

  /**
   * What is stored under a key: reads with it for a query, and changes nothing.
   *
   * @param query `[keyHeads, keyDim]` (of softmax `[heads, keyDim]`), or several of them
   * @returns `[heads, valueDim]` of each
   */
  abstract read(query: Numbers, out?: Float32Array): Float32Array;

  /**
   * Stores a value under a key, without a read: one token. Inputs that are not given are such that
   * all of the value is written (beta 1) and nothing decays (g 0); see {@link MemoryInputs}.
   *
   * @param write `key` `[keyHeads, keyDim]`, `value` `[heads, valueDim]`, and other inputs by name
   * @throws as `forward`
   */
  abstract write(write: MemoryWrite<Rule>): void;

  /**
   * Arrays inside the memory's heap: inputs written there, and an output given back there, are not
   * copied. They are good until a call with more tokens, or another memory of the same heap, makes
   * the heap grow; then their length is 0, and `forward` says so.
   *
   * @param tokens a whole number >= 1
   */
  abstract buffers(tokens: number): MemoryBuffers<Rule>;

  /**
   * A copy of the state, `[heads, keyDim, valueDim]` (features instead of keyDim with a feature map
   * that makes more of them; of mamba1 `[heads, valueDim, keyDim]`); setting it replaces it.
   *
   * @throws TypeError for softmax, which has none; RangeError for another length
   */
  abstract get state(): Float32Array;
  abstract set state(values: Numbers);

  /** Names of the arrays that make up the state: 'state' and, by the rule, others. */
  abstract get stateNames(): string[];

  /** A copy of one of them. */
  abstract getState(name: string): Float32Array;

  /** Replaces one of them. */
  abstract setState(name: string, values: Numbers): void;

  /** Tokens taken in since it was empty. */
  abstract get tokens(): number;

  /** Size of the state in bytes, padding included; only that of softmax grows. */
  abstract get stateBytes(): number;

  /** A memory that goes on from here by itself. */
  abstract clone(): AssociativeMemory<Rule>;

  /** Everything that `restore` needs to go on from here, bit for bit in the same build. */
  abstract save(): Uint8Array;

  /** Forgets everything; size and settings stay. */
  abstract reset(): void;

  /** Frees the memory; any other call then throws ModelError `disposed`. Twice does no harm. */
  abstract dispose(): void;
}
