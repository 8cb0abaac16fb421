// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { MetadataValue } from '../gguf/types.js';

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
  readonly tokens: readonly string[];
  /** A {@link TokenKind} for every token. */
  readonly kinds: Uint8Array;
  readonly merges: readonly string[];
  readonly bosToken: number | undefined;
  readonly eosToken: number | undefined;
  readonly endTokens: ReadonlySet<number>;
  readonly addBos: boolean | undefined;
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
]);
const END_NAMES_IF_CONTROL = new Set(['</s>', '<eos>', '<EOT>', '_<EOT>', '[EOT]', '[EOS]']);

const PREFIX = 'tokenizer.ggml.';

/**
 * Reads and checks the vocabulary.
 *
 * @throws ModelError `invalid_metadata` naming the key
 */
export function readVocabulary(metadata: ReadonlyMap<string, MetadataValue>): Vocabulary {
  const tokens = strings(metadata, 'tokens');
  if (!tokens || tokens.length === 0) throw bad('tokens', 'is missing or empty');
  const kinds = readKinds(metadata, tokens.length);
  const merges = strings(metadata, 'merges') ?? [];
  const eosToken = tokenId(metadata, 'eos_token_id', tokens.length);
  const endTokens = new Set<number>();
  for (const key of ['eos_token_id', 'eot_token_id', 'eom_token_id']) {
    const id = tokenId(metadata, key, tokens.length);
    if (id !== undefined) endTokens.add(id);
  }
  for (let id = 0; id < tokens.length; id++) {
    const text = tokens[id] as string;
    if (END_NAMES.has(text)) {
      kinds[id] = TokenKind.Control;
      endTokens.add(id);
    } else if (kinds[id] === TokenKind.Control && END_NAMES_IF_CONTROL.has(text)) {
      endTokens.add(id);
    }
  }
  const addBos = metadata.get(`${PREFIX}add_bos_token`);
  if (addBos !== undefined && typeof addBos !== 'boolean') {
    throw bad('add_bos_token', 'is not a boolean');
  }
  const bosToken = tokenId(metadata, 'bos_token_id', tokens.length);
  return { tokens, kinds, merges, bosToken, eosToken, endTokens, addBos };
}

function readKinds(metadata: ReadonlyMap<string, MetadataValue>, count: number): Uint8Array {
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
      throw bad('token_type', `has the entry ${String(kind)} for token ${id}`);
    }
    kinds[id] = kind;
  }
  return kinds;
}

function strings(metadata: ReadonlyMap<string, MetadataValue>, key: string): string[] | undefined {
  const value = metadata.get(PREFIX + key);
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw bad(key, 'is not an array of strings');
  }
  return value;
}

function tokenId(
  metadata: ReadonlyMap<string, MetadataValue>,
  key: string,
  count: number,
): number | undefined {
  const id = metadata.get(PREFIX + key);
  if (id === undefined) return undefined;
  if (typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < count) return id;
  throw bad(key, `is ${String(id)}, not a token of ${count}`);
}

function bad(key: string, what: string): ModelError {
  return new ModelError('invalid_metadata', `${PREFIX}${key} ${what}`, { subject: PREFIX + key });
}
