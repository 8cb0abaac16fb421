// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { MetadataValue } from '../gguf/types.js';
import { tokenBytes } from './byte-alphabet.js';
import { BytePairEncoder } from './byte-pair.js';
import { PRE_TOKENIZERS, type PreTokenizer } from './pre-tokenizers.js';
import { SpecialTokens } from './special-tokens.js';
import { readVocabulary, TokenKind, type Vocabulary } from './vocabulary.js';

/** What {@link Tokenizer.encode} does beside merging. */
export interface EncodeOptions {
  /** Read control tokens written out in the text as tokens. Default true; false for text of others. */
  special?: boolean;
  /** Start with the BOS token. Default: what the file says. */
  bos?: boolean;
}

/** What {@link Tokenizer.decode} shows. */
export interface DecodeOptions {
  /** Show control tokens. Default true. */
  special?: boolean;
}

const utf8 = new TextEncoder();
const NOTHING = new Uint8Array(0);

/** Text to token ids and back, as the model file describes it: byte-level byte-pair encoding. */
export class Tokenizer {
  /** Ids that end an answer: end of sequence, end of turn and their kin. */
  readonly endTokens: ReadonlySet<number>;
  /** The token that starts a text, if the model has one. */
  readonly bosToken: number | undefined;
  /** The token that ends a text, if the model has one. */
  readonly eosToken: number | undefined;
  #vocabulary: Vocabulary;
  #preTokenizer: PreTokenizer;
  #encoder: BytePairEncoder;
  #everySpecial: SpecialTokens;
  #userDefined: SpecialTokens;
  #addBos: boolean;

  private constructor(vocabulary: Vocabulary, preTokenizer: PreTokenizer) {
    this.#vocabulary = vocabulary;
    this.#preTokenizer = preTokenizer;
    this.endTokens = vocabulary.endTokens;
    this.bosToken = vocabulary.bosToken;
    this.eosToken = vocabulary.eosToken;
    this.#addBos = vocabulary.addBos ?? preTokenizer.addBos;
    const { tokens, merges } = vocabulary;
    this.#encoder = new BytePairEncoder(tokens, merges, preTokenizer.ignoreMerges);
    const written = (...kinds: number[]): SpecialTokens => {
      const found: [string, number][] = [];
      for (const [id, kind] of vocabulary.kinds.entries()) {
        if (kinds.includes(kind)) found.push([vocabulary.tokens[id] as string, id]);
      }
      return new SpecialTokens(found);
    };
    this.#userDefined = written(TokenKind.UserDefined);
    this.#everySpecial = written(TokenKind.UserDefined, TokenKind.Control, TokenKind.Unknown);
  }

  /**
   * Builds the tokenizer of a GGUF file.
   *
   * @throws ModelError `unsupported_tokenizer` naming the model or pre-tokenizer, `invalid_metadata`
   * when the keys contradict each other
   */
  static fromMetadata(metadata: ReadonlyMap<string, MetadataValue>): Tokenizer {
    const model = metadata.get('tokenizer.ggml.model');
    if (model !== 'gpt2') {
      const message = `tokenizer.ggml.model is ${JSON.stringify(model) ?? 'missing'}; byte-level "gpt2" is supported`;
      throw new ModelError('unsupported_tokenizer', message, { subject: 'tokenizer.ggml.model' });
    }
    const pre = metadata.get('tokenizer.ggml.pre');
    const preTokenizer = typeof pre === 'string' ? PRE_TOKENIZERS.get(pre) : undefined;
    if (!preTokenizer) {
      const names = [...PRE_TOKENIZERS.keys()].join(', ');
      const message = `tokenizer.ggml.pre is ${JSON.stringify(pre) ?? 'missing'}; supported: ${names}`;
      throw new ModelError('unsupported_tokenizer', message, { subject: 'tokenizer.ggml.pre' });
    }
    return new Tokenizer(readVocabulary(metadata), preTokenizer);
  }

  /** Number of tokens, ids 0 to this minus 1. */
  get vocabSize(): number {
    return this.#vocabulary.tokens.length;
  }

  /** Counts ids up to `size` as unused tokens: a model may have more rows than there are texts. */
  padTo(size: number): void {
    const { tokens, kinds } = this.#vocabulary;
    const added = size - tokens.length;
    if (added <= 0) return;
    const padded = new Uint8Array(size).fill(TokenKind.Unused);
    padded.set(kinds);
    this.#vocabulary = {
      ...this.#vocabulary,
      tokens: [...tokens, ...new Array<string>(added).fill('')],
      kinds: padded,
    };
  }

  /**
   * The ids of a text. Time grows about linearly with its length.
   *
   * @throws ModelError `unsupported_tokenizer` when `bos` is asked for and the model has none
   */
  encode(text: string, options: EncodeOptions = {}): number[] {
    if (typeof text !== 'string') throw new TypeError('the text to encode must be a string');
    const ids: number[] = [];
    if (options.bos ?? (this.#addBos && this.bosToken !== undefined)) {
      if (this.bosToken === undefined) {
        throw new ModelError('unsupported_tokenizer', 'this model has no BOS token');
      }
      ids.push(this.bosToken);
    }
    const specials = (options.special ?? true) ? this.#everySpecial : this.#userDefined;
    for (const section of specials.split(text)) {
      if (typeof section === 'number') {
        ids.push(section);
        continue;
      }
      for (const [word] of section.matchAll(this.#preTokenizer.pattern)) {
        this.#encoder.encode(word, ids);
      }
    }
    return ids;
  }

  /** The text of ids. Bytes that do not make UTF-8 become U+FFFD. */
  decode(ids: Iterable<number>, options: DecodeOptions = {}): string {
    const special = options.special ?? true;
    const pieces: Uint8Array[] = [];
    let total = 0;
    for (const id of ids) {
      if (!special && this.isControl(id)) continue;
      const piece = this.bytes(id);
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
   * their text, unused ones nothing.
   */
  bytes(id: number): Uint8Array {
    const text = this.text(id);
    switch (this.#vocabulary.kinds[id]) {
      case TokenKind.Unused:
        return NOTHING;
      case TokenKind.Control:
      case TokenKind.Unknown:
      case TokenKind.UserDefined:
        return utf8.encode(text);
      default:
        return tokenBytes(text);
    }
  }

  /** Whether a token steers the model (end of turn, ...) and is not text to show. */
  isControl(id: number): boolean {
    const kind = this.#vocabulary.kinds[id];
    return kind === TokenKind.Control || kind === TokenKind.Unknown;
  }

  /**
   * A token as it stands in the file: in the byte alphabet, a space being U+0120.
   *
   * @throws RangeError when there is no such id
   */
  text(id: number): string {
    const text = this.#vocabulary.tokens[id];
    if (text === undefined) throw new RangeError(`token ${id} is not in 0..${this.vocabSize - 1}`);
    return text;
  }

  /** The id of the token with this text in the file. */
  idOf(text: string): number | undefined {
    return this.#encoder.idOf(text);
  }
}
