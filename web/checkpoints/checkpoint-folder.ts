// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { ModelPart } from '../sources/byte-source.js';
import { type CacheSettings, urlKey } from '../sources/cache-settings.js';
import {
  type CheckpointParts,
  FILE_NAMES,
  inFolder,
  type NamedPart,
} from '../sources/checkpoint-parts.js';
import type { Keeping } from '../sources/keeper.js';
import { type FilesOptions, openTensorFiles, type TensorFiles } from '../sources/tensor-files.js';
import { readWhole, type WholeFile } from '../sources/whole-file.js';
import type { ModelCache } from '../storage/models.js';
import { SAFETENSORS, type SafetensorsHeader } from './safetensors.js';
import { checkIndex, shardsOf } from './shard-index.js';

/** The files of a checkpoint beside its weights, those that it has. */
export type CheckpointTexts = { config: string } & {
  [Kind in Exclude<keyof typeof FILE_NAMES, 'config' | 'index'>]?: string;
};

// Real ones: a tokenizer.json of 33 MB, an index of 5 MB; config.json has some kilobytes.
const MOST_BYTES = 1 << 28;
const ONE_FILE = 'model.safetensors';
const EXTRAS = ['tokenizer', 'tokenizerConfig', 'generationConfig', 'chatTemplate'] as const;

/** A checkpoint's files, wherever they are: reads the small ones whole and opens the weights. */
export class CheckpointFolder {
  readonly #parts: CheckpointParts;
  readonly #options: FilesOptions;
  readonly #cache: ModelCache | undefined;
  #small: WholeFile[] = [];
  /** Keys of files that were opened so far: none of them is removed for another. */
  #keys: string[] = [];

  private constructor(
    parts: CheckpointParts,
    options: FilesOptions,
    cache: ModelCache | undefined,
  ) {
    this.#parts = parts;
    this.#options = options;
    this.#cache = cache;
  }

  static async of(
    parts: CheckpointParts,
    options: FilesOptions,
    cache?: ModelCache,
  ): Promise<CheckpointFolder> {
    const store = options.cache && (cache ?? (await import('../storage/models.js')).modelCache);
    return new CheckpointFolder(parts, options, store);
  }

  /** Of the small files: whether all are kept copies, whether all are kept, and why not. */
  get fromCache(): boolean {
    return this.#small.every(({ fromCache }) => fromCache);
  }

  get kept(): boolean {
    return this.#small.every(({ kept }) => kept);
  }

  get notKept(): string | undefined {
    return this.#small.find(({ notKept }) => notKept)?.notKept;
  }

  /**
   * Reads config.json and what there is of the tokenizer.
   *
   * @throws ModelError `not_found` for a file that must be there
   */
  async texts(): Promise<CheckpointTexts> {
    // config.json comes last: where it is kept, the others were found or missed before.
    const complete = await this.#isKept(FILE_NAMES.config);
    const texts: Partial<CheckpointTexts> = {};
    for (const kind of EXTRAS) texts[kind] = await this.#optional(FILE_NAMES[kind], complete);
    if (texts.tokenizer === undefined) {
      const given = this.#given(FILE_NAMES.vocabulary);
      // Of a folder only RWKV's have one.
      const config = given ? '' : await this.#read(FILE_NAMES.config);
      if (given || /"model_type"\s*:\s*"rwkv/.test(config)) {
        texts.vocabulary = await this.#optional(FILE_NAMES.vocabulary, complete);
      }
      if (!given) return { ...texts, config };
    }
    return { ...texts, config: await this.#read(FILE_NAMES.config) };
  }

  /** Opens the weights: those given, or the folder's one file, or what its index names. */
  async weights(): Promise<TensorFiles<SafetensorsHeader>> {
    const given = this.#parts.files.filter(({ name }) => /\.safetensors$/i.test(name));
    if (this.#parts.folder === undefined) {
      if (given.length === 0) throw missing('no .safetensors is among the files', ONE_FILE);
      if (!this.#given(FILE_NAMES.index)) return this.#open(given);
      return this.#indexed(await this.#read(FILE_NAMES.index));
    }
    try {
      return await this.#open([this.#part(ONE_FILE)]);
    } catch (error) {
      const { code } = error as ModelError;
      // Without a connection a kept index tells as much.
      if (code !== 'not_found' && code !== 'network') throw error;
      const index = await this.#read(FILE_NAMES.index).catch((later: ModelError) => {
        throw later.code === 'not_found' || later.code === 'network' ? error : later;
      });
      return this.#indexed(index);
    }
  }

  async #indexed(text: string): Promise<TensorFiles<SafetensorsHeader>> {
    const index = shardsOf(text, FILE_NAMES.index);
    const files = await this.#open(index.files.map((name) => this.#part(name)));
    try {
      checkIndex(index, files.header.tensors);
      return files;
    } catch (error) {
      await files.close();
      throw error;
    }
  }

  async #open(files: NamedPart[]): Promise<TensorFiles<SafetensorsHeader>> {
    const { sha256, cache, ...others } = this.#options;
    if (typeof sha256 === 'string' && files.length > 1) {
      throw new TypeError('sha256 must tell digests by the names of files where there are several');
    }
    const keys = files.map((file) => this.#key(file, cache));
    const settings = cache && { ...cache, keys: [...keys, ...this.#keys] };
    const digests = files.map(({ name }) => (typeof sha256 === 'string' ? sha256 : sha256?.[name]));
    const parts = files.map(({ part }) => part);
    const opening = { ...others, cache: settings, sha256: digests };
    return openTensorFiles(parts, SAFETENSORS, opening, this.#cache);
  }

  /** @param complete whether a load before this one has looked for the file */
  async #optional(name: string, complete: boolean): Promise<string | undefined> {
    if (this.#parts.folder === undefined && !this.#given(name)) return undefined;
    try {
      return await this.#read(name);
    } catch (error) {
      const { code } = error as ModelError;
      const offline = code === 'network' && complete && !(await this.#isKept(name));
      if (!this.#given(name) && (code === 'not_found' || offline)) return undefined;
      throw error;
    }
  }

  async #read(name: string): Promise<string> {
    const { signal, stallTimeout, sha256 } = this.#options;
    const file = this.#part(name);
    const digest = typeof sha256 === 'object' ? sha256[name] : undefined;
    const options = { signal, stallTimeout, sha256: digest, keeping: this.#keeping(file) };
    const whole = await readWhole(file.part, options, MOST_BYTES);
    this.#small.push(whole);
    return whole.text;
  }

  #keeping(file: NamedPart): Keeping | undefined {
    const settings = this.#options.cache;
    const key = this.#key(file, settings);
    if (!this.#cache || !settings || key === undefined) return undefined;
    this.#keys.push(key);
    const onWait = (loaded: number, total: number | undefined) =>
      this.#options.onProgress?.({ phase: 'waiting', loaded, total });
    const own = { ...settings, keys: this.#keys };
    return { cache: this.#cache, settings: own, key, peek: false, onWait };
  }

  #key({ name, part }: NamedPart, settings: CacheSettings | undefined): string | undefined {
    const url = urlKey(part);
    if (!settings || url === undefined) return undefined;
    if (settings.folder !== undefined) return settings.folder + name;
    const given = this.#parts.files.findIndex((file) => file.name === name);
    return settings.keys[given] ?? url;
  }

  async #isKept(name: string): Promise<boolean> {
    if (!this.#cache || (this.#parts.folder === undefined && !this.#given(name))) return false;
    const key = this.#key(this.#part(name), this.#options.cache);
    const held = key && (await this.#cache.find(key).catch(() => undefined));
    if (held) held.release();
    return Boolean(held);
  }

  #given(name: string): ModelPart | undefined {
    return this.#parts.files.find((file) => file.name === name)?.part;
  }

  #part(name: string): NamedPart {
    const given = this.#given(name);
    if (given !== undefined) return { name, part: given };
    const { folder } = this.#parts;
    if (folder === undefined) throw missing(`${name} is not among the files`, name);
    return { name, part: inFolder(folder, name) };
  }
}

function missing(message: string, subject: string): ModelError {
  return new ModelError('not_found', `the checkpoint is incomplete: ${message}`, { subject });
}
