// SPDX-License-Identifier: MIT
import type { Metadata } from '../gguf/types.js';
import { unmarked } from './marks.js';
import type { MergePairs } from './pair-table.js';
import { SpecialTokens, type TextSection } from './special-tokens.js';
import { TokenIndex } from './token-index.js';
import { TokenKind, type Vocabulary } from './vocabulary.js';
import type { WordEncoder } from './word-cache.js';

/** Where a text stands. */
export interface Place {
  /** Whether control tokens that are written out are tokens. */
  special: boolean;
  /** Whether it is the beginning, and does not go on from other text. */
  begins: boolean;
  /** Whether it comes right after a token that is not text, or at the beginning. */
  follows: boolean;
  /** Texts that marks (marks.ts) in it keep from being tokens, where there are any. */
  marked: ReadonlySet<string> | undefined;
}

/** One kind of tokenizer: text to ids, and the text of one id. */
export interface TextModel {
  /** Whether texts start with the BOS token where the file does not say. */
  readonly addBos: boolean;
  /** Whether a space is put before texts, which is no part of them. */
  readonly spacePrefix: boolean;
  /** What its merges come to, if its file could be read without them. */
  readonly pairs?: MergePairs | undefined;
  /** Appends the ids of a text. */
  encode(text: string, place: Place, ids: number[]): void;
  /** The bytes of a token that is text, or says that it is a byte, by how it stands in the file. */
  bytes(token: string, isByte: boolean): Uint8Array;
}

/** What a file's tokenizer is made of. */
export interface OpenedModel {
  vocabulary: Vocabulary;
  model: TextModel;
}

/** Kinds of tokenizers by `tokenizer.ggml.model`, and how a file's is made. */
export type TextModels = ReadonlyMap<
  string,
  (metadata: Metadata, pairs?: MergePairs) => OpenedModel
>;

// By kind: tokens that are found in a text before its words.
const IS_SPECIAL = new Uint8Array(256);
for (const kind of [TokenKind.UserDefined, TokenKind.Control, TokenKind.Unknown]) {
  IS_SPECIAL[kind] = 1;
}

/** A tokenizer of GGUF files: special tokens first, then words, then what an encoder makes of those. */
export class WordModel implements TextModel {
  readonly addBos: boolean;
  readonly spacePrefix: boolean;
  readonly pairs: MergePairs | undefined;
  readonly bytes: (token: string, isByte: boolean) => Uint8Array;
  #everySpecial: SpecialTokens;
  #userDefined: SpecialTokens;
  #words: (text: string, follows: boolean) => Iterable<string>;
  #encoder: WordEncoder;

  /**
   * @param parts `words` cuts plain text, which may come right after a token that is not; `bytes` is
   * that of {@link TextModel}
   */
  constructor(
    vocabulary: Vocabulary,
    parts: {
      words: (text: string, follows: boolean) => Iterable<string>;
      encoder: WordEncoder;
      bytes: (token: string, isByte: boolean) => Uint8Array;
      addBos: boolean;
      spacePrefix?: boolean;
      pairs?: MergePairs | undefined;
    },
  ) {
    this.addBos = parts.addBos;
    this.spacePrefix = parts.spacePrefix ?? false;
    this.pairs = parts.pairs;
    this.bytes = parts.bytes;
    this.#words = parts.words;
    this.#encoder = parts.encoder;
    const { tokens, kinds } = vocabulary;
    const special: [string, number][] = [];
    // Not by entries(), which takes 5 ms for 250,000 tokens.
    for (let id = 0; id < kinds.length; id++) {
      if (IS_SPECIAL[kinds[id] as number]) special.push([tokens.at(id) as string, id]);
    }
    this.#everySpecial = new SpecialTokens(special);
    const isDefined = ([, id]: [string, number]) => kinds[id] === TokenKind.UserDefined;
    this.#userDefined = new SpecialTokens(special.filter(isDefined));
  }

  encode(text: string, { special, follows, marked }: Place, ids: number[]): void {
    let after = follows;
    const sections: TextSection[] = (special ? this.#everySpecial : this.#userDefined).split(text);
    for (const section of sections) {
      if (typeof section === 'number') {
        ids.push(section);
      } else {
        const plain = marked ? unmarked(section) : section;
        for (const word of this.#words(plain, after)) this.#encoder.encode(word, ids);
      }
      after = typeof section === 'number';
    }
  }
}

/** What words may become: what others write never becomes a control token. */
export function textTokens({ tokens, kinds }: Vocabulary): TokenIndex {
  return new TokenIndex(tokens, (id) => kinds[id] === TokenKind.Control);
}
