// SPDX-License-Identifier: MIT
// Fetched only where a file has one of these.

import { HUB_MODEL } from '../gguf/hub-keys.js';
import type { Metadata } from '../gguf/types.js';
import { ByteFallback } from './byte-fallback.js';
import { BytePairEncoder } from './byte-pair.js';
import { hubModel } from './hub-model.js';
import { ScoreEncoder, spacedBytes, toSpaced } from './sentence-piece.js';
import { type OpenedModel, type TextModels, textTokens, WordModel } from './text-model.js';
import { readVocabulary, TokenKind } from './vocabulary.js';
import { unescapeBytes, WorldEncoder } from './world.js';

const NEW_LINE = 10;

/** Kinds of tokenizers by `tokenizer.ggml.model`. */
export const OTHER_MODELS: TextModels = new Map([
  ['llama', sentencePiece],
  ['gemma4', spacedPairs],
  ['rwkv', world],
  [HUB_MODEL, hubModel],
]);

// SentencePiece with scores.
function sentencePiece(metadata: Metadata): OpenedModel {
  const vocabulary = readVocabulary(metadata, { bos: 1, eos: 2, unknown: 0 });
  const encoder = new ScoreEncoder(vocabulary);
  const spacePrefix = vocabulary.addSpacePrefix ?? true;
  const words = (text: string, follows: boolean) =>
    toSpaced(spacePrefix && follows ? ` ${text}` : text).match(encoder.words) ?? [];
  const parts = { words, encoder, bytes: spacedBytes, addBos: true, spacePrefix };
  return { vocabulary, model: new WordModel(vocabulary, parts) };
}

// SentencePiece's alphabet with merges, whose words end at lines only.
function spacedPairs(metadata: Metadata): OpenedModel {
  const vocabulary = readVocabulary(metadata);
  const { merges, unknownToken: unknown } = vocabulary;
  const pairs = new BytePairEncoder({
    symbols: textTokens(vocabulary),
    merges,
    ignoreMerges: false,
    characters: (known) => new ByteFallback(known, { bytes: true, unknown, fuse: true }),
  });
  const lines = new Map<string, number>();
  for (const id of vocabulary.tokens.startingWith([NEW_LINE])) {
    const text = vocabulary.tokens.at(id) as string;
    if (/^\n+$/.test(text)) lines.set(text, id);
  }
  const encoder = {
    encode(word: string, ids: number[]): void {
      const whole = lines.get(word);
      if (whole === undefined) pairs.encode(word, ids);
      else ids.push(whole);
    },
  };
  const words = (text: string) => toSpaced(text).match(/[^\n]+|\n+/g) ?? [];
  return {
    vocabulary,
    model: new WordModel(vocabulary, { words, encoder, bytes: spacedBytes, addBos: true }),
  };
}

// RWKV World. "\n\n" is named as the end of a turn there, but is in every longer answer.
function world(metadata: Metadata): OpenedModel {
  const vocabulary = {
    ...readVocabulary(metadata, {}, (kind) => kind === TokenKind.Control),
    // llama.cpp never starts a text with it, whatever the file says; templates write it.
    addBos: false,
  };
  const encoder = new WorldEncoder(vocabulary);
  const words = (text: string) => [text];
  return {
    vocabulary,
    model: new WordModel(vocabulary, { words, encoder, bytes: unescapeBytes, addBos: false }),
  };
}
