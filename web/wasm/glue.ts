// SPDX-License-Identifier: MIT
// What cpp/bindings/ exports but for memories, and what its generated JavaScript takes.

import type { KvType, SamplerSettings, WeightForm } from '../options.js';
import type { WasmHandle } from './embind.js';
import type { WasmMemories } from './memory-glue.js';
import type { ThreadWorkers } from './thread-workers.js';

export interface Status {
  code: string;
  subject: string;
  message: string;
}

/** What the caller of a load decides. */
export interface WasmModelOptions {
  /** Prompt tokens that one forward pass takes at most. */
  batchTokens: number;
  /** Threads that share its work. */
  threads: number;
  /** One of `MatrixForm`. */
  weights: object;
  /** Whether it takes the block for guesses, if there is one. */
  guesses: boolean;
  /** One of `KvType`. */
  kv: object;
}

export interface WasmModelBuilder extends WasmHandle {
  setText(key: string, value: string): void;
  setNumbers(key: string, values: number[]): void;
  addTensor(name: string, type: number, columns: number, rows: number): void;
  plan(): Status;
  threads(): number;
  weightsBytes(): number;
  stateBytes(): number;
  kvPageBytes(): number;
  scratchBytes(): number;
  vocab(): number;
  contextLength(): number;
  hasGuesses(): boolean;
  wants(tensor: number): boolean;
  rowBytes(tensor: number): number;
  reserve(): Status;
  staging(): number;
  append(tensor: number, rows: number): Status;
  /** Makes room for all weights, to be written as they lay in memory before. */
  makePacked(): Status;
  /** Where that is: address and bytes of each part, one after the other. */
  packed(): number[];
  /**
   * Calls `fill`, which must not throw, to write to that memory from its beginning or to go on with it; the
   * model's other threads touch what is behind theirs meanwhile: cpp/base/fresh_memory.h.
   */
  fillPacked(fill: () => void): void;
  finishPacked(): void;
  /** Of a small model beside this one, which outlives it; after `plan`. They share threads. */
  draftBuilder(options: WasmModelOptions): WasmModelBuilder;
  finish(model: WasmModel): Status;
}

/** Of bytes that come in the same pieces: 16 hex digits. */
export interface WasmChecksum extends WasmHandle {
  add(address: number, bytes: number): void;
  hex(): string;
}

export interface WasmModel extends WasmHandle {
  createSession(): WasmSession | null;
  /** A text that guesses another's, among the first `tokens` of the vocabulary. */
  createDraft(tokens: number): WasmDraft | null;
  /** What one of those takes, the part that does not grow. */
  draftBytes(): number;
  /** Rows of logits that one pass gives at most: of tokens evaluated, of texts drawing together. */
  logitRows(): number;
  startProfile(): void;
  stopProfile(): WasmProfileRow[];
}

/** Time and work of one part of the forward pass, of all its calls. */
export interface WasmProfileRow {
  phase: 'prefill' | 'decode';
  name: string;
  /** Of a product: the matrix' name without its layer, its format and its shape. */
  matrix: string;
  format: string;
  rows: number;
  columns: number;
  calls: number;
  ms: number;
  operations: number;
  weightBytes: number;
}

export interface WasmSession extends WasmHandle {
  /** False: no memory, or the model's texts cannot be taken back. */
  reserveGuesses(): boolean;
  /** `allowed` 0: anything. Into `guesses`; returns how many there are. */
  guess(count: number, allowed: number, guesses: number): number;
  /**
   * Reads the token drawn last and guesses after it; false: out of memory, nothing has changed. `decided`
   * has a bit for each guess that is all that will be allowed there.
   */
  readGuesses(guesses: number, count: number, decided: number): boolean;
  /** Draws at the next row of that pass; below zero, why there is none: `NoToken` of cpp/runtime/sampler.h. */
  drawGuess(): number;
  /** The text is what it would be had only what was drawn been read. */
  endGuesses(): void;
  clone(): WasmSession | null;
  reset(): void;
  prefill(ids: number, count: number, wantLogits: boolean): boolean;
  evaluate(ids: number, count: number): number;
  /** Below zero: out of memory; NaN: logits were not finite. */
  score(ids: number, count: number, next: number): number;
  logits(): number;
  logTotal(): number;
  mostLikely(count: number, tokens: number): void;
  configureSampler(
    options: SamplerSettings,
    biasTokens: number,
    biasValues: number,
    count: number,
  ): void;
  seedSampler(low: number, high: number): void;
  /** What `seedSampler` takes to draw the same from here. */
  generator(): [low: number, high: number];
  /** Copies the tokens that penalties look at, `historyTokens` at most; how many. */
  history(tokens: number): number;
  setHistory(count: number, tokens: number): void;
  mark(withLogits: boolean): WasmCheckpoint | null;
  rewind(checkpoint: WasmCheckpoint): void;
  /** From here: draws leave a step there of each token that they read. Null: out of memory. */
  leaveTrail(): WasmTrail | null;
  endTrail(): void;
  /** Back to after so many steps of a trail that this text has left, or the one it was cloned from. */
  goAlong(trail: WasmTrail, steps: number): void;
  /** What one of so many steps takes, those of a model that has none without them. */
  trailBytes(steps: number): number;
  restore(position: number, pending: number, hasLogits: boolean): boolean;
  state(): number;
  stateFloats(): number;
  pages(): number;
  page(index: number): number;
  pageFloats(): number;
  /** How its pages have keys and values: numbers of that type, if not `f32`. */
  kv(): KvType;
  pending(): number;
  /** Takes back the token drawn last, where it has not been read. */
  undraw(): void;
  /** Whether there are logits to draw from: those after what it has read. */
  hasLogits(): boolean;
  /** Until `configureSampler`, only tokens with a bit set at this address; 0: out of memory. */
  restrict(): number;
  position(): number;
  kvBytes(): number;
}

/** A small model's text beside another's, which it guesses. */
export interface WasmDraft extends WasmHandle {
  clone(): WasmDraft | null;
  /** Reads the text's next tokens; false: out of memory. */
  read(ids: number, count: number): boolean;
  /**
   * Reads them, then guesses up to `most` after them; no further where it is right with a probability
   * below `least`. `allowed` 0: anything. Into `guesses`; how many, or -1: out of memory.
   */
  guess(
    ids: number,
    count: number,
    most: number,
    least: number,
    allowed: number,
    guesses: number,
  ): number;
  mark(): WasmCheckpoint | null;
  rewind(place: WasmCheckpoint): void;
  reset(): void;
  /** Tokens of the text that it has read. */
  position(): number;
  kvBytes(): number;
}

/** A layer whose state is matrices. */
export interface WasmStateLayer {
  layer: number;
  mixer: string;
  heads: number;
  keyDim: number;
  valueDim: number;
  /** Of a head's trace (cpp/kernels/linear_recurrence/trace.h); 0: none is kept. */
  traceFloats: number;
  hasBeta: boolean;
  decays: boolean;
  /** Each key channel by itself. */
  decaysChannels: boolean;
  /** Whether a trace has a second key and write. */
  erasesApart: boolean;
}

/** Sessions of one model that draw together. */
export interface WasmBatch extends WasmHandle {
  clear(): void;
  add(session: WasmSession): void;
  /** Where the tokens are that they drew, in order; below zero, why there is none: `NoToken` of cpp/runtime/sampler.h. */
  next(): number;
}

/** A place in a text to come back to. */
export interface WasmCheckpoint extends WasmHandle {
  /** Of the state and, where they are kept, the logits. */
  readonly bytes: number;
  /** Another handle to the same. */
  clone(): WasmCheckpoint;
}

/** The way of a text from one place on, to come back to after any of its steps: cpp/runtime/trail.h. */
export interface WasmTrail extends WasmHandle {
  /** Tokens before it. */
  readonly start: number;
  /** Tokens that it leads on for. */
  readonly steps: number;
  readonly bytes: number;
  /** From now on it leads to its start alone. */
  thin(): void;
}

export interface WasmModule extends WasmMemories {
  ModelBuilder: { new (options: WasmModelOptions): WasmModelBuilder };
  Model: { new (): WasmModel };
  Batch: { new (): WasmBatch };
  Checksum: { new (): WasmChecksum };
  /** What decides how weights lie in memory, beside their types and form. */
  packedLayout(): string;
  MatrixForm: Record<WeightForm, object>;
  KvType: Record<KvType, object>;
  stateLayersOf(session: WasmSession): WasmStateLayer[];
  /** Writes [keyDim, valueDim] floats to an address, of one of those layers by its place; its norm. */
  readState(session: WasmSession, layer: number, head: number, out: number): number;
  /** Where its traces are, [heads, traceFloats]; 0: not known. */
  traceOf(session: WasmSession, layer: number): number;
  stagingBytes: number;
  historyTokens: number;
  pageTokens: number;
  /** Guesses that one pass checks at most. */
  mostGuesses: number;
  heapInUse(): number;
  /** Whether none of the floats at an address is NaN or infinite. */
  allFinite(floats: number, count: number): boolean;
  /** Of types as GGUF numbers them, in one of `MatrixForm`. */
  productsAreExact(types: readonly number[], form: object): boolean;
  int8AttentionIsExact(): boolean;
  /** Only in the builds with threads. */
  PThread?: ThreadWorkers;
  _malloc(bytes: number): number;
  _free(address: number): void;
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  HEAPF32: Float32Array;
}

export interface GlueOptions {
  print?: (text: string) => void;
  printErr?: (text: string) => void;
  locateFile?: (file: string) => string;
  wasmBinary?: ArrayBuffer | Uint8Array;
  instantiateWasm?: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => object;
}
