// SPDX-License-Identifier: MIT
// What cpp/bindings/memory_bindings.cc exports.
import type { WasmHandle } from './embind.js';

/** What one token brings under a name. */
export interface InputFacts {
  name: string;
  floats: number;
  role: 'query' | 'key' | 'value' | 'gate';
  /** Of a gate that a write does not give. */
  absent: number;
  /** Or else it is the key. */
  likeKey: boolean;
  optional: boolean;
}

/** A number, one of `choices`, or as many `floats`. */
export interface SettingFacts {
  name: string;
  value: number;
  least: number;
  most: number;
  whole: boolean;
  flag: boolean;
  choices: string[];
  floats: number;
}

/** A rule at a size. */
export interface RuleFacts {
  /** Whether there is a rule of that name; else nothing else counts. */
  known: boolean;
  inputs: InputFacts[];
  settings: SettingFacts[];
  /** Whether there may be fewer key heads than heads. */
  groups: boolean;
  /** Whether dimensions need not be multiples of 4. */
  pads: boolean;
  /** Whether keyDim must be valueDim. */
  square: boolean;
  maps: { name: string; weight: boolean; bias: boolean; pads: boolean }[];
}

export interface WasmMemoryShape {
  heads: number;
  keyHeads: number;
  keyDim: number;
  valueDim: number;
}

export interface WasmMemorySettings extends WasmHandle {
  setText(name: string, text: string): void;
  setNumber(name: string, value: number): void;
  setNumbers(name: string, values: number, count: number): void;
}

export interface WasmMemory extends WasmHandle {
  clone(): WasmMemory | null;
  reset(): void;
  reserve(tokens: number): boolean;
  input(index: number): number;
  output(): number;
  forward(tokens: number): boolean;
  read(queries: number): void;
  arrays(): { name: string; matrices: number; rows: number; columns: number }[];
  getArray(array: number, to: number): void;
  setArray(array: number, from: number): void;
  position(): number;
  setPosition(position: number): void;
  pageFloats(): number;
  pages(): number;
  page(index: number): number;
  reservePages(tokens: number): boolean;
  stateBytes(): number;
}

export interface WasmMemories {
  MemorySettings: { new (): WasmMemorySettings };
  makeMemory(rule: string, shape: WasmMemoryShape, settings: WasmMemorySettings): WasmMemory | null;
  memoryRule(rule: string, shape: WasmMemoryShape): RuleFacts;
  memoryRuleNames(): string[];
}
