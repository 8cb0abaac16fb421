// SPDX-License-Identifier: MIT

import type { DraftSettings, EngineFacts, PrefixOptions } from './engine/types.js';
import { Model } from './model.js';
import { checkNames, type NamesOf } from './option-names.js';
import {
  checkCallback,
  checkSignal,
  checkTimeout,
  flag,
  type KvType,
  kvType,
  type WeightForm,
  weightForm,
  workSettings,
} from './options.js';
import type { ModelSource } from './sources/byte-source.js';
import { cacheSettings } from './sources/cache-settings.js';
import type { LoadProgress } from './sources/model-files.js';
import type { CacheOptions } from './storage/models.js';
import { resolveWasm, type WasmOptions } from './wasm/builds.js';
import { threadCount } from './wasm/threads.js';
import { Calls } from './worker/calls.js';
import { startHost, usesWorkers } from './worker/hosts.js';
import { type Sent, sendSource } from './worker/posted-source.js';

/** How a model is loaded and where it runs. */
export interface LoadOptions {
  /** Called as bytes arrive. */
  onProgress?: (progress: LoadProgress) => void;
  /** Ends the load; everything taken so far is freed. */
  signal?: AbortSignal;
  /**
   * Keep the file in this browser (OPFS, else the Cache API) and use the kept copy. Where it cannot be
   * kept the load goes on, and `model.facts.notKept` says why. A download that is interrupted is gone
   * on with; one that another tab has begun is waited for.
   */
  cache?: boolean | CacheOptions;
  /**
   * Hex digest that the file must have, of a checkpoint its one file of weights; or digests by the
   * names of a checkpoint's files.
   */
  sha256?: string | Record<string, string>;
  /**
   * Milliseconds to wait for a server's next bytes, more than 0. Default 60 000. A connection that
   * brings none for so long counts as dropped: it is asked for the rest again, three times in a row at
   * most.
   */
  stallTimeout?: number;
  /**
   * Whether the model runs in a worker: by default it does in browsers, and runs in this thread
   * elsewhere (Node, Deno, Bun), where a program would not end before its worker has. An address or a
   * Worker of `fastweights/worker` is for bundlers and hosts that move files.
   */
  worker?: boolean | Worker | string | URL;
  /**
   * Threads that share the model's work, a whole number from 1 to 64. Default: half the logical
   * cores, at most 8. One runs where the page is not cross-origin isolated, as memory cannot be
   * shared there; `model.facts.threads` says how many do.
   */
  threads?: number;
  /**
   * Most tokens of a prompt that are read at once, a whole number from 1 to 2048. Default 512. Fewer
   * take less memory and make an abort heard sooner, but are read more slowly.
   */
  batchTokens?: number;
  /**
   * How matrices lie in memory. `stored`, the default: as precise as in the file.
   *
   * `q8_0`, `q4_0` and `q4_k` (8.5, 4.5 and 4.5 bits a weight): those whose type has more bits than
   * that are quantised while they load, row by row; those that have no more stay as they are. Q8_0
   * and Q4_0 come out as llama.cpp's quantiser writes them, Q4_K by the same search. Rows that are
   * no multiple of 256 weights get Q5_0 for `q4_k`; those that are none of 32 stay. So do norms,
   * biases, convolutions and the low-rank matrices of RWKV's gates, which are small.
   *
   * `qc8`: each is requantised, whatever its type, to int8 with one scale a row, and inputs to int8
   * with one scale a token. That takes a byte a weight and is less exact.
   */
  weights?: WeightForm;
  /**
   * How softmax layers keep keys and values, which is what a long text takes in memory and reads for
   * each token: `f32`; `bf16` in half as many bytes; `int8` in a quarter, with one scale for each head's
   * key or value of a token. Default `bf16` where a matrix is quantised, `f32` where all are floats.
   */
  kv?: KvType;
  /**
   * Keep the states after texts' beginnings that {@link Model.keepPrefix} names, so that nobody reads
   * them again: `true` in memory, `{ storedBytes }` in this browser's storage too. Default false.
   */
  prefixes?: boolean | PrefixOptions;
  /**
   * Most bytes of WebAssembly memory that the places between answers' tokens take, see
   * {@link SessionOptions.answerPlaces}: those of all sessions together. Default 2^27 (134 MB).
   */
  placeBytes?: number;
  /**
   * Whether texts are written with guesses unless their calls say otherwise, see
   * {@link GenerationOptions.speculate}. A file's own block for them (multi-token prediction, Qwen3.5's
   * `mtp`) is loaded too, where there is one: `model.facts.guessBlock` says so. It takes its weights'
   * memory, and of each session the keys and values of 192 tokens and the hidden states of 64. Default:
   * true with a `draft`, else false.
   */
  speculate?: boolean;
  /**
   * A small model of the same vocabulary that guesses several tokens ahead, which the model then checks
   * in one pass: see {@link GenerationOptions.speculate}, whose default it makes true. It may be of any
   * architecture that runs here, lies in memory as `weights` says, and is kept where `cache` says so.
   * `model.facts.draft` says what it takes, and each text that is guessed has a state of it.
   */
  draft?: ModelSource | DraftOptions;
  /** Where the WebAssembly comes from and which build of it. */
  wasm?: WasmOptions;
}

/** A draft with what is to be known of its file. */
export interface DraftOptions {
  source: ModelSource;
  /** As {@link LoadOptions.sha256}. */
  sha256?: string | Record<string, string>;
}

const NAMES: NamesOf<LoadOptions> = {
  onProgress: true,
  signal: true,
  cache: true,
  sha256: true,
  stallTimeout: true,
  worker: true,
  threads: true,
  batchTokens: true,
  weights: true,
  kv: true,
  prefixes: true,
  placeBytes: true,
  speculate: true,
  draft: true,
  wasm: true,
};
const DRAFT_NAMES: NamesOf<DraftOptions> = { source: true, sha256: true };

/**
 * Loads a GGUF, or a safetensors checkpoint in Hugging Face's layout. Its bytes go to WebAssembly
 * memory as they arrive.
 *
 * @param source a URL, a File or Blob, a stream, bytes, in Node a path; the parts of a split file; of
 * a checkpoint its folder (an address that ends in `/`, in Node a path), its files, or a `FileList`'s
 * @throws ModelError saying what is wrong with the model or its transport; TypeError or RangeError
 * for wrong arguments; the signal's reason. Everything is freed then.
 */
export async function loadModel(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  checkNames(options, NAMES);
  const { onProgress, signal, cache, sha256, stallTimeout, prefixes } = options;
  const { worker = usesWorkers() } = options;
  checkCallback(onProgress, 'onProgress');
  const { threads, batchTokens, placeBytes } = workSettings(options);
  const weights = weightForm(options.weights);
  const draft = draftSettings(options);
  const speculate = flag(options, 'speculate', draft !== undefined);
  const kv = kvType(options.kv);
  const keeping = cacheSettings(source, cache);
  checkSignal(signal);
  checkTimeout(stallTimeout);
  signal?.throwIfAborted();
  const inPage = worker === false && typeof document === 'object';
  const wasm = resolveWasm(options.wasm, {
    threads: await threadCount(threads, inPage),
    chosen: threads !== undefined,
  });
  const calls = new Calls(await startHost(worker));
  const settings = {
    wasm,
    batchTokens,
    weights,
    speculate,
    kv,
    cache: keeping,
    sha256,
    stallTimeout,
    prefixes,
    placeBytes,
    draft,
  };
  try {
    const sent: Sent[] = [];
    const send = (given: ModelSource): ModelSource => {
      const one = sendSource(given, worker);
      sent.push(one);
      return one.given;
    };
    let facts: EngineFacts;
    try {
      const posted = send(source);
      if (draft) draft.source = send(draft.source as ModelSource);
      const transfer = sent.flatMap(({ transfer }) => transfer);
      const reading = { signal, onProgress, transfer, late };
      facts = await calls.run('load', [posted, settings], reading);
    } finally {
      for (const { release } of sent) release();
    }
    if (facts.kept && !facts.fromCache) askToPersist(cache);
    return new Model(calls, facts);
  } catch (error) {
    await calls.dispose();
    throw error;
  }
}

// What another file is called in the cache is no name for this one.
function draftSettings({ draft, cache }: LoadOptions): DraftSettings | undefined {
  if (draft === undefined) return undefined;
  const isOptions = typeof draft === 'object' && draft !== null && 'source' in draft;
  if (isOptions) checkNames(draft, DRAFT_NAMES, 'draft.');
  const { source, sha256 }: DraftOptions = isOptions ? draft : { source: draft };
  const named = typeof cache === 'object' && typeof cache.cacheKey === 'string';
  const keeping = cacheSettings(source, named ? { ...cache, cacheKey: undefined } : cache);
  return { source, sha256, cache: keeping };
}

// A model that came too late is freed with its engine.
function late(): void {}

// Only pages may ask. Whatever the answer is, and however long their user takes, the model is there.
function askToPersist(cache: LoadOptions['cache']): void {
  if (typeof cache === 'object' && cache.persist === false) return;
  globalThis.navigator?.storage?.persist?.().catch(() => {});
}
