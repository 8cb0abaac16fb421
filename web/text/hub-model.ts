// SPDX-License-Identifier: MIT
// What tokenizer-json.ts makes of a tokenizer.json, at work.

import { ModelError, shown } from '../errors.js';
import { AddedFlag, HUB_PREFIX } from '../gguf/hub-keys.js';
import type { Metadata, MetadataValue } from '../gguf/types.js';
import { type AddedSection, type AddedToken, AddedTokens } from './added-tokens.js';
import { BYTE_CHARS, tokenBytes } from './byte-alphabet.js';
import { ByteFallback } from './byte-fallback.js';
import { BytePairEncoder } from './byte-pair.js';
import { type SplitBehavior, split } from './hub-splits.js';
import { unmarked } from './marks.js';
import { patternOfFile } from './safe-patterns.js';
import { spacedBytes } from './sentence-piece.js';
import { type OpenedModel, type Place, type TextModel, textTokens } from './text-model.js';
import { readVocabulary, type Vocabulary } from './vocabulary.js';

/** What a piece of text goes through: whether it is the first one, and whether text is before it. */
type Piece = { isFirst: boolean; isJoined: boolean };
/** `most`: letters that it may make; another step may make more, and is stopped after it. */
type Step = (texts: string[], piece: Piece, most: number) => string[];

/** The tokenizer of a tokenizer.json. */
export function hubModel(metadata: Metadata): OpenedModel {
  const vocabulary = readVocabulary(metadata);
  return { vocabulary, model: new HubModel(vocabulary, metadata) };
}

class HubModel implements TextModel {
  readonly addBos = false;
  readonly spacePrefix: boolean;
  readonly bytes: (token: string, isByte: boolean) => Uint8Array;
  #normalizers: Step[];
  #preTokenizers: Step[];
  #encoder: BytePairEncoder;
  /** Those looked for in the text as it is and, then, in what normalizers make of it. */
  #added: { every: AddedTokens[]; plain: AddedTokens[] };
  /** Of a marked text: those of the latter as they are written, and as they come of others' letters. */
  #written: AddedTokens;
  #made: (markers: ReadonlySet<string>) => AddedTokens;

  constructor(vocabulary: Vocabulary, metadata: Metadata) {
    const flag = (key: string) => metadata.get(HUB_PREFIX + key) === true;
    this.spacePrefix = flag('space_prefix');
    this.bytes = flag('byte_level') ? tokenBytes : spacedBytes;
    this.#normalizers = steps(metadata, 'normalizer');
    this.#preTokenizers = steps(metadata, 'pre_tokenizer');
    this.#encoder = new BytePairEncoder({
      symbols: textTokens(vocabulary),
      merges: vocabulary.merges,
      ignoreMerges: flag('ignore_merges'),
      characters: (known) =>
        new ByteFallback(known, {
          bytes: flag('byte_fallback'),
          unknown: vocabulary.unknownToken,
          fuse: flag('fuse_unk'),
        }),
    });
    const added = list(metadata, 'added_tokens').map(([id, flags]) => ({
      id: number(id, vocabulary.tokens.length),
      flags: number(flags, 2 ** 31),
    }));
    const some = (accept: (flags: number, text: string) => unknown, isWritten = false) =>
      new AddedTokens(
        added.flatMap(({ id, flags }) => {
          const text = vocabulary.tokens.at(id) as string;
          return accept(flags, text) ? [this.#token(text, id, flags, isWritten)] : [];
        }),
      );
    const { Normalized, Special } = AddedFlag;
    this.#added = {
      every: [some((flags) => !(flags & Normalized)), some((flags) => flags & Normalized)],
      plain: [
        some((flags) => !(flags & (Normalized | Special))),
        some((flags) => flags & Normalized && !(flags & Special)),
      ],
    };
    this.#written = some((flags) => flags & Normalized, true);
    let last: { markers: ReadonlySet<string>; found: AddedTokens } | undefined;
    this.#made = (markers) => {
      if (last?.markers !== markers) {
        const isOurs = (flags: number, text: string) =>
          flags & Normalized && !(flags & Special) && !markers.has(text);
        last = { markers, found: some(isOurs) };
      }
      return last.found;
    };
  }

  encode(text: string, { special, begins, follows, marked }: Place, ids: number[]): void {
    const [raw, normalized] = (special ? this.#added.every : this.#added.plain) as [
      AddedTokens,
      AddedTokens,
    ];
    for (const section of raw.split(text)) {
      if ('id' in section) {
        ids.push(section.id);
        continue;
      }
      const piece = {
        isFirst: begins && section.start === 0,
        isJoined: !follows && section.start === 0,
      };
      const parts = marked
        ? this.#ofMarked(section.text, piece, marked)
        : normalized.split(run([section.text], this.#normalizers, piece).join(''));
      for (const part of parts) {
        if ('id' in part) {
          ids.push(part.id);
          continue;
        }
        const inner = part.start > 0 ? { isFirst: false, isJoined: false } : piece;
        for (const word of run([part.text], this.#preTokenizers, inner)) {
          this.#encoder.encode(word, ids);
        }
      }
    }
  }

  // What a normalizer makes of others' letters is no marker, and it may do anything to a mark.
  #ofMarked(text: string, piece: Piece, markers: ReadonlySet<string>): AddedSection[] {
    return this.#written.split(text).flatMap((part): AddedSection[] => {
      if ('id' in part) return [part];
      const inner = part.start > 0 ? { isFirst: false, isJoined: true } : piece;
      const made = run([unmarked(part.text)], this.#normalizers, inner).join('');
      return this.#made(markers)
        .split(made)
        .map((one) => ('id' in one ? one : { ...one, start: part.start + one.start }));
    });
  }

  #token(text: string, id: number, flags: number, isWritten: boolean): AddedToken {
    const has = (flag: number) => (flags & flag) !== 0;
    const piece = { isFirst: true, isJoined: false };
    const found =
      has(AddedFlag.Normalized) && !isWritten
        ? run([text], this.#normalizers, piece).join('')
        : text;
    if (found.length > MOST_TOKEN_LETTERS)
      throw bad(`has an added token of ${found.length} letters`);
    return {
      id,
      text: found,
      lstrip: has(AddedFlag.LStrip),
      rstrip: has(AddedFlag.RStrip),
      singleWord: has(AddedFlag.SingleWord),
    };
  }
}

// Unicode's longest decomposition makes 18 letters of one.
const MOST_GROWTH = 32;
const GROWTH_ALLOWANCE = 4096;

function run(texts: string[], steps: readonly Step[], piece: Piece): string[] {
  const letters = (all: string[]) => all.reduce((sum, { length }) => sum + length, 0);
  const most = GROWTH_ALLOWANCE + MOST_GROWTH * letters(texts);
  return steps.reduce((given, next) => {
    const made = next(given, piece, most);
    if (letters(made) > most) throw tooMany();
    return made;
  }, texts);
}

const tooMany = () => bad(`makes more than ${MOST_GROWTH} letters of one`);

const PRINTS = /^[!-~]*$/;
const utf8 = new TextEncoder();

/** A text in the byte alphabet. */
function inByteAlphabet(text: string): string {
  if (PRINTS.test(text)) return text;
  let chars = '';
  for (const byte of utf8.encode(text)) chars += BYTE_CHARS[byte];
  return chars;
}

const each = (change: (text: string) => string) => (texts: string[]) => texts.map(change);

const STEPS: Readonly<Record<string, (...settings: string[]) => Step>> = {
  normalize: (form = '') => each((text) => text.normalize(form)),
  replace: (source = '', content = '') => {
    const pattern = patternOfFile(source);
    return (texts, _, most) => {
      // Counted before there is a text of them.
      let letters = 0;
      const next = () => {
        letters += content.length;
        if (letters > most) throw tooMany();
        return content;
      };
      return texts.map((text) => text.replace(pattern, next));
    };
  },
  // Not before text that goes on from other text. `first`: at the beginning only; `once`: unless it is
  // there.
  prefix:
    (added = '', where, times) =>
    (texts, { isFirst, isJoined }) =>
      texts.map((text, i) => {
        if (text === '' || (isJoined && i === 0)) return text;
        if (where === 'first' && !(isFirst && i === 0)) return text;
        return times === 'once' && text.startsWith(added) ? text : added + text;
      }),
  split: (source = '', behavior, invert) => {
    const pattern = patternOfFile(source);
    const how = { pattern, behavior: behavior as SplitBehavior, invert: invert === 'invert' };
    return (texts) => texts.flatMap((text) => split(text, how));
  },
  bytes: () => each(inByteAlphabet),
};

// Engines take no expression of some 50,000 letters, and say so only when they use it. What is published
// has 1,000.
const MOST_LETTERS = 8192;
const MOST_TOKEN_LETTERS = 1024;
const MOST_STEPS = 256;

function step([name, ...settings]: MetadataValue[]): Step {
  const make = typeof name === 'string' && Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
  const longest = Math.max(0, ...settings.map((setting) => String(setting).length));
  if (longest > MOST_LETTERS) throw bad(`has a step of ${longest} letters`);
  if (!make) throw bad(`has no step ${shown(name)}`);
  try {
    return make(...settings.map(String));
  } catch (cause) {
    throw bad(`has a step that cannot be taken: ${(cause as Error).message}`);
  }
}

function steps(metadata: Metadata, key: string): Step[] {
  const all = list(metadata, key);
  if (all.length > MOST_STEPS) throw bad(`${key} has ${all.length} steps`);
  return all.map(step);
}

function list(metadata: Metadata, key: string): MetadataValue[][] {
  const found = metadata.get(HUB_PREFIX + key) ?? [];
  if (Array.isArray(found) && found.every(Array.isArray)) return found as MetadataValue[][];
  throw bad(`${key} is not a list of lists`);
}

function number(value: MetadataValue | undefined, end: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < end)
    return value;
  throw bad(`has ${shown(value)} where a number below ${end} belongs`);
}

function bad(what: string): ModelError {
  const subject = HUB_PREFIX.slice(0, -1);
  return new ModelError('invalid_metadata', `${subject} ${what}`, { subject });
}
