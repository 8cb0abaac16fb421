// SPDX-License-Identifier: MIT
import { ModelError } from './errors.js';
import { decodeMemory, encodeMemory, type SavedMemory } from './memory-file.js';
import type { InputFacts, RuleFacts, WasmMemory } from './memory-glue.js';
import { type MemoryHome, memoryHome } from './memory-home.js';
import type { MemoryInputs, MemoryOptions, MemoryRule, Numbers } from './memory-rules.js';
import { type CheckedMemory, checkMemory, checkNumbers } from './memory-settings.js';
import type { WasmOptions } from './wasm-source.js';

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

// As many as a call copies to the heap at once, so that it need not hold a long sequence.
const PIECE_TOKENS = 1024;

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
  #home: MemoryHome;
  #checked: CheckedMemory;
  #facts: RuleFacts;
  #memory: WasmMemory | undefined;

  private constructor(
    home: MemoryHome,
    checked: CheckedMemory,
    facts: RuleFacts,
    memory: WasmMemory,
  ) {
    this.#home = home;
    this.#checked = checked;
    this.#facts = facts;
    this.#memory = memory;
    this.rule = checked.rule as Rule;
    this.heads = checked.shape.heads;
    this.keyHeads = checked.shape.keyHeads;
    this.keyDim = checked.shape.keyDim;
    this.valueDim = checked.shape.valueDim;
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
    const home = await memoryHome(options?.wasm);
    try {
      return AssociativeMemory.#make<Rule>(home, options);
    } catch (error) {
      home.release();
      throw error;
    }
  }

  /**
   * A memory that was saved, by any build of this package.
   *
   * @throws ModelError `invalid_header`, `truncated` or `integrity` for other bytes
   */
  static async restore(
    bytes: Uint8Array | ArrayBuffer,
    { wasm }: MemoryPlace = {},
  ): Promise<AssociativeMemory> {
    if (!(bytes instanceof Uint8Array) && !(bytes instanceof ArrayBuffer)) {
      throw new TypeError('bytes must be a Uint8Array or an ArrayBuffer');
    }
    const home = await memoryHome(wasm);
    let memory: AssociativeMemory | undefined;
    try {
      const saved = decodeMemory(new Uint8Array(bytes as ArrayBuffer), home.Sha256);
      const arrays = [...saved.arrays].flatMap(([name, array]) =>
        name.startsWith('settings.') ? [[name.slice('settings.'.length), array]] : [],
      );
      const settings = { ...saved.settings, ...Object.fromEntries(arrays) };
      const options = { rule: saved.rule, ...saved.shape, ...settings };
      memory = AssociativeMemory.#make(home, options as unknown as MemoryOptions);
      memory.#load(saved.tokens, saved.arrays);
      return memory;
    } catch (error) {
      if (memory) memory.dispose();
      else home.release();
      throw error;
    }
  }

  static #make<Rule extends MemoryRule>(
    home: MemoryHome,
    options: MemoryOptions<Rule>,
  ): AssociativeMemory<Rule> {
    const { wasm } = home;
    const { checked, facts } = checkMemory(wasm.module, options as MemoryOptions);
    const settings = new wasm.module.MemorySettings();
    try {
      for (const [name, value] of checked.settings) {
        if (typeof value === 'string') settings.setText(name, value);
        else if (typeof value === 'number') settings.setNumber(name, value);
        else {
          wasm.withBlock(4 * value.length, (address) => {
            wasm.module.HEAPF32.set(value, address >>> 2);
            settings.setNumbers(name, address, value.length);
          });
        }
      }
      const memory = home.run(() => wasm.module.makeMemory(checked.rule, checked.shape, settings));
      return new AssociativeMemory<Rule>(home, checked, facts, held(memory));
    } finally {
      settings.delete();
    }
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
    const arrays = this.#checkInputs(inputs, tokens);
    const count = arrays.tokens;
    const result = this.#checkOut(out, count);
    // All at once where keys that come later are read too, and where there is nothing to copy.
    const piece = this.#inPlace(arrays.values, count) || !this.#causal() ? count : PIECE_TOKENS;
    for (let first = 0; first < count; first += piece) {
      this.#forward(arrays.values, first, Math.min(piece, count - first), result);
    }
    return result;
  }

  /** One token: `forward` of one. */
  step(inputs: MemoryInputs[Rule], out?: Float32Array): Float32Array {
    return this.forward(inputs, 1, out);
  }

  /**
   * What is stored under a key: reads with it for a query, and changes nothing.
   *
   * @param query `[keyHeads, keyDim]` (of softmax `[heads, keyDim]`), or several of them
   * @returns `[heads, valueDim]` of each
   */
  read(query: Numbers, out?: Float32Array): Float32Array {
    const { floats } = this.#input('query');
    checkNumbers(query, 'key');
    const queries = query.length / floats;
    if (!Number.isInteger(queries) || queries === 0) {
      throw new RangeError(`key must have ${floats} numbers, not ${query.length}`);
    }
    const result = this.#checkOut(out, queries);
    this.#reserve(queries);
    this.#put(this.#facts.inputs.indexOf(this.#input('query')), query, 0, queries, queries);
    this.#home.run(() => this.#open().read(queries));
    this.#take(result, 0, queries);
    return result;
  }

  /**
   * Stores a value under a key, without a read: one token. Inputs that are not given are such that
   * all of the value is written (beta 1) and nothing decays (g 0); see {@link MemoryInputs}.
   *
   * @param write `key` `[keyHeads, keyDim]`, `value` `[heads, valueDim]`, and other inputs by name
   * @throws as `forward`
   */
  write(write: MemoryWrite<Rule>): void {
    if (typeof write !== 'object' || write === null) {
      throw new TypeError('a write must be an object of arrays');
    }
    const given: Record<string, Numbers | undefined> = { ...write } as Record<string, Numbers>;
    for (const role of ['key', 'value'] as const) {
      const value = given[role];
      delete given[role];
      if (value === undefined) continue;
      const input = this.#facts.inputs.find((candidate) => candidate.role === role);
      if (!input) throw new TypeError(`the rule ${this.rule} makes its own ${role}`);
      checkLength(value, role, input.floats);
      given[input.name] = value;
    }
    const { inputs } = this.#facts;
    const key = inputs.find(({ role }) => role === 'key');
    for (const { name, role, floats, absent, likeKey } of inputs) {
      if (given[name] !== undefined || role === 'key' || role === 'value') continue;
      given[name] =
        likeKey && key && given[key.name]
          ? given[key.name]
          : new Float32Array(floats).fill(role === 'gate' ? absent : 0);
    }
    const missing = inputs.find(({ name }) => given[name] === undefined);
    if (missing) throw new TypeError(`${missing.role} must be given`);
    this.forward(given as unknown as MemoryInputs[Rule], 1);
  }

  /**
   * Arrays inside the memory's heap: inputs written there, and an output given back there, are not
   * copied. They are good until a call with more tokens, or another memory of the same heap, makes
   * the heap grow; then their length is 0, and `forward` says so.
   *
   * @param tokens a whole number >= 1
   */
  buffers(tokens: number): MemoryBuffers<Rule> {
    checkTokens(tokens);
    this.#reserve(tokens);
    const view = (address: number, floats: number) =>
      new Float32Array(this.#home.wasm.module.HEAPF32.buffer, address, tokens * floats);
    const inputs = this.#facts.inputs.map(({ name, floats }, i) => [
      name,
      view(this.#open().input(i), floats),
    ]);
    return {
      inputs: Object.fromEntries(inputs),
      output: view(this.#open().output(), this.heads * this.valueDim),
    };
  }

  /**
   * A copy of the state, `[heads, keyDim, valueDim]` (features instead of keyDim with a feature map
   * that makes more of them; of mamba1 `[heads, valueDim, keyDim]`); setting it replaces it.
   *
   * @throws TypeError for softmax, which has none; RangeError for another length
   */
  get state(): Float32Array {
    return this.getState('state');
  }
  set state(values: Numbers) {
    this.setState('state', values);
  }

  /** Names of the arrays that make up the state: 'state' and, by the rule, others. */
  get stateNames(): string[] {
    return this.#open()
      .arrays()
      .map(({ name }) => name);
  }

  /** A copy of one of them. */
  getState(name: string): Float32Array {
    const { index, floats } = this.#array(name);
    const { wasm } = this.#home;
    return wasm.withBlock(4 * floats, (address) => {
      this.#open().getArray(index, address);
      return wasm.floats(address, floats);
    });
  }

  /** Replaces one of them. */
  setState(name: string, values: Numbers): void {
    const { index, floats } = this.#array(name);
    checkLength(values, name, floats);
    const { wasm } = this.#home;
    wasm.withBlock(4 * floats, (address) => {
      wasm.module.HEAPF32.set(values, address >>> 2);
      this.#open().setArray(index, address);
    });
  }

  /** Tokens taken in since it was empty. */
  get tokens(): number {
    return this.#open().position();
  }

  /** Size of the state in bytes, padding included; only that of softmax grows. */
  get stateBytes(): number {
    return this.#open().stateBytes();
  }

  /** A memory that goes on from here by itself. */
  clone(): AssociativeMemory<Rule> {
    const copy = held(this.#home.run(() => this.#open().clone()));
    this.#home.retain();
    return new AssociativeMemory<Rule>(this.#home, this.#checked, this.#facts, copy);
  }

  /** Everything that `restore` needs to go on from here, bit for bit in the same build. */
  save(): Uint8Array {
    const memory = this.#open();
    const { rule, shape, settings } = this.#checked;
    const arrays = new Map<string, Float32Array>();
    const plain: SavedMemory['settings'] = {};
    for (const [name, value] of settings) {
      const { flag } = this.#facts.settings.find((setting) => setting.name === name) ?? {};
      if (typeof value === 'object') arrays.set(`settings.${name}`, Float32Array.from(value));
      else plain[name] = flag ? value === 1 : value;
    }
    for (const name of this.stateNames) arrays.set(name, this.getState(name));
    for (let i = 0; i < this.#pages(memory.position()); i++) {
      arrays.set(`page.${i}`, this.#home.wasm.floats(memory.page(i), memory.pageFloats()));
    }
    const tokens = memory.position();
    return encodeMemory({ rule, shape, settings: plain, tokens, arrays }, this.#home.Sha256);
  }

  #load(tokens: number, arrays: Map<string, Float32Array>): void {
    const memory = this.#open();
    for (const name of this.stateNames) this.setState(name, arrays.get(name) ?? []);
    if (!memory.reservePages(tokens)) throw outOfMemory();
    for (let i = 0; i < this.#pages(tokens); i++) {
      const page = arrays.get(`page.${i}`) ?? [];
      checkLength(page, `page.${i}`, memory.pageFloats());
      this.#home.wasm.module.HEAPF32.set(page, memory.page(i) >>> 2);
    }
    memory.setPosition(tokens);
  }

  #pages(tokens: number): number {
    if (this.#open().pageFloats() === 0) return 0;
    return Math.ceil(tokens / this.#home.wasm.module.pageTokens);
  }

  /** Forgets everything; size and settings stay. */
  reset(): void {
    this.#open().reset();
  }

  /** Frees the memory; any other call then throws ModelError `disposed`. Twice does no harm. */
  dispose(): void {
    if (!this.#memory) return;
    this.#memory.delete();
    this.#memory = undefined;
    this.#home.release();
  }

  #open(): WasmMemory {
    if (this.#memory) return this.#memory;
    throw new ModelError('disposed', 'the memory has been disposed of');
  }

  #input(role: InputFacts['role']): InputFacts {
    return this.#facts.inputs.find((input) => input.role === role) as InputFacts;
  }

  #causal(): boolean {
    return !this.#checked.settings.some(([name, value]) => name === 'causal' && value === 0);
  }

  #array(name: string): { index: number; floats: number } {
    const arrays = this.#open().arrays();
    const index = arrays.findIndex((array) => array.name === name);
    const array = arrays[index];
    if (!array) {
      const names = arrays.map((candidate) => candidate.name).join(', ') || 'none';
      throw new TypeError(`the rule ${this.rule} has no state '${name}' (it has: ${names})`);
    }
    return { index, floats: array.matrices * array.rows * array.columns };
  }

  // The inputs in the rule's order; undefined for an optional one that is not given.
  #checkInputs(
    inputs: MemoryInputs[Rule],
    tokens: number | undefined,
  ): { tokens: number; values: (Numbers | undefined)[] } {
    this.#open();
    if (typeof inputs !== 'object' || inputs === null) {
      throw new TypeError('inputs must be an object of arrays');
    }
    const given = inputs as unknown as Record<string, Numbers | undefined>;
    const known = this.#facts.inputs;
    for (const name of Object.keys(given)) {
      if (known.some((input) => input.name === name)) continue;
      const names = known.map((input) => input.name).join(', ');
      throw new TypeError(`the rule ${this.rule} has no input '${name}' (it has: ${names})`);
    }
    const first = known[0] as InputFacts;
    checkGiven(given[first.name], first.name, this.rule);
    const count = tokens ?? (given[first.name] as Numbers).length / first.floats;
    if (tokens !== undefined) checkTokens(tokens);
    else if (!Number.isInteger(count) || count === 0) {
      throw new RangeError(
        `${first.name} must have a multiple of ${first.floats} numbers, not ${(given[first.name] as Numbers).length}`,
      );
    }
    const values = known.map(({ name, floats, optional }) => {
      const value = given[name];
      if (value === undefined && optional) return undefined;
      checkGiven(value, name, this.rule);
      checkLength(value as Numbers, name, count * floats, count);
      return value;
    });
    return { tokens: count, values };
  }

  #checkOut(out: Float32Array | undefined, tokens: number): Float32Array {
    const floats = tokens * this.heads * this.valueDim;
    if (out === undefined) return new Float32Array(floats);
    if (!(out instanceof Float32Array)) throw new TypeError('out must be a Float32Array');
    checkLength(out, 'out', floats, tokens);
    return out;
  }

  // Whether all inputs are where `buffers` has them.
  #inPlace(values: (Numbers | undefined)[], tokens: number): boolean {
    const { buffer } = this.#home.wasm.module.HEAPF32;
    return (
      tokens <= PIECE_TOKENS ||
      values.every((value) => value instanceof Float32Array && value.buffer === buffer)
    );
  }

  #reserve(tokens: number): void {
    const memory = this.#open();
    if (!this.#home.run(() => memory.reserve(tokens))) throw outOfMemory();
  }

  #forward(values: (Numbers | undefined)[], first: number, count: number, out: Float32Array): void {
    const memory = this.#open();
    this.#reserve(count);
    for (const [i, value] of values.entries()) this.#put(i, value, first, count, count);
    if (!this.#home.run(() => memory.forward(count))) throw outOfMemory();
    this.#take(out, first, count);
  }

  // Copies tokens of an input to its place in the heap, unless they are there.
  #put(
    index: number,
    value: Numbers | undefined,
    first: number,
    count: number,
    tokens: number,
  ): void {
    const { HEAPF32 } = this.#home.wasm.module;
    const { floats, absent } = this.#facts.inputs[index] as InputFacts;
    const start = this.#open().input(index) >>> 2;
    if (value === undefined) {
      HEAPF32.fill(absent, start, start + tokens * floats);
      return;
    }
    const own = value instanceof Float32Array && value.buffer === HEAPF32.buffer;
    if (own && value.byteOffset >>> 2 === start && first === 0) return;
    const whole = first === 0 && value.length === count * floats;
    const part = whole
      ? value
      : value instanceof Float32Array
        ? value.subarray(first * floats, (first + count) * floats)
        : value.slice(first * floats, (first + count) * floats);
    HEAPF32.set(part, start);
  }

  #take(out: Float32Array, first: number, count: number): void {
    const { HEAPF32 } = this.#home.wasm.module;
    const floats = this.heads * this.valueDim;
    const start = this.#open().output() >>> 2;
    const own = out.buffer === HEAPF32.buffer && out.byteOffset >>> 2 === start && first === 0;
    if (!own) out.set(HEAPF32.subarray(start, start + count * floats), first * floats);
  }
}

function outOfMemory(): ModelError {
  return new ModelError('out_of_memory', 'the WebAssembly memory has no room for this');
}

function held(memory: WasmMemory | null): WasmMemory {
  if (memory) return memory;
  throw outOfMemory();
}

function checkTokens(tokens: unknown): void {
  if (typeof tokens !== 'number') throw new TypeError('tokens must be a number');
  if (Number.isInteger(tokens) && tokens >= 1) return;
  throw new RangeError(`tokens must be a whole number from 1, not ${tokens}`);
}

function checkGiven(value: unknown, name: string, rule: string): void {
  if (value === undefined) throw new TypeError(`the rule ${rule} needs the input '${name}'`);
  checkNumbers(value, name);
}

function checkLength(value: unknown, name: string, floats: number, tokens?: number): void {
  checkNumbers(value, name);
  if (value.length === floats) return;
  const why = tokens === undefined ? '' : ` for ${tokens} ${tokens === 1 ? 'token' : 'tokens'}`;
  throw new RangeError(`${name} must have ${floats} numbers${why}, not ${value.length}`);
}
