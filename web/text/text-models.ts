// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { MetadataValue } from '../gguf/types.js';
import { nearest } from '../option-names.js';
import { tokenBytes } from './byte-alphabet.js';
import { BytePairEncoder } from './byte-pair.js';
import { hubModel } from './hub-model.js';
import { PRE_TOKENIZERS, type PreTokenizer } from './pre-tokenizers.js';
import { ScoreEncoder, spacedBytes, toSpaced } from './sentence-piece.js';
import { cut } from './splits.js';
import { type OpenedModel, textTokens, WordModel } from './text-model.js';
import { readVocabulary, TokenKind } from './vocabulary.js';
import { unescapeBytes, WorldEncoder } from './world.js';

type Metadata = ReadonlyMap<string, MetadataValue>;
/** The kinds of tokenizers by `tokenizer.ggml.model`. */
const MODELS: ReadonlyMap<string, (metadata: Metadata) => OpenedModel> = new Map([
  ['gpt2', byteLevel],
  ['llama', sentencePiece],
  ['gemma4', spacedPairs],
  ['rwkv', world],
  ['huggingface', hubModel],
]);

/**
 * The tokenizer of a file.
 *
 * @throws ModelError `unsupported_tokenizer` naming the kind or pre-tokenizer and what is near;
 * `invalid_metadata` when the keys contradict each other
 */
export function openTextModel(metadata: Metadata): OpenedModel {
  return known(metadata, 'tokenizer.ggml.model', MODELS)(metadata);
}

// Files from before there were pre-tokenizers name none, and get what llama.cpp gives them.
function preTokenizer(metadata: Metadata): PreTokenizer {
  const key = 'tokenizer.ggml.pre';
  return metadata.has(key)
    ? known(metadata, key, PRE_TOKENIZERS)
    : (PRE_TOKENIZERS.get('default') as PreTokenizer);
}

function known<Value>(metadata: Metadata, key: string, all: ReadonlyMap<string, Value>): Value {
  const name = metadata.get(key);
  const found = typeof name === 'string' ? all.get(name) : undefined;
  if (found) return found;
  const names = [...all.keys()];
  const near = typeof name === 'string' ? `the nearest is "${nearest(name, names)}"; ` : '';
  const message = `${key} is ${JSON.stringify(name) ?? 'missing'}; ${near}supported: ${names.join(', ')}`;
  throw new ModelError('unsupported_tokenizer', message, { subject: key });
}

// Byte-level BPE.
function byteLevel(metadata: Metadata): OpenedModel {
  const { splits, ignoreMerges, addBos } = preTokenizer(metadata);
  const vocabulary = readVocabulary(metadata);
  const encoder = new BytePairEncoder({
    tokens: textTokens(vocabulary),
    merges: vocabulary.merges,
    ignoreMerges,
  });
  const words = (text: string) => cut(text, splits);
  return {
    vocabulary,
    model: new WordModel(vocabulary, { words, encoder, bytes: tokenBytes, addBos }),
  };
}

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
    tokens: textTokens(vocabulary),
    merges,
    ignoreMerges: false,
    characters: { bytes: true, unknown, fuse: true },
  });
  const lines = new Map<string, number>();
  for (const [id, text] of vocabulary.tokens.entries()) if (/^\n+$/.test(text)) lines.set(text, id);
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
