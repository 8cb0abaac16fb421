// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { MetadataValue } from '../gguf/types.js';
import { byteOf } from './byte-fallback.js';
import { AddedFlag, HUB_MODEL, HUB_PREFIX } from './hub-keys.js';
import { decoderOf } from './json-decoder.js';
import { addSpecials, chatTemplates } from './json-specials.js';
import { type Json, normalizerSteps, pick, preTokenizerSteps, unsupported } from './json-steps.js';
import { rwkvMetadata } from './rwkv-vocabulary.js';
import { TokenKind } from './vocabulary.js';

/** What stands in the files of a checkpoint's folder, those that there are. */
export interface TokenizerFiles {
  /** tokenizer.json */
  tokenizer?: string;
  /** tokenizer_config.json */
  tokenizerConfig?: string;
  /** generation_config.json */
  generationConfig?: string;
  /** chat_template.jinja, which goes before the template of tokenizer_config.json */
  chatTemplate?: string;
  /** rwkv_vocab_v20230424.txt, where there is no tokenizer.json */
  rwkvVocabulary?: string;
}

// Above any vocabulary.
const MOST_TOKENS = 2 ** 22;

/**
 * The `tokenizer.` keys that a GGUF file of this checkpoint would have. Without a vocabulary those
 * of its chat template and its ends only.
 *
 * @throws ModelError `unsupported_tokenizer` naming what of tokenizer.json we do not have,
 * `invalid_metadata` naming the file that cannot be read
 */
export function tokenizerMetadata(files: TokenizerFiles): Map<string, MetadataValue> {
  const config = parse(files.tokenizerConfig, 'tokenizer_config.json');
  const generation = parse(files.generationConfig, 'generation_config.json');
  const metadata =
    files.tokenizer === undefined && files.rwkvVocabulary !== undefined
      ? rwkvMetadata(files.rwkvVocabulary, config)
      : new Map<string, MetadataValue>();
  const json = parse(files.tokenizer, 'tokenizer.json');
  try {
    if (files.tokenizer !== undefined) addVocabulary(json, config, metadata);
    addSpecials({ json, config, generation }, metadata);
    for (const [key, template] of chatTemplates(files.chatTemplate, config)) {
      metadata.set(key, template);
    }
  } catch (cause) {
    if (cause instanceof ModelError) throw cause;
    // "Maximum call stack size exceeded": sequences in sequences. Or null where a part is meant.
    const isDeep = cause instanceof RangeError;
    const message = `tokenizer.json ${isDeep ? 'nests too deeply' : 'has parts that are none'}`;
    throw new ModelError('invalid_metadata', message, { subject: 'tokenizer.json', cause });
  }
  return metadata;
}

function parse(text: string | undefined, file: string): Json {
  if (text === undefined) return {};
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (cause) {
    const message = `${file} is not JSON`;
    throw new ModelError('invalid_metadata', message, { subject: file, cause });
  }
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as Json;
  throw new ModelError('invalid_metadata', `${file} is not an object`, { subject: file });
}

function addVocabulary(json: Json, config: Json, metadata: Map<string, MetadataValue>): void {
  const model = object(json.model, 'model');
  // Old files do not name it.
  const type = model.type ?? ('merges' in model ? 'BPE' : undefined);
  pick({ type }, 'model', { BPE: true });
  for (const key of ['continuing_subword_prefix', 'end_of_word_suffix', 'dropout']) {
    if (model[key]) throw unsupported(`the ${key} ${JSON.stringify(model[key])}`);
  }
  const byteFallback = model.byte_fallback === true;
  const tokens: string[] = [];
  const kinds: number[] = [];
  const put = (id: unknown, text: string, kind: number): number => {
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= MOST_TOKENS) {
      throw wrong(`gives ${JSON.stringify(text)} the id ${String(id)}`);
    }
    tokens[id] = text;
    kinds[id] = kind;
    return id;
  };
  for (const [text, id] of Object.entries(object(model.vocab, 'vocabulary'))) {
    const isByte = byteFallback && byteOf(text) !== undefined;
    put(id, text, isByte ? TokenKind.Byte : TokenKind.Normal);
  }
  const unknown = model.unk_token;
  if (typeof unknown === 'string') {
    const id = tokens.indexOf(unknown);
    if (id >= 0) {
      kinds[id] = TokenKind.Unknown;
      metadata.set('tokenizer.ggml.unknown_token_id', id);
    }
  }
  const added = addedTokens(json, config).map((token) => {
    const text = token.content;
    if (typeof text !== 'string') throw wrong('has an added token without a text');
    const kind = token.special === true ? TokenKind.Control : TokenKind.UserDefined;
    return [put(token.id, text, kind), flagsOf(token)];
  });
  for (let id = 0; id < tokens.length; id++) {
    tokens[id] ??= '';
    kinds[id] ??= TokenKind.Unused;
  }
  metadata.set('tokenizer.ggml.model', HUB_MODEL);
  metadata.set('tokenizer.ggml.tokens', tokens);
  metadata.set('tokenizer.ggml.token_type', kinds);
  metadata.set('tokenizer.ggml.merges', mergesOf(model.merges));
  const own = (key: string, value: MetadataValue) => metadata.set(HUB_PREFIX + key, value);
  own('added_tokens', added);
  own('normalizer', normalizerSteps(json.normalizer));
  const words = preTokenizerSteps(json.pre_tokenizer);
  own('pre_tokenizer', words);
  own('ignore_merges', model.ignore_merges === true);
  own('byte_fallback', byteFallback);
  own('fuse_unk', model.fuse_unk === true);
  const isByteLevel = words.some(([name]) => name === 'bytes');
  const decoder = decoderOf(json.decoder, isByteLevel);
  own('byte_level', decoder.isByteLevel);
  own('space_prefix', decoder.spacePrefix);
}

function addedTokens(json: Json, config: Json): Json[] {
  const own = json.added_tokens ?? [];
  if (!Array.isArray(own)) throw wrong('has added tokens that are not a list');
  const tokens = own.map((token) => object(token, 'added token there'));
  const known = new Set(tokens.map(({ id }) => id));
  for (const [id, token] of Object.entries((config.added_tokens_decoder ?? {}) as Json)) {
    if (!known.has(Number(id))) tokens.push({ ...(token as Json), id: Number(id) });
  }
  return tokens;
}

function flagsOf({ lstrip, rstrip, single_word, normalized, special }: Json): number {
  return (
    (lstrip === true ? AddedFlag.LStrip : 0) |
    (rstrip === true ? AddedFlag.RStrip : 0) |
    (single_word === true ? AddedFlag.SingleWord : 0) |
    ((normalized ?? special !== true) ? AddedFlag.Normalized : 0) |
    (special === true ? AddedFlag.Special : 0)
  );
}

// `["a b"]` or `[["a", "b"]]`.
function mergesOf(merges: unknown): string[] {
  if (!Array.isArray(merges)) throw wrong('has no merges');
  return merges.map((merge: unknown, rank) => {
    const text = Array.isArray(merge) && merge.length === 2 ? merge.join(' ') : merge;
    const space = typeof text === 'string' ? text.indexOf(' ') : -1;
    const whole = text as string;
    if (space > 0 && space < whole.length - 1 && whole.indexOf(' ', space + 1) < 0) return whole;
    throw wrong(`has ${JSON.stringify(merge)} as merge ${rank}, not two texts without spaces`);
  });
}

function object(value: unknown, name: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw wrong(`has no ${name}`);
}

function wrong(what: string): ModelError {
  return new ModelError('invalid_metadata', `tokenizer.json ${what}`, {
    subject: 'tokenizer.json',
  });
}
