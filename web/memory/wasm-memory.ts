// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import { checkNames } from '../option-names.js';
import type { WasmMemory as Handle, InputFacts, RuleFacts } from '../wasm/memory-glue.js';
import { type MemoryHome, memoryHome } from './home.js';
import { checkInputs, checkLength, checkTokens, inputsOfWrite } from './inputs.js';
import type { MemoryBuffers, MemoryOptions, MemoryPlace, MemoryWrite } from './options.js';
import type { MemoryInputs, MemoryRule, Numbers } from './rules.js';
import { MOST_TOKENS, openMemory, outOfMemory, saveMemory } from './saved-memory.js';
import { type CheckedMemory, checkMemory, checkNumbers } from './settings.js';
import { areIn, putTokens, takeTokens } from './tokens.js';

// As many as a call copies to the heap at once, so that it need not hold a long sequence.
const PIECE_TOKENS = 1024;

/** A memory in a WebAssembly heap; `AssociativeMemory` says what each call does. */
export class WasmMemory<Rule extends MemoryRule = MemoryRule> {
  readonly rule: Rule;
  readonly heads: number;
  readonly keyHeads: number;
  readonly keyDim: number;
  readonly valueDim: number;
  #home: MemoryHome;
  #checked: CheckedMemory;
  #facts: RuleFacts;
  #memory: Handle | undefined;

  private constructor(home: MemoryHome, checked: CheckedMemory, facts: RuleFacts, memory: Handle) {
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

  static async open<Rule extends MemoryRule>(
    options: MemoryOptions<Rule> & MemoryPlace,
  ): Promise<WasmMemory<Rule>> {
    const home = await memoryHome(options?.wasm);
    try {
      return WasmMemory.#make<Rule>(home, options);
    } catch (error) {
      home.release();
      throw error;
    }
  }

  static async reopen(bytes: Uint8Array | ArrayBuffer, place: MemoryPlace): Promise<WasmMemory> {
    if (!(bytes instanceof Uint8Array) && !(bytes instanceof ArrayBuffer)) {
      throw new TypeError('bytes must be a Uint8Array or an ArrayBuffer');
    }
    checkNames(place, { wasm: true });
    const home = await memoryHome(place.wasm);
    let memory: WasmMemory | undefined;
    try {
      const { options, fill } = openMemory(home, new Uint8Array(bytes as ArrayBuffer));
      memory = WasmMemory.#make(home, options);
      fill(memory, memory.#open());
      return memory;
    } catch (error) {
      if (memory) memory.dispose();
      else home.release();
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      // Nobody saved such a one: the header was written by hand.
      throw new ModelError('invalid_header', `the saved memory is none: ${error.message}`, {
        cause: error,
      });
    }
  }

  static #make<Rule extends MemoryRule>(
    home: MemoryHome,
    options: MemoryOptions<Rule>,
  ): WasmMemory<Rule> {
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
      return new WasmMemory<Rule>(home, checked, facts, held(memory));
    } finally {
      settings.delete();
    }
  }

  forward(inputs: MemoryInputs[Rule], tokens?: number, out?: Float32Array): Float32Array {
    this.#open();
    const arrays = checkInputs(this.#facts.inputs, this.rule, inputs, tokens);
    const count = arrays.tokens;
    const result = this.#checkOut(out, count);
    // All at once where keys that come later are read too, and where there is nothing to copy.
    const piece =
      areIn(this.#home.wasm.module.HEAPF32, arrays.values) || !this.#causal()
        ? count
        : PIECE_TOKENS;
    for (let first = 0; first < count; first += piece) {
      this.#forward(arrays.values, first, Math.min(piece, count - first), result);
    }
    return result;
  }

  step(inputs: MemoryInputs[Rule], out?: Float32Array): Float32Array {
    return this.forward(inputs, 1, out);
  }

  read(query: Numbers, out?: Float32Array): Float32Array {
    const input = this.#facts.inputs.findIndex(({ role }) => role === 'query');
    const { floats } = this.#facts.inputs[input] as InputFacts;
    checkNumbers(query, 'key');
    const queries = query.length / floats;
    if (!Number.isInteger(queries) || queries === 0) {
      throw new RangeError(`key must have ${floats} numbers, not ${query.length}`);
    }
    const result = this.#checkOut(out, queries);
    this.#reserve(queries);
    this.#put(input, query, 0, queries);
    this.#home.run(() => this.#open().read(queries));
    this.#take(result, 0, queries);
    return result;
  }

  write(write: MemoryWrite<Rule>): void {
    this.#open();
    const inputs = inputsOfWrite(this.#facts.inputs, this.rule, write);
    this.forward(inputs as unknown as MemoryInputs[Rule], 1);
  }

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

  get stateNames(): string[] {
    return this.#open()
      .arrays()
      .map(({ name }) => name);
  }

  getState(name: string): Float32Array {
    const { index, floats } = this.#array(name);
    const { wasm } = this.#home;
    return wasm.withBlock(4 * floats, (address) => {
      this.#home.run(() => this.#open().getArray(index, address));
      return wasm.floats(address, floats);
    });
  }

  setState(name: string, values: Numbers): void {
    const { index, floats } = this.#array(name);
    checkLength(values, name, floats);
    const { wasm } = this.#home;
    wasm.withBlock(4 * floats, (address) => {
      wasm.module.HEAPF32.set(values, address >>> 2);
      this.#home.run(() => this.#open().setArray(index, address));
    });
  }

  get tokens(): number {
    return this.#open().position();
  }

  get stateBytes(): number {
    return this.#open().stateBytes();
  }

  clone(): WasmMemory<Rule> {
    const copy = held(this.#home.run(() => this.#open().clone()));
    this.#home.retain();
    return new WasmMemory<Rule>(this.#home, this.#checked, this.#facts, copy);
  }

  save(): Uint8Array {
    return saveMemory(this.#home, this, this.#open(), this.#checked, this.#facts);
  }

  reset(): void {
    this.#home.run(() => this.#open().reset());
  }

  dispose(): void {
    const memory = this.#memory;
    if (!memory) return;
    this.#memory = undefined;
    this.#home.dispose(() => memory.delete());
  }

  #open(): Handle {
    if (this.#memory) return this.#memory;
    throw new ModelError('disposed', 'the memory has been disposed of');
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

  #checkOut(out: Float32Array | undefined, tokens: number): Float32Array {
    const floats = tokens * this.heads * this.valueDim;
    if (out === undefined) return new Float32Array(floats);
    if (!(out instanceof Float32Array)) throw new TypeError('out must be a Float32Array');
    checkLength(out, 'out', floats, tokens);
    return out;
  }

  #reserve(tokens: number): void {
    const memory = this.#open();
    if (!this.#home.run(() => memory.reserve(tokens))) throw outOfMemory();
  }

  #forward(values: (Numbers | undefined)[], first: number, count: number, out: Float32Array): void {
    const memory = this.#open();
    if (count > MOST_TOKENS - memory.position()) {
      throw new RangeError(`a memory counts no more than ${MOST_TOKENS} tokens`);
    }
    this.#reserve(count);
    for (const [i, value] of values.entries()) this.#put(i, value, first, count);
    if (!this.#home.run(() => memory.forward(count))) throw outOfMemory();
    this.#take(out, first, count);
  }

  #put(index: number, value: Numbers | undefined, first: number, count: number): void {
    const { HEAPF32 } = this.#home.wasm.module;
    const input = this.#facts.inputs[index] as InputFacts;
    putTokens(HEAPF32, this.#open().input(index), input, value, first, count);
  }

  #take(out: Float32Array, first: number, count: number): void {
    const { HEAPF32 } = this.#home.wasm.module;
    takeTokens(HEAPF32, this.#open().output(), this.heads * this.valueDim, out, first, count);
  }
}

function held(memory: Handle | null): Handle {
  if (memory) return memory;
  throw outOfMemory();
}
