// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { HeaderValue, ModelHeader, TensorEntry } from '../gguf/types.js';
import type { KvType, WeightForm } from '../options.js';
import type { ModelFiles } from '../sources/model-files.js';
import type { WasmModel, WasmModelBuilder } from '../wasm/glue.js';
import type { Products, Wasm } from '../wasm/wasm.js';
import type { Fingerprint } from './fingerprint.js';
import type { PackedWeights } from './packed-weights.js';

/** What a model takes, in bytes. */
export interface ModelMemory {
  /** Weights as they lie in memory. */
  weightsBytes: number;
  /** One session, the part that does not grow. */
  stateBytes: number;
  /** What each token of a text adds to a session (in pages of 64); 0 for all-linear models. */
  kvBytesPerToken: number;
  /** Working memory that all sessions share. */
  scratchBytes: number;
}

/** A model that has been laid out from its header; no weights yet. */
export interface ModelPlan extends ModelMemory {
  /** Tokens the model was trained to read. */
  contextLength: number;
  /** Tokens in the vocabulary, the length of a row of logits. */
  vocabSize: number;
  /** Whether it has a block for guesses of the next tokens, and the load asked for it. */
  guessBlock: boolean;
}

/** How a model is laid out. */
export interface LoaderOptions {
  weights: WeightForm;
  /** How softmax layers keep keys and values; {@link kvOf} by default. */
  kv?: KvType;
  /** Whether it takes the block for guesses, if there is one. */
  guesses: boolean;
}

/** What is kept packed of a file, as part of its name: with its block for guesses, or without. */
export const formOf = (weights: WeightForm, guesses: boolean): string =>
  guesses ? `${weights}-guesses` : weights;

/** What models of such tensors multiply with. */
export function productsOf(tensors: readonly TensorEntry[], options: LoaderOptions): Products {
  const types = [...new Set(matricesOf(tensors).map(({ type }) => type))];
  return { types, form: options.weights, kv: kvOf(tensors, options) };
}

const FLOATS = ['F32', 'F16', 'BF16'];

/**
 * How keys and values are kept: as asked for. By default in bfloat16 where a matrix is quantised, whose
 * products round their inputs to 8 bits, twenty times as far; as they are where all matrices are floats.
 */
function kvOf(tensors: readonly TensorEntry[], { weights, kv }: LoaderOptions): KvType {
  if (kv) return kv;
  const isFloat = ({ typeName }: TensorEntry) => FLOATS.includes(typeName);
  return weights === 'stored' && matricesOf(tensors).every(isFloat) ? 'f32' : 'bf16';
}

const matricesOf = (tensors: readonly TensorEntry[]) =>
  tensors.filter(({ shape }) => shape.length > 1);

/**
 * Lays a model out inside wasm and feeds it the tensors of its file, through a staging buffer of
 * 4 MB: the peak is the packed weights and that.
 */
export class ModelLoader {
  readonly plan: ModelPlan;
  /** Threads that share the work: one where there is no memory for as many as were asked for. */
  readonly threads: number;
  /** Whether the weights were kept as they lie in memory. */
  isPacked = false;
  #wasm: Wasm;
  #builder: WasmModelBuilder;
  #indices = new Map<string, number>();

  /**
   * @param beside whose model has the same memory and threads, and outlives this one
   * @throws ModelError for a header whose tensors or numbers are not those of a known model
   */
  constructor(wasm: Wasm, header: ModelHeader, given: LoaderOptions, beside?: ModelLoader) {
    const { weights, guesses } = given;
    this.#wasm = wasm;
    const { batchTokens, threads } = wasm;
    const options = {
      batchTokens,
      threads,
      weights: wasm.module.MatrixForm[weights],
      guesses,
      kv: wasm.module.KvType[kvOf(header.tensors, given)],
    };
    this.#builder = beside
      ? beside.#builder.draftBuilder(options)
      : new wasm.module.ModelBuilder(options);
    try {
      this.plan = this.#lay(header);
      this.threads = this.#builder.threads();
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #lay(header: ModelHeader): ModelPlan {
    const builder = this.#builder;
    const architecture = header.metadata.get('general.architecture');
    if (typeof architecture === 'string') {
      builder.setText('general.architecture', architecture);
      for (const [key, value] of header.metadata) {
        if (!key.startsWith(`${architecture}.`)) continue;
        const numbers = asNumbers(value);
        if (numbers) builder.setNumbers(key, numbers);
        else if (typeof value === 'string') builder.setText(key, value);
      }
    }
    for (const [index, tensor] of header.tensors.entries()) {
      const [columns = 1, ...others] = tensor.shape;
      const rows = others.reduce((product, length) => product * length, 1);
      // Larger ones belong to no model here; a place for them keeps the numbering.
      const fits = columns < 2 ** 31 && rows < 2 ** 31;
      builder.addTensor(tensor.name, tensor.type, fits ? columns : 0, fits ? rows : 0);
      this.#indices.set(tensor.name, index);
    }
    this.#wasm.check(builder.plan());
    return {
      weightsBytes: builder.weightsBytes(),
      stateBytes: builder.stateBytes(),
      kvBytesPerToken: builder.kvPageBytes() / this.#wasm.module.pageTokens,
      scratchBytes: builder.scratchBytes(),
      contextLength: builder.contextLength(),
      vocabSize: builder.vocab(),
      guessBlock: builder.hasGuesses(),
    };
  }

  /**
   * Has the weights' memory filled as it lay once.
   *
   * @returns whether `fill` did, or the file is to be read
   * @throws ModelError `out_of_memory`, what `fill` does
   */
  async fill(fill: (builder: WasmModelBuilder) => Promise<boolean>): Promise<boolean> {
    this.#wasm.check(this.#builder.reserve());
    this.#wasm.makeRoom(this.plan.weightsBytes);
    this.isPacked = await fill(this.#builder);
    if (this.isPacked) this.#builder.finishPacked();
    return this.isPacked;
  }

  /**
   * Streams every tensor the model reads into wasm, where they do not lie packed in storage.
   *
   * @throws ModelError when the file ends early or the memory does not suffice
   */
  async load(
    files: ModelFiles,
    fingerprint: Fingerprint,
    packed?: PackedWeights,
  ): Promise<WasmModel> {
    if (!this.isPacked) {
      await this.fill(async (builder) => packed?.fill(builder, files, fingerprint) ?? false);
    }
    const intake = new TensorIntake(this.#wasm, this.#builder);
    await files.stream(
      (tensor) => !this.isPacked && this.#builder.wants(this.#index(tensor)),
      (tensor, bytes) => {
        fingerprint.take(tensor, bytes);
        intake.take(this.#index(tensor), tensor, bytes);
      },
    );
    if (!this.isPacked) packed?.note(this.#builder);
    const model = new this.#wasm.module.Model();
    try {
      this.#wasm.check(this.#builder.finish(model));
      return model;
    } catch (error) {
      model.delete();
      throw error;
    }
  }

  /** Gives the builder's memory back. */
  dispose(): void {
    this.#builder.delete();
  }

  #index(tensor: TensorEntry): number {
    return this.#indices.get(tensor.name) as number;
  }
}

/** Collects chunks of any length into whole rows in the staging buffer. */
class TensorIntake {
  #wasm: Wasm;
  #builder: WasmModelBuilder;
  #tensor = -1;
  #left = 0;
  #filled = 0;
  #rowBytes = 1;
  #capacity = 0;

  constructor(wasm: Wasm, builder: WasmModelBuilder) {
    this.#wasm = wasm;
    this.#builder = builder;
  }

  take(index: number, tensor: TensorEntry, bytes: Uint8Array): void {
    if (index !== this.#tensor) {
      this.#tensor = index;
      this.#left = tensor.bytes;
      this.#filled = 0;
      this.#rowBytes = this.#builder.rowBytes(index);
      const { stagingBytes } = this.#wasm.module;
      this.#capacity = stagingBytes - (stagingBytes % this.#rowBytes);
    }
    for (let at = 0; at < bytes.byteLength; ) {
      const count = Math.min(bytes.byteLength - at, this.#capacity - this.#filled);
      const target = (this.#builder.staging() >>> 0) + this.#filled;
      // The view is taken anew each time: packing may have grown the memory.
      this.#wasm.module.HEAPU8.set(bytes.subarray(at, at + count), target);
      at += count;
      this.#filled += count;
      this.#left -= count;
      if (this.#filled === this.#capacity || this.#left === 0) this.#pack();
    }
  }

  #pack(): void {
    if (this.#filled % this.#rowBytes !== 0) {
      throw new ModelError('invalid_header', 'a tensor is not a whole number of rows');
    }
    this.#wasm.check(this.#builder.append(this.#tensor, this.#filled / this.#rowBytes));
    this.#filled = 0;
  }
}

function asNumbers(value: HeaderValue): number[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  // A per-layer list is the longest thing an architecture reads.
  if (list.length === 0 || list.length > 65536) return undefined;
  const numbers = list.map((item) =>
    typeof item === 'string' || Array.isArray(item) ? Number.NaN : Number(item),
  );
  return typeof list[0] === 'string' || Array.isArray(list[0]) ? undefined : numbers;
}
