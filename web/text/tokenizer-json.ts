// SPDX-License-Identifier: MIT
import { ModelError, shown } from '../errors.js';
import { AddedFlag, HUB_MODEL, HUB_PREFIX } from '../gguf/hub-keys.js';
import { TextColumn } from '../gguf/text-column.js';
import type { HeaderValue } from '../gguf/types.js';
import { byteOf } from './byte-fallback.js';
import { decoderOf } from './json-decoder.js';
import { addSpecials, chatTemplates } from './json-specials.js';
import { type Json, normalizerSteps, pick, preTokenizerSteps, unsupported } from './json-steps.js';
import { rwkvMetadata } from './rwkv-vocabulary.js';
import { TokenIndex } from './token-index.js';
import { TokenKind } from './vocabulary.js';

/** As {@link sizeFor} finds them to be. */
type Entry = [text: string, id: number];
type AddedEntry = Json & { content: string; id: number };

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

// Above any vocabulary, and how many ids none of a few tokens may stand for: each costs memory.
const MOST_TOKENS = 2 ** 22;
const MOST_UNUSED = 2 ** 16;

/**
 * The `tokenizer.` keys that a GGUF file of this checkpoint would have. Without a vocabulary those
 * of its chat template and its ends only.
 *
 * @throws ModelError `unsupported_tokenizer` naming what of tokenizer.json we do not have,
 * `invalid_metadata` naming the file that cannot be read
 */
export function tokenizerMetadata(files: TokenizerFiles): Map<string, HeaderValue> {
  const config = parse(files.tokenizerConfig, 'tokenizer_config.json');
  const generation = parse(files.generationConfig, 'generation_config.json');
  const metadata =
    files.tokenizer === undefined && files.rwkvVocabulary !== undefined
      ? rwkvMetadata(files.rwkvVocabulary, config)
      : new Map<string, HeaderValue>();
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

function addVocabulary(json: Json, config: Json, metadata: Map<string, HeaderValue>): void {
  const model = object(json.model, 'model');
  // Old files do not name it.
  const type = model.type ?? ('merges' in model ? 'BPE' : undefined);
  pick({ type }, 'model', { BPE: true });
  for (const key of ['continuing_subword_prefix', 'end_of_word_suffix', 'dropout']) {
    if (model[key]) throw unsupported(`the ${key} ${shown(model[key])}`);
  }
  const byteFallback = model.byte_fallback === true;
  const words = Object.entries(object(model.vocab, 'vocabulary')) as Entry[];
  const others = addedTokens(json, config);
  const size = sizeFor([...words, ...others.map((token): Entry => [token.content, token.id])]);
  const tokens = new Array<string>(size).fill('');
  const kinds = new Array<number>(size).fill(TokenKind.Unused);
  const put = (id: number, text: string, kind: number): void => {
    tokens[id] = text;
    kinds[id] = kind;
  };
  for (const [text, id] of words) {
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
  const added = others.map((token) => {
    put(
      token.id,
      token.content,
      token.special === true ? TokenKind.Control : TokenKind.UserDefined,
    );
    return [token.id, flagsOf(token)];
  });
  metadata.set('tokenizer.ggml.model', HUB_MODEL);
  metadata.set('tokenizer.ggml.tokens', tokens);
  metadata.set('tokenizer.ggml.token_type', kinds);
  metadata.set('tokenizer.ggml.merges', mergesOf(model.merges, words));
  const own = (key: string, value: HeaderValue) => metadata.set(HUB_PREFIX + key, value);
  own('added_tokens', added);
  own('normalizer', normalizerSteps(json.normalizer));
  const preTokenizer = preTokenizerSteps(json.pre_tokenizer);
  own('pre_tokenizer', preTokenizer);
  own('ignore_merges', model.ignore_merges === true);
  own('byte_fallback', byteFallback);
  own('fuse_unk', model.fuse_unk === true);
  const isByteLevel = preTokenizer.some(([name]) => name === 'bytes');
  const decoder = decoderOf(json.decoder, isByteLevel);
  own('byte_level', decoder.isByteLevel);
  own('space_prefix', decoder.spacePrefix);
}

/** How many ids there are, the highest being one of these. */
function sizeFor(entries: readonly Entry[]): number {
  const end = Math.min(MOST_TOKENS, MOST_UNUSED + 2 * entries.length);
  let size = 0;
  for (const [text, id] of entries) {
    if (typeof text !== 'string') throw wrong('has an added token without a text');
    if (!Number.isInteger(id) || id < 0 || id >= end) {
      throw wrong(`gives ${shown(text)} the id ${shown(id)}`);
    }
    size = Math.max(size, id + 1);
  }
  return size;
}

function addedTokens(json: Json, config: Json): AddedEntry[] {
  const own = json.added_tokens ?? [];
  if (!Array.isArray(own)) throw wrong('has added tokens that are not a list');
  const tokens = own.map((token) => object(token, 'added token there'));
  const known = new Set(tokens.map(({ id }) => id));
  for (const [id, token] of Object.entries((config.added_tokens_decoder ?? {}) as Json)) {
    if (!known.has(Number(id))) tokens.push({ ...(token as Json), id: Number(id) });
  }
  return tokens as AddedEntry[];
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

const SPACE = 0x20;

// `["a b"]` or `[["a", "b"]]`.
function mergesOf(merges: unknown, words: readonly Entry[]): TextColumn {
  if (!Array.isArray(merges)) throw wrong('has no merges');
  const known = new TokenIndex(TextColumn.of(words.map(([text]) => text)));
  const joined = merges.map((merge: unknown, rank): string => {
    const text = Array.isArray(merge) && merge.length === 2 ? merge.join(' ') : merge;
    const space = typeof text === 'string' ? text.indexOf(' ') : -1;
    const whole = text as string;
    if (space <= 0 || space === whole.length - 1 || whole.indexOf(' ', space + 1) >= 0) {
      throw wrong(`has ${shown(merge)} as merge ${rank}, not two texts without spaces`);
    }
    return whole;
  });
  const column = TextColumn.of(joined);
  const { bytes, ends } = column;
  joined.forEach((merge, rank) => {
    const [start, end] = [column.start(rank), ends[rank] as number];
    const space = bytes.indexOf(SPACE, start);
    const isKnown = (from: number, to: number, skip = -1) =>
      known.findBytes(bytes, from, to, skip) >= 0;
    // A symbol that is no token would give nothing for the text that it is made of.
    if (isKnown(start, space) && isKnown(space + 1, end) && isKnown(start, end, space)) return;
    throw wrong(
      `has ${shown(merge)} as merge ${rank}, of which a part or the whole is not in its vocabulary`,
    );
  });
  return column;
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
