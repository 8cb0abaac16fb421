// SPDX-License-Identifier: MIT
import { ModelError, short, shown } from '../errors.js';
import { nearest } from '../option-names.js';
import { fromOniguruma } from './oniguruma.js';
import { GPT2_WORDS } from './pre-tokenizers.js';
import { SPACE } from './sentence-piece.js';

/** An object of a tokenizer.json. */
export type Json = { readonly [key: string]: unknown };
/** A name and settings: what hub-model.ts makes of text. */
export type StepText = string[];
type Parts = Readonly<Record<string, (part: Json) => StepText[]>>;

// What is published has 1,000 letters.
const MOST_PATTERN = 8192;
const BEHAVIORS = ['isolated', 'removed', 'contiguous', 'merged_with_previous', 'merged_with_next'];

const NORMALIZERS: Parts = {
  Sequence: (part) => all(part.normalizers, normalizerSteps),
  NFC: () => [['normalize', 'NFC']],
  NFD: () => [['normalize', 'NFD']],
  NFKC: () => [['normalize', 'NFKC']],
  NFKD: () => [['normalize', 'NFKD']],
  Prepend: ({ prepend }) => [['prefix', text(prepend), 'always', 'again']],
  Replace: ({ pattern, content }) => [['replace', patternOf(pattern), text(content)]],
};

const PRE_TOKENIZERS: Parts = {
  Sequence: (part) => all(part.pretokenizers, preTokenizerSteps),
  Split: ({ pattern, behavior, invert }) => [
    split(patternOf(pattern), text(behavior), invert === true),
  ],
  ByteLevel: ({ add_prefix_space, use_regex }) => [
    ...((add_prefix_space ?? true) ? [['prefix', ' ', 'always', 'once']] : []),
    ...((use_regex ?? true) ? [split(GPT2_WORDS)] : []),
    ['bytes'],
  ],
  Digits: ({ individual_digits }) => [
    split('\\p{N}', individual_digits === true ? 'Isolated' : 'Contiguous'),
  ],
  Punctuation: ({ behavior }) => [split('[\\p{P}!-\\/:-@\\[-`{-~]', text(behavior ?? 'Isolated'))],
  Metaspace: metaspace,
};

/** What the normalizer of a tokenizer.json does. @throws ModelError naming what there is none for */
export function normalizerSteps(part: unknown): StepText[] {
  return steps(part, 'normalizer', NORMALIZERS);
}

/** What the pre-tokenizer of a tokenizer.json does. @throws ModelError as above */
export function preTokenizerSteps(part: unknown): StepText[] {
  return steps(part, 'pre-tokenizer', PRE_TOKENIZERS);
}

/** How a metaspace starts texts. */
export function prependScheme({ prepend_scheme, add_prefix_space }: Json): string {
  const scheme = prepend_scheme ?? (add_prefix_space === false ? 'never' : 'always');
  if (scheme === 'always' || scheme === 'first' || scheme === 'never') return scheme;
  throw unsupported(`the prepend scheme ${shown(scheme)}`);
}

function metaspace(part: Json): StepText[] {
  const { replacement = SPACE, str_rep = replacement } = part;
  if (replacement !== SPACE || str_rep !== SPACE) {
    throw unsupported(`a metaspace of ${shown(replacement)}`);
  }
  const scheme = prependScheme(part);
  return [
    ['replace', ' ', SPACE],
    ...(scheme === 'never' ? [] : [['prefix', SPACE, scheme, 'once']]),
    ...(part.split === false ? [] : [split(SPACE, 'MergedWithNext')]),
  ];
}

function steps(part: unknown, kind: string, known: Parts): StepText[] {
  if (part === null || part === undefined) return [];
  const object = part as Json;
  const make = pick(object, kind, known);
  return make(object);
}

/** The entry for the type of a part. @throws ModelError naming a type that is not there */
export function pick<Entry>(
  part: Json,
  kind: string,
  known: Readonly<Record<string, Entry>>,
): Entry {
  const type = part?.type;
  if (typeof type === 'string' && Object.hasOwn(known, type)) return known[type] as Entry;
  const names = Object.keys(known);
  const near = typeof type === 'string' ? `, the nearest being ${nearest(type, names)}` : '';
  throw unsupported(`the ${kind} ${shown(type)}: there are ${names.join(', ')}${near}`);
}

function all(parts: unknown, read: (part: unknown) => StepText[]): StepText[] {
  if (!Array.isArray(parts)) throw unsupported('a sequence without a list');
  return parts.flatMap(read);
}

function split(pattern: string, behavior = 'Isolated', invert = false): StepText {
  const name = behavior.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase();
  if (!BEHAVIORS.includes(name)) throw unsupported(`the split behavior ${short(behavior)}`);
  return ['split', pattern, name, invert ? 'invert' : ''];
}

function patternOf(pattern: unknown): string {
  const { String: plain, Regex: source } = (pattern ?? {}) as Json;
  if (typeof plain === 'string') return plain.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (typeof source !== 'string') throw unsupported('a pattern that is neither String nor Regex');
  // Translated it may be some hundred times as long.
  if (source.length > MOST_PATTERN) throw unsupported(`a pattern of ${source.length} letters`);
  try {
    return fromOniguruma(source);
  } catch (cause) {
    throw unsupported(`the pattern ${short(source)}: ${(cause as Error).message}`);
  }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw unsupported(`${shown(value)} in the place of a text`);
}

/** What a tokenizer.json has and we do not. */
export function unsupported(what: string): ModelError {
  const message = `tokenizer.json has ${what}, which is not supported`;
  return new ModelError('unsupported_tokenizer', message, { subject: 'tokenizer.json' });
}
