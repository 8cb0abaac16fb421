// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { ModelHeader } from '../gguf/types.js';
import type { CacheSettings } from '../sources/cache-settings.js';
import type { LoadProgress, ModelFiles } from '../sources/model-files.js';
import type { Version } from '../storage/file-names.js';
import { keyOf } from '../storage/key-of.js';
import type { KeyedFiles } from '../storage/keyed-files.js';
import { modelCache, packedKey } from '../storage/models.js';
import { Tokenizer } from '../text/tokenizer.js';
import type { WasmModelBuilder } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';
import { type KeptHeader, readKeptHeader } from './kept-header.js';
import { formOf, type LoaderOptions, ModelLoader, productsOf } from './model-loader.js';
import { PackedEntry } from './packed-entry.js';

/** What a load wants of what an earlier one has kept. */
interface Wanted extends LoaderOptions {
  cache: CacheSettings;
  signal: AbortSignal;
  onProgress: ((progress: LoadProgress) => void) | undefined;
}

/** A model whose weights are in memory, but for `finish`. */
interface Kept {
  files: KeptModel;
  loader: ModelLoader;
  tokenizer: Tokenizer;
}

/**
 * Reads a model that was kept whole: of its file nothing is opened. Where anything is not as it must be, the
 * file is to be read.
 *
 * @returns `wasm` is the instance that is used from now on, if `instance` was waited for
 * @throws the signal's reason; ModelError `out_of_memory`, `wasm`
 */
export async function loadKept(
  instance: Promise<Wasm>,
  wanted: Wanted,
): Promise<{ wasm?: Wasm; kept?: Kept }> {
  const files = await KeptModel.find(wanted);
  if (!files) return {};
  let wasm: Wasm | undefined;
  let loader: ModelLoader | undefined;
  try {
    // Both while the core is fetched and compiled.
    const found = await files.readHeader();
    if (!found) return {};
    const tokenizer = await Tokenizer.open(found.header.metadata, found.pairs);
    const first = await instance;
    wasm = first;
    wasm = await first.exactFor(productsOf(found.header.tensors, wanted));
    const filled = wasm;
    loader = new ModelLoader(wasm, found.header, wanted);
    const { plan } = loader;
    const isWanted = formOf(wanted.weights, plan.guessBlock) === files.form;
    if (isWanted && tokenizer.vocabSize <= plan.vocabSize) {
      await loader.fill((builder) => files.fill(filled, builder));
      if (loader.isPacked) return { wasm, kept: { files, loader, tokenizer } };
    }
  } catch (error) {
    const isOurs = error instanceof ModelError && !['out_of_memory', 'wasm'].includes(error.code);
    if (wanted.signal.aborted || (error instanceof ModelError && !isOurs)) {
      loader?.dispose();
      loader = undefined;
      wasm?.dispose();
      throw wanted.signal.aborted ? wanted.signal.reason : error;
    }
  } finally {
    if (!loader?.isPacked) {
      loader?.dispose();
      await files.close();
    }
  }
  return { wasm };
}

/**
 * A model whose weights and header are read from one entry, and nothing from its file, which must be kept
 * as it was. Whoever finds something wrong with it opens the file.
 */
class KeptModel implements ModelFiles {
  readonly fromCache = true;
  readonly kept = true;
  readonly notKept = undefined;
  readonly totalBytes: number;
  readonly keptAs: readonly string[];
  /** The form that its weights have. */
  readonly form: string;
  #header: ModelHeader | undefined;
  readonly #files: KeyedFiles;
  readonly #file: Version;
  readonly #wanted: Wanted;
  #entry: PackedEntry | undefined;
  #used: Promise<unknown> | undefined;

  private constructor(
    wanted: Wanted,
    found: { files: KeyedFiles; file: Version; form: string; entry: PackedEntry },
  ) {
    this.#wanted = wanted;
    this.#files = found.files;
    this.#file = found.file;
    this.form = found.form;
    this.#entry = found.entry;
    this.totalBytes = found.file.bytes;
    this.keptAs = [found.file.id];
  }

  /** Undefined where the model is not kept so. */
  static async find(wanted: Wanted): Promise<KeptModel | undefined> {
    const [key] = wanted.cache.keys;
    if (key === undefined || wanted.cache.keys.length > 1) return undefined;
    const files = await modelCache.files().catch(() => undefined);
    const versions = (await files?.list().catch(() => [])) ?? [];
    const latest = (name: string) => versions.find((version) => version.key === name);
    const file = latest(keyOf(key));
    if (!files || !file) return undefined;
    const forms = wanted.guesses ? [true, false] : [false];
    for (const form of forms.map((guesses) => formOf(wanted.weights, guesses))) {
      const version = latest(packedKey(key, form));
      const entry = version && (await PackedEntry.open(files, version, file.id));
      if (entry) return new KeptModel(wanted, { files, file, form, entry });
    }
    return undefined;
  }

  /** What is kept in the place of its header; undefined where that is nothing, or nonsense. */
  async readHeader(): Promise<KeptHeader | undefined> {
    try {
      const bytes = await this.#entry?.readHead();
      const found = bytes && readKeptHeader(bytes, this.#file.bytes);
      this.#header = found?.header;
      return found;
    } catch {
      return undefined;
    }
  }

  get header(): ModelHeader {
    return this.#header as ModelHeader;
  }

  get fingerprint(): string {
    return this.#entry?.facts.fingerprint ?? '';
  }

  /** Fills the memory of its weights, unless they are not what they were. @throws the signal's reason */
  async fill(wasm: Wasm, builder: WasmModelBuilder): Promise<boolean> {
    // Both are in a few messages to another process, which answers while this thread reads.
    this.#used = Promise.all([this.#files.use(this.#file).catch(() => {}), this.#entry?.use()]);
    return (await this.#entry?.fill(wasm, builder, this.#wanted.signal)) ?? false;
  }

  async stream(): Promise<void> {
    await this.#used;
    await this.close();
    const total = this.totalBytes;
    this.#wanted.onProgress?.({ phase: 'cache', loaded: total, total });
  }

  async close(): Promise<void> {
    this.#entry?.close();
    this.#entry = undefined;
  }
}
