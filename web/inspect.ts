// SPDX-License-Identifier: MIT

import type { Inspected, TensorFacts } from './engine/inspection.js';
import { fetchError } from './errors.js';
import type { MetadataValue } from './gguf/types.js';
import { checkNames, type NamesOf } from './option-names.js';
import {
  checkSignal,
  DEFAULT_BATCH_TOKENS,
  type KvType,
  kvType,
  type WeightForm,
  weightForm,
} from './options.js';
import type { ModelSource } from './sources/byte-source.js';
import { resolveWasm, type WasmOptions } from './wasm/builds.js';
import { Calls } from './worker/calls.js';
import { startHost, usesWorkers } from './worker/hosts.js';
import { type Sent, sendSource } from './worker/posted-source.js';

export type { TensorFacts };

/** What a model file holds and what the model would take. */
export interface Inspection extends Omit<Inspected, 'metadata'> {
  /** What the header says, by GGUF's keys. */
  metadata: Map<string, MetadataValue>;
}

/** How a model is looked at. */
export interface InspectOptions {
  /** Ends it; everything taken so far is freed. */
  signal?: AbortSignal;
  /** As {@link LoadOptions.weights}: what they would take in that form. */
  weights?: WeightForm;
  /** As {@link LoadOptions.kv}. */
  kv?: KvType;
  /**
   * Whether a worker reads the header, which is ended then: by default in pages, where a tokenizer of
   * 250 000 tokens would take 0.1 to 0.2 s of the page's thread. An address is of `fastweights/worker`,
   * for bundlers and hosts that move files.
   */
  worker?: boolean | string | URL;
  /** Where the WebAssembly comes from and which build of it. */
  wasm?: WasmOptions;
}

const NAMES: NamesOf<InspectOptions> = {
  signal: true,
  weights: true,
  kv: true,
  worker: true,
  wasm: true,
};

/**
 * Reads the header of a model file, checks it as a load would, and says what the model would take.
 * Reads no weights.
 *
 * @throws as `loadModel` does for a header that is damaged or of no known model
 */
export async function inspectModel(
  source: ModelSource,
  options: InspectOptions = {},
): Promise<Inspection> {
  checkNames(options, NAMES);
  const { signal } = options;
  const { worker = typeof document === 'object' && usesWorkers() } = options;
  const weights = weightForm(options.weights);
  const kv = kvType(options.kv);
  checkSignal(signal);
  const batchTokens = DEFAULT_BATCH_TOKENS;
  const settings = { wasm: resolveWasm(options.wasm), batchTokens, weights, kv };
  signal?.throwIfAborted();
  const calls = new Calls(await startHost(worker));
  let sent: Sent | undefined;
  try {
    sent = sendSource(source, worker);
    const { given, transfer } = sent;
    const found = await calls.run('inspect', [given, settings], { signal, transfer });
    const { plainMetadata, PostedMetadata } = await import('./gguf/plain-metadata.js').catch(
      (cause: unknown) => {
        throw fetchError(cause, 'inspecting files');
      },
    );
    const { metadata } = found;
    return {
      ...found,
      metadata: worker === false ? plainMetadata(metadata) : new PostedMetadata(metadata),
    };
  } finally {
    sent?.release();
    await calls.dispose();
  }
}
