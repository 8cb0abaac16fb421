// SPDX-License-Identifier: MIT
import { ModelError, shown } from '../errors.js';
import { TextColumn } from '../gguf/text-column.js';
import type { HeaderValue, Metadata } from '../gguf/types.js';

/** `tokenizer.ggml.token_type`. */
export const TokenKind = {
  Normal: 1,
  Unknown: 2,
  Control: 3,
  UserDefined: 4,
  Unused: 5,
  Byte: 6,
} as const;

/** The `tokenizer.ggml` keys of a file, checked against each other. */
export interface Vocabulary {
  readonly tokens: TextColumn;
  /** A {@link TokenKind} for every token. */
  readonly kinds: Uint8Array;
  readonly merges: TextColumn;
  /** Of every token, in files of SentencePiece. */
  readonly scores: readonly number[] | undefined;
  readonly bosToken: number | undefined;
  readonly eosToken: number | undefined;
  readonly unknownToken: number | undefined;
  readonly endTokens: ReadonlySet<number>;
  readonly addBos: boolean | undefined;
  readonly addEos: boolean | undefined;
  readonly addSpacePrefix: boolean | undefined;
}

/** Ids that a kind of tokenizer has where the file does not say. */
export interface DefaultIds {
  readonly bos?: number;
  readonly eos?: number;
  readonly unknown?: number;
}

// Ends of a turn by name, as files often declare only one of several. Those in the second list could
// be text, so they count only where the file says that they are control tokens.
const END_NAMES = new Set([
  '<|im_end|>',
  '<|endoftext|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|end_of_text|>',
  '<|end|>',
  '<|return|>',
  '<|call|>',
  '<end_of_turn>',
  '<end_of_utterance>',
  '<|fim_pad|>',
  '<|repo_name|>',
  '<|file_sep|>',
  '<\uff5cend\u2581of\u2581sentence\uff5c>',
]);
const END_NAMES_IF_CONTROL = new Set(['</s>', '<eos>', '<EOT>', '_<EOT>', '[EOT]', '[EOS]']);
// By which all others are passed over without being decoded.
const STARTS_OF_NAMES = [...END_NAMES, ...END_NAMES_IF_CONTROL].map((name) => name.charCodeAt(0));

const PREFIX = 'tokenizer.ggml.';

/**
 * Reads and checks the vocabulary.
 *
 * @param endsWithEot whether the end of a turn ends an answer: not where that token is plain text
 * @throws ModelError `invalid_metadata` naming the key
 */
export function readVocabulary(
  metadata: Metadata,
  defaults: DefaultIds = {},
  endsWithEot: (kind: number) => boolean = () => true,
): Vocabulary {
  const tokens = texts(metadata, 'tokens');
  if (!tokens || tokens.length === 0) throw bad('tokens', 'is missing or empty');
  const count = tokens.length;
  const kinds = readKinds(metadata, count);
  const id = (key: string, otherwise?: number) =>
    tokenId(metadata, key, count) ??
    (otherwise !== undefined && otherwise < count ? otherwise : undefined);
  const eosToken = id('eos_token_id', defaults.eos);
  const endTokens = new Set(endIds(metadata, count));
  if (eosToken !== undefined) endTokens.add(eosToken);
  for (const key of ['eot_token_id', 'eom_token_id']) {
    const end = id(key);
    if (end !== undefined && endsWithEot(kinds[end] as number)) endTokens.add(end);
  }
  for (const id of tokens.startingWith(STARTS_OF_NAMES)) {
    const text = tokens.at(id) as string;
    if (END_NAMES.has(text)) {
      kinds[id] = TokenKind.Control;
      endTokens.add(id);
    } else if (kinds[id] === TokenKind.Control && END_NAMES_IF_CONTROL.has(text)) {
      endTokens.add(id);
    }
  }
  return {
    tokens,
    kinds,
    merges: texts(metadata, 'merges') ?? TextColumn.of([]),
    scores: readScores(metadata, count),
    bosToken: id('bos_token_id', defaults.bos),
    eosToken,
    unknownToken: id('unknown_token_id', defaults.unknown),
    endTokens,
    addBos: flag(metadata, 'add_bos_token'),
    addEos: flag(metadata, 'add_eos_token'),
    addSpacePrefix: flag(metadata, 'add_space_prefix'),
  };
}

/**
 * The ids that a file names as ends although it has no texts for them.
 *
 * @param count how many tokens there are, where that is known
 */
export function endIds(metadata: Metadata, count?: number): number[] {
  const ids = metadata.get(`${PREFIX}end_token_ids`) ?? [];
  if (!Array.isArray(ids)) throw bad('end_token_ids', 'is not an array');
  const single = count === undefined ? ['eos_token_id', 'eot_token_id', 'eom_token_id'] : [];
  const named = single.flatMap((key) => tokenId(metadata, key, Number.POSITIVE_INFINITY) ?? []);
  return [...ids.map((id) => checkId('end_token_ids', id, count)), ...named];
}

function flag(metadata: Metadata, key: string): boolean | undefined {
  const value = metadata.get(PREFIX + key);
  if (value !== undefined && typeof value !== 'boolean') throw bad(key, 'is not a boolean');
  return value;
}

function readScores(metadata: Metadata, count: number): number[] | undefined {
  const scores = metadata.get(`${PREFIX}scores`);
  if (scores === undefined) return undefined;
  const isScore = (score: HeaderValue) => typeof score === 'number' && !Number.isNaN(score);
  if (!Array.isArray(scores) || scores.length !== count || !scores.every(isScore)) {
    throw bad('scores', `does not have one number for each of ${count} tokens`);
  }
  return scores as number[];
}

function readKinds(metadata: Metadata, count: number): Uint8Array {
  const kinds = new Uint8Array(count).fill(TokenKind.Normal);
  const given = metadata.get(`${PREFIX}token_type`);
  if (given === undefined) return kinds;
  if (!Array.isArray(given) || given.length !== count) {
    throw bad('token_type', `does not have one entry for each of ${count} tokens`);
  }
  for (let id = 0; id < count; id++) {
    const kind = given[id];
    // 0 is "undefined" in old files.
    if (kind === 0) continue;
    if (typeof kind !== 'number' || !Number.isInteger(kind) || kind < 1 || kind > 6) {
      throw bad('token_type', `has the entry ${shown(kind)} for token ${id}`);
    }
    kinds[id] = kind;
  }
  return kinds;
}

function texts(metadata: Metadata, key: string): TextColumn | undefined {
  const value = metadata.get(PREFIX + key);
  if (value === undefined || value instanceof TextColumn) return value;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw bad(key, 'is not an array of strings');
  }
  return TextColumn.of(value);
}

function tokenId(metadata: Metadata, key: string, count: number): number | undefined {
  const id = metadata.get(PREFIX + key);
  return id === undefined ? undefined : checkId(key, id, count);
}

function checkId(key: string, id: HeaderValue, count = Number.POSITIVE_INFINITY): number {
  if (typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < count) return id;
  throw bad(key, `is ${shown(id)}, not a token of ${count}`);
}

function bad(key: string, what: string): ModelError {
  return new ModelError('invalid_metadata', `${PREFIX}${key} ${what}`, { subject: PREFIX + key });
}
