// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import { TextColumn } from '../gguf/text-column.js';
import type { Metadata } from '../gguf/types.js';
import type { MergePairs } from './pair-table.js';
import type { OpenedModel, TextModel, TextModels } from './text-model.js';
import { openTextModel, otherModels } from './text-models.js';
import { endIds, TokenKind, type Vocabulary } from './vocabulary.js';

/** What {@link Tokenizer.encode} does beside merging. */
export interface EncodeOptions {
  /** Read control tokens written out in the text as tokens. Default true; false for text of others. */
  special?: boolean;
  /** The text was marked by {@link ControlTexts}: these. Default: it was not. */
  marked?: ReadonlySet<string>;
  /** Start with the BOS token. Default: what the file says, and not after another token. */
  bos?: boolean;
  /** End with the EOS token. Default: what the file says. */
  eos?: boolean;
  /** The id that the text comes after; without, the text is the beginning. */
  after?: number;
}

/** What {@link Tokenizer.decode} shows. */
export interface DecodeOptions {
  /** Show control tokens. Default true. */
  special?: boolean;
  /** The ids are a whole text: without the space that encoding puts before one. Default false. */
  whole?: boolean;
}

const utf8 = new TextEncoder();
const NOTHING = new Uint8Array(0);
const NO_TEXTS = TextColumn.of([]);

/** Text to token ids and back, as the model file describes it. */
export class Tokenizer {
  /** Ids that end an answer: end of sequence, end of turn and their kin. */
  readonly endTokens: ReadonlySet<number>;
  /** The token that starts a text, if the model has one. */
  readonly bosToken: number | undefined;
  /** The token that ends a text, if the model has one. */
  readonly eosToken: number | undefined;
  #vocabulary: Vocabulary;
  #model: TextModel | undefined;

  private constructor({ vocabulary, model }: Partial<OpenedModel> & { vocabulary: Vocabulary }) {
    this.#vocabulary = vocabulary;
    this.#model = model;
    this.endTokens = vocabulary.endTokens;
    this.bosToken = vocabulary.bosToken;
    this.eosToken = vocabulary.eosToken;
  }

  /**
   * Builds the tokenizer of a file, after what its kind needs is there. Where a file has none, its ids
   * have no texts.
   *
   * @param pairs what another one of this file had as {@link pairs}, in the place of its merges
   * @throws ModelError `unsupported_tokenizer` naming the model or pre-tokenizer, `invalid_metadata`
   * when the keys contradict each other, `network` when the code for it cannot be fetched
   */
  static async open(metadata: Metadata, pairs?: MergePairs): Promise<Tokenizer> {
    return Tokenizer.fromMetadata(metadata, await otherModels(metadata), pairs);
  }

  /** The same at once; `others` are kinds beside byte-level BPE. */
  static fromMetadata(metadata: Metadata, others?: TextModels, pairs?: MergePairs): Tokenizer {
    const model = metadata.get('tokenizer.ggml.model');
    const hasNone = model === 'none' || model === 'no_vocab';
    if (hasNone || !metadata.has('tokenizer.ggml.tokens')) {
      return new Tokenizer({ vocabulary: withoutTexts(metadata) });
    }
    return new Tokenizer(openTextModel(metadata, others, pairs));
  }

  /** What its merges come to, if another one can be made with this and without them. */
  get pairs(): MergePairs | undefined {
    return this.#model?.pairs;
  }

  /** Whether ids have texts. */
  get hasTexts(): boolean {
    return this.#model !== undefined;
  }

  /** @throws ModelError `unsupported_tokenizer` saying that there is none, where that is so */
  requireTexts(): void {
    this.#texts();
  }

  /** Number of tokens, ids 0 to this minus 1. */
  get vocabSize(): number {
    return this.#vocabulary.tokens.length;
  }

  /** Counts ids up to `size` as unused tokens: a model may have more rows than there are texts. */
  padTo(size: number): void {
    const { tokens, kinds } = this.#vocabulary;
    if (size <= tokens.length) return;
    const padded = new Uint8Array(size).fill(TokenKind.Unused);
    padded.set(kinds);
    this.#vocabulary = {
      ...this.#vocabulary,
      tokens: tokens.padTo(size),
      kinds: padded,
    };
  }

  /**
   * The ids of a text. Time grows about linearly with its length.
   *
   * @throws ModelError `unsupported_tokenizer` when a BOS or EOS token is asked for and the model has
   * none, or when it has no tokenizer
   */
  encode(text: string, options: EncodeOptions = {}): number[] {
    if (typeof text !== 'string') throw new TypeError('the text to encode must be a string');
    const model = this.#texts();
    const { addBos, addEos } = this.#vocabulary;
    const { after, special = true, marked } = options;
    const begins = after === undefined;
    const ids: number[] = [];
    const add = (wanted: boolean | undefined, otherwise: boolean, id?: number, name = 'BOS') => {
      if (wanted && id === undefined) {
        throw new ModelError('unsupported_tokenizer', `this model has no ${name} token`);
      }
      if ((wanted ?? otherwise) && id !== undefined) ids.push(id);
    };
    add(options.bos, begins && (addBos ?? model.addBos), this.bosToken);
    const follows = begins || this.#isNoText(after);
    // A half of a character is what TextEncoder makes of it, wherever it stands.
    const whole = text.replace(/\p{Surrogate}/gu, '\ufffd');
    model.encode(whole, { special, begins, follows, marked }, ids);
    add(options.eos, addEos ?? false, this.eosToken, 'EOS');
    return ids;
  }

  /**
   * The text of ids. Bytes that do not make UTF-8 become U+FFFD.
   *
   * @throws ModelError `unsupported_tokenizer` when the model has no tokenizer
   */
  decode(ids: Iterable<number>, options: DecodeOptions = {}): string {
    const special = options.special ?? true;
    const pieces: Uint8Array[] = [];
    let total = 0;
    let strips = this.#texts().spacePrefix && (options.whole ?? false);
    for (const id of ids) {
      if (!special && this.isControl(id)) continue;
      let piece = this.bytes(id);
      if (strips && !this.#isNoText(id) && piece[0] === 0x20) piece = piece.subarray(1);
      strips = false;
      pieces.push(piece);
      total += piece.byteLength;
    }
    const bytes = new Uint8Array(total);
    let filled = 0;
    for (const piece of pieces) {
      bytes.set(piece, filled);
      filled += piece.byteLength;
    }
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  /**
   * The raw bytes of a token, which may be part of a character. Control and user-defined tokens give
   * their text, unused ones nothing, and all where the model has no tokenizer.
   */
  bytes(id: number): Uint8Array {
    const text = this.text(id);
    if (!this.#model) return NOTHING;
    switch (this.#vocabulary.kinds[id]) {
      case TokenKind.Unused:
        return NOTHING;
      case TokenKind.Control:
      case TokenKind.Unknown:
      case TokenKind.UserDefined:
        return utf8.encode(text);
      default:
        return this.#model.bytes(text, this.#vocabulary.kinds[id] === TokenKind.Byte);
    }
  }

  /** The texts of all such tokens as steer the model. */
  controlTexts(): string[] {
    return this.#textsOf((id) => this.isControl(id));
  }

  /** The texts of tokens that are found in a text before its words, and are shown. */
  definedTexts(): string[] {
    return this.#textsOf((id) => this.#vocabulary.kinds[id] === TokenKind.UserDefined);
  }

  /** Whether a token steers the model (end of turn, ...) and is not text to show. */
  isControl(id: number): boolean {
    const kind = this.#vocabulary.kinds[id];
    return kind === TokenKind.Control || kind === TokenKind.Unknown;
  }

  /** Whether a token is none of any text. */
  isUnused(id: number): boolean {
    return this.#vocabulary.kinds[id] === TokenKind.Unused;
  }

  /**
   * A token as it stands in the file: in the byte alphabet, a space being U+0120.
   *
   * @throws RangeError when there is no such id
   */
  text(id: number): string {
    const text = this.#vocabulary.tokens.at(id);
    if (text === undefined) throw new RangeError(`token ${id} is not in 0..${this.vocabSize - 1}`);
    return text;
  }

  /** The id of the token with this text in the file; of several the last. */
  idOf(text: string): number | undefined {
    const id = this.#vocabulary.tokens.lastIndexOf(text);
    return id < 0 ? undefined : id;
  }

  #textsOf(accept: (id: number) => boolean): string[] {
    const texts: string[] = [];
    for (let id = 0; id < this.vocabSize; id++) if (accept(id)) texts.push(this.text(id));
    return texts;
  }

  #isNoText(id: number): boolean {
    return this.isControl(id) || this.#vocabulary.kinds[id] === TokenKind.UserDefined;
  }

  #texts(): TextModel {
    if (this.#model) return this.#model;
    const message =
      'the model has no tokenizer (tokenizer.ggml.tokens is missing): only token ids can be used';
    throw new ModelError('unsupported_tokenizer', message, { subject: 'tokenizer.ggml.tokens' });
  }
}

function withoutTexts(metadata: Metadata): Vocabulary {
  const nothing = undefined;
  return {
    ...{ tokens: NO_TEXTS, kinds: new Uint8Array(0), merges: NO_TEXTS, scores: nothing },
    ...{ bosToken: nothing, eosToken: nothing, unknownToken: nothing },
    ...{ addBos: nothing, addEos: nothing, addSpacePrefix: nothing },
    endTokens: new Set(endIds(metadata)),
  };
}
