// SPDX-License-Identifier: MIT
import type { ModelHeader, TensorEntry } from '../gguf/types.js';
import { layerCount } from './layer-count.js';

// Of each tensor, from its start.
const SAMPLE_BYTES = 64;

/**
 * What tells a model from others, for states that go with it alone: architecture, hyper-parameters,
 * the table of tensors, and the first bytes of each that texts depend on.
 */
export class Fingerprint {
  #header: ModelHeader;
  #layers: number;
  #samples = new Map<string, number[]>();
  #digest: Promise<string> | undefined;

  constructor(header: ModelHeader) {
    this.#header = header;
    this.#layers = layerCount(header.metadata);
  }

  /** Takes what it wants of a tensor's bytes, which come in order. */
  take(tensor: TensorEntry, bytes: Uint8Array): void {
    // What guesses with, which not every load reads.
    const [, layer] = /^blk\.(\d+)\./.exec(tensor.name) ?? [];
    if (Number(layer) >= this.#layers) return;
    const sample = this.#samples.get(tensor.name) ?? [];
    if (sample.length >= SAMPLE_BYTES) return;
    sample.push(...bytes.subarray(0, SAMPLE_BYTES - sample.length));
    this.#samples.set(tensor.name, sample);
  }

  /** Takes what a fingerprint was once found to be, in place of bytes. */
  is(digest: string): void {
    this.#digest = Promise.resolve(digest);
  }

  /** 64 hex digits, computed when first asked for. */
  digest(): Promise<string> {
    this.#digest ??= this.#compute();
    return this.#digest;
  }

  async #compute(): Promise<string> {
    const { Sha256 } = await import('../storage/sha256.js');
    const { metadata, tensors } = this.#header;
    const architecture = metadata.get('general.architecture');
    const parameters = [...metadata].filter(([key]) => key.startsWith(`${architecture}.`));
    const table = tensors.map(({ name, type, shape }) => [name, type, shape]);
    // A header's whole numbers may be bigints.
    const text = JSON.stringify(
      [architecture, parameters, table, [...this.#samples]],
      (_, value) => (typeof value === 'bigint' ? `${value}` : value),
    );
    const hash = new Sha256();
    hash.add(new TextEncoder().encode(text));
    return hash.hex();
  }
}
