// SPDX-License-Identifier: MIT
// Fetched only where a model is given a draft.

import { ModelError, shown } from '../errors.js';
import type { LoadProgress, ModelFiles } from '../sources/model-files.js';
import type { FilesOptions } from '../sources/tensor-files.js';
import { Tokenizer } from '../text/tokenizer.js';
import type { WasmModel } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';
import { DraftText } from './draft-text.js';
import { Fingerprint } from './fingerprint.js';
import { type GuessRecord, newRecord } from './guess-policy.js';
import { type LoaderOptions, ModelLoader } from './model-loader.js';
import { openSource } from './model-source.js';
import type { DraftFacts, DraftSettings } from './types.js';

/** A small model beside another one of the same vocabulary, whose texts it guesses. */
export interface DraftModel {
  facts: DraftFacts;
  /** What its guesses have come to, in all texts. */
  record: GuessRecord;
  /** A text of its own beside a text of the other one. */
  text(): DraftText;
  delete(): void;
}

/** A draft whose header has been read. */
export class DraftFile {
  readonly files: ModelFiles;
  readonly tokenizer: Tokenizer;
  readonly #name: string;

  private constructor(files: ModelFiles, tokenizer: Tokenizer, name: string) {
    this.files = files;
    this.tokenizer = tokenizer;
    this.#name = name;
  }

  /** @throws what opening a model does, saying that it is the draft */
  static async open(settings: DraftSettings, options: FilesOptions): Promise<DraftFile> {
    const { source, cache, sha256 } = settings;
    const name = nameOf(settings);
    return asDraft(name, async () => {
      const files = await openSource(source, { ...options, cache, sha256 });
      try {
        return new DraftFile(files, await Tokenizer.open(files.header.metadata), name);
      } catch (error) {
        await files.close();
        throw error;
      }
    });
  }

  /**
   * How many tokens the other model has that mean the same to both: what only one of them has beyond
   * is unused.
   *
   * @param rows tokens of the other model, with those that have no text
   * @throws ModelError `wrong_model` saying what differs
   */
  #commonTokens(tokenizer: Tokenizer, rows: number): number {
    const [ours, theirs] = [tokenizer, this.tokenizer];
    const count = Math.min(ours.vocabSize, theirs.vocabSize);
    const differs = (what: string) =>
      new ModelError('wrong_model', `the draft has another vocabulary: ${what} (${this.#name})`, {
        subject: this.#name,
      });
    if (ours.hasTexts !== theirs.hasTexts) {
      throw differs(`${ours.hasTexts ? 'it' : 'the model'} has no tokenizer`);
    }
    for (let id = 0; id < count; id++) {
      if (ours.isUnused(id) && theirs.isUnused(id)) continue;
      const [mine, other] = [ours.text(id), theirs.text(id)];
      if (mine !== other) {
        throw differs(`token ${id} is ${shown(other)}, the model's is ${shown(mine)}`);
      }
    }
    for (const longer of [ours, theirs]) {
      for (let id = count; id < longer.vocabSize; id++) {
        if (longer.isUnused(id)) continue;
        throw differs(`it has ${theirs.vocabSize} tokens, the model ${ours.vocabSize}`);
      }
    }
    return ours.hasTexts ? count : rows;
  }

  /**
   * Loads it into the memory of the other model, and closes its files.
   *
   * @param tokenizer of the other model
   * @throws ModelError `wrong_model` where the vocabulary is another; what loading a model does, saying
   * that it is the draft
   */
  async load(
    wasm: Wasm,
    beside: ModelLoader,
    tokenizer: Tokenizer,
    form: Pick<LoaderOptions, 'weights' | 'kv'>,
  ): Promise<DraftModel> {
    const tokens = this.#commonTokens(tokenizer, beside.plan.vocabSize);
    const { header } = this.files;
    return asDraft(this.#name, async () => {
      const loader = new ModelLoader(wasm, header, { ...form, guesses: false }, beside);
      try {
        const model = await loader.load(this.files, new Fingerprint(header));
        const { vocabSize, scratchBytes, weightsBytes, kvBytesPerToken } = loader.plan;
        const name = header.metadata.get('general.name');
        const facts: DraftFacts = {
          architecture: String(header.metadata.get('general.architecture')),
          name: typeof name === 'string' ? name : undefined,
          weightsBytes,
          stateBytes: model.draftBytes(),
          kvBytesPerToken,
          scratchBytes,
        };
        return loaded(wasm, model, facts, Math.min(tokens, vocabSize));
      } finally {
        loader.dispose();
        await this.files.close();
      }
    });
  }
}

function loaded(wasm: Wasm, model: WasmModel, facts: DraftFacts, tokens: number): DraftModel {
  const record = newRecord('draft');
  const text = () => new DraftText(wasm, { model, tokens, facts, record });
  return { facts, record, text, delete: () => model.delete() };
}

/** What hears how far several files are, as one load. */
export function together(
  tell: (progress: LoadProgress) => void,
): [(progress: LoadProgress) => void, (progress: LoadProgress) => void] {
  const files: LoadProgress[] = [];
  const of = (which: number) => (progress: LoadProgress) => {
    files[which] = progress;
    const loaded = files.reduce((sum, file) => sum + file.loaded, 0);
    const known = files.length === 2 && files.every(({ total }) => total !== undefined);
    const total = known ? files.reduce((sum, file) => sum + (file.total ?? 0), 0) : undefined;
    tell({ ...progress, loaded, total });
  };
  return [of(0), of(1)];
}

async function asDraft<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ModelError)) throw cause;
    const { code, message, subject = name } = cause;
    throw new ModelError(code, `the draft: ${message}`, { subject, cause });
  }
}

function nameOf({ source }: DraftSettings): string {
  if (typeof source === 'string') return source;
  const { href, name } = (source ?? {}) as { href?: string; name?: string };
  return href ?? name ?? 'the draft';
}
