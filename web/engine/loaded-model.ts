// SPDX-License-Identifier: MIT

import { fetchError, ModelError } from '../errors.js';
import type { ModelHeader } from '../gguf/types.js';
import type { LoadProgress, ModelFiles } from '../sources/model-files.js';
import { Tokenizer } from '../text/tokenizer.js';
import type { WasmModel } from '../wasm/glue.js';
import { Wasm } from '../wasm/wasm.js';
import { Decoder } from './decoder.js';
import type { DraftFile, DraftModel } from './draft-model.js';
import { Fingerprint } from './fingerprint.js';
import { layerCount } from './layer-count.js';
import { formOf, ModelLoader, productsOf } from './model-loader.js';
import { type GivenSource, openSource } from './model-source.js';
import type { Prefixes } from './prefixes.js';
import { Trails } from './trails.js';
import type { EngineFacts, EngineOptions } from './types.js';

/** A model in memory, with its tokenizer and what its file says. */
export interface LoadedModel {
  wasm: Wasm;
  model: WasmModel;
  decoder: Decoder;
  header: ModelHeader;
  facts: EngineFacts;
  tokenizer: Tokenizer;
  fingerprint: Fingerprint;
  prefixes: Prefixes | undefined;
  trails: Trails;
  draft: DraftModel | undefined;
}

const drafts = () =>
  import('./draft-model.js').catch((cause: unknown) => {
    throw fetchError(cause, 'drafts');
  });

const packedModels = () => import('./packed.js');

/**
 * Reads a model into a WebAssembly instance of its own.
 *
 * @throws ModelError for what is wrong with the file or its transport; the signal's reason.
 * Everything is given back then.
 */
export async function openModel(
  source: GivenSource,
  {
    wasm: wasmSource,
    batchTokens,
    weights,
    speculate,
    kv,
    cache,
    sha256,
    stallTimeout,
    prefixes: prefixOptions,
    placeBytes = 0,
    draft: drafting,
  }: EngineOptions,
  signal: AbortSignal,
  onProgress?: (progress: LoadProgress) => void,
): Promise<LoadedModel> {
  const started = performance.now();
  let wasm: Wasm | undefined;
  let loader: ModelLoader | undefined;
  let loaded: LoadedModel | undefined;
  let files: ModelFiles | undefined;
  let draftFile: DraftFile | undefined;
  let draft: DraftModel | undefined;
  // Fetched and compiled, and its threads started, while the header is on its way.
  const instance = Wasm.instantiate(wasmSource, batchTokens);
  // Told where it is waited for, if anything comes of the rest.
  instance.catch(() => {});
  try {
    const digest = () => (loaded as LoadedModel).fingerprint.digest();
    const prefixes = prefixOptions
      ? await (await import('./prefixes.js')).openPrefixes(
          prefixOptions,
          `${weights}-${kv ?? 'default'}`,
          digest,
        )
      : undefined;
    const tell = drafting && onProgress && (await drafts()).together(onProgress);
    const reading = { signal, stallTimeout };
    const form = { weights, kv, guesses: speculate };
    // With a digest, a question to the server or a draft there is more to read.
    const isEnough = cache?.packed && !cache.revalidate && sha256 === undefined && !drafting;
    const read = isEnough
      ? await (await packedModels()).loadKept(instance, { ...form, cache, signal, onProgress })
      : {};
    const { kept } = read;
    wasm = read.wasm;
    loader = kept?.loader;
    files = kept?.files;
    files ??= await openSource(source, {
      ...{ ...reading, cache, sha256 },
      onProgress: tell?.[0] ?? onProgress,
    });
    const { header } = files;
    const tokenizer = kept?.tokenizer ?? (await Tokenizer.open(header.metadata));
    if (drafting) {
      const { DraftFile } = await drafts();
      draftFile = await DraftFile.open(drafting, { ...reading, onProgress: tell?.[1] });
    }
    const tensors = [...header.tensors, ...(draftFile?.files.header.tensors ?? [])];
    wasm ??= await instance;
    if (!loader) {
      wasm = await wasm.exactFor(productsOf(tensors, form));
      loader = new ModelLoader(wasm, header, form);
    }
    if (tokenizer.vocabSize > loader.plan.vocabSize) {
      throw new ModelError('invalid_metadata', 'the tokenizer has more tokens than the model');
    }
    // It is small: the other file waits at its header meanwhile.
    draft = await draftFile?.load(wasm, loader, tokenizer, { weights, kv });
    const fingerprint = new Fingerprint(header);
    if (kept) fingerprint.is(kept.files.fingerprint);
    const taken = formOf(weights, loader.plan.guessBlock);
    const packed =
      cache?.packed && !kept
        ? await (await packedModels()).PackedWeights.of({ wasm, weights: taken, cache, signal })
        : undefined;
    const model = await loader.load(files, fingerprint, packed);
    // By now they are as many as the file has rows.
    tokenizer.padTo(loader.plan.vocabSize);
    signal.throwIfAborted();
    const name = header.metadata.get('general.name');
    const { kvBytesPerToken, contextLength } = loader.plan;
    const architecture = String(header.metadata.get('general.architecture'));
    const number = (key: string) => Number(header.metadata.get(`${architecture}.${key}`) ?? 0);
    const facts: EngineFacts = {
      ...loader.plan,
      layerCount: layerCount(header.metadata),
      speculate,
      draft: draft?.facts,
      embeddingLength: number('embedding_length'),
      contextWindow: kvBytesPerToken === 0 ? Number.POSITIVE_INFINITY : contextLength,
      architecture,
      name: typeof name === 'string' ? name : undefined,
      build: wasm.build,
      threads: loader.threads,
      loadMs: performance.now() - started,
      fromCache: files.fromCache,
      kept: files.kept,
      notKept: files.notKept,
      packed: loader.isPacked,
    };
    const decoder = new Decoder(wasm, model);
    const trails = new Trails(placeBytes, wasm.module.mostGuesses);
    const texts = { decoder, tokenizer, prefixes, trails, draft };
    loaded = { wasm, model, header, facts, fingerprint, ...texts };
    // Beside whatever the model does from now on.
    if (!loader.isPacked) packed?.keep(files, fingerprint, tokenizer).catch(() => {});
    return loaded;
  } finally {
    try {
      loader?.dispose();
    } finally {
      if (!loaded) {
        wasm?.dispose();
        // Not waited for: a server may never answer.
        instance.then(
          (first) => first.dispose(),
          () => {},
        );
      }
      await Promise.all([files?.close(), draftFile?.files.close()]);
    }
  }
}
