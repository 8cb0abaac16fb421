// SPDX-License-Identifier: MIT
import { fetchError, ModelError, shown } from '../errors.js';
import { HUB_MODEL } from '../gguf/hub-keys.js';
import type { Metadata } from '../gguf/types.js';
import { nearest } from '../option-names.js';
import { tokenBytes } from './byte-alphabet.js';
import { BytePairEncoder } from './byte-pair.js';
import type { MergePairs } from './pair-table.js';
import { PRE_TOKENIZERS, type PreTokenizer } from './pre-tokenizers.js';
import { cut } from './splits.js';
import { type OpenedModel, type TextModels, textTokens, WordModel } from './text-model.js';
import { readVocabulary } from './vocabulary.js';

const KEY = 'tokenizer.ggml.model';
// What most pages need.
const FIRST: TextModels = new Map([['gpt2', byteLevel]]);
/** Those that are downloaded when a file has one. */
const OTHERS = ['llama', 'gemma4', 'rwkv'];

/** The kinds that a file needs beside the first, if it does. @throws ModelError `network` */
export async function otherModels(metadata: Metadata): Promise<TextModels | undefined> {
  const name = metadata.get(KEY) as string;
  if (name !== HUB_MODEL && !OTHERS.includes(name)) return undefined;
  const { OTHER_MODELS } = await import('./other-models.js').catch((cause: unknown) => {
    throw fetchError(cause, 'this kind of tokenizer');
  });
  return OTHER_MODELS;
}

/**
 * The tokenizer of a file.
 *
 * @param others what {@link otherModels} gave
 * @param pairs what the merges of this file came to, which is without them
 * @throws ModelError `unsupported_tokenizer` naming the kind or pre-tokenizer and what is near;
 * `invalid_metadata` when the keys contradict each other
 */
export function openTextModel(
  metadata: Metadata,
  others?: TextModels,
  pairs?: MergePairs,
): OpenedModel {
  const name = metadata.get(KEY) as string;
  const open = FIRST.get(name) ?? others?.get(name);
  if (open) return open(metadata, pairs);
  throw unknown(metadata, KEY, [...FIRST.keys(), ...OTHERS]);
}

// Files from before there were pre-tokenizers name none, and get what llama.cpp gives them.
function preTokenizer(metadata: Metadata): PreTokenizer {
  const key = 'tokenizer.ggml.pre';
  const found = PRE_TOKENIZERS.get(metadata.has(key) ? (metadata.get(key) as string) : 'default');
  if (found) return found;
  throw unknown(metadata, key, [...PRE_TOKENIZERS.keys()]);
}

function unknown(metadata: Metadata, key: string, names: string[]): ModelError {
  const name = metadata.get(key);
  const near = typeof name === 'string' ? `the nearest is "${nearest(name, names)}"; ` : '';
  const message = `${key} is ${shown(name)}; ${near}supported: ${names.join(', ')}`;
  return new ModelError('unsupported_tokenizer', message, { subject: key });
}

// Byte-level BPE. Nothing is normalised, though some originals do (NFC): files have no key for it, and what
// llama.cpp expects of Qwen3.5's has decomposed characters as they are.
function byteLevel(metadata: Metadata, pairs?: MergePairs): OpenedModel {
  const { patterns, ignoreMerges, addBos } = preTokenizer(metadata);
  const vocabulary = readVocabulary(metadata);
  const encoder = new BytePairEncoder({
    symbols: textTokens(vocabulary),
    merges: vocabulary.merges,
    ignoreMerges,
    pairs,
  });
  const words = (text: string) => cut(text, patterns);
  return {
    vocabulary,
    model: new WordModel(vocabulary, {
      ...{ words, encoder, bytes: tokenBytes, addBos },
      pairs: encoder.hasOnlyTokens ? encoder.pairs : undefined,
    }),
  };
}
