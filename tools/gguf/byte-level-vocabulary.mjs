// SPDX-License-Identifier: MIT

const normal = 1;
const control = 3;
const userDefined = 4;
const unused = 5;

/** ChatML with an optional system turn, as the template of a model file. */
export const chatTemplate = [
  '{%- for message in messages %}',
  "{{- '<|im_start|>' + message.role + '\\n' + message.content | trim + '<|im_end|>\\n' }}",
  '{%- endfor %}',
  "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}",
].join('\n');

/** Ids of the tokens that are one byte of a character beyond ASCII, in vocabularies of any size. */
export function partialCharacterIds() {
  return byteOrder().flatMap((byte, id) => (byte >= 0x80 ? [id] : []));
}

// Printable bytes stand for themselves and come first; the other 68 are written as U+0100 and up.
/** @param {number} byte */
const printable = (byte) => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);

function byteOrder() {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  return [...bytes.filter(printable), ...bytes.filter((byte) => !printable(byte))];
}

function byteTokens() {
  const others = byteOrder().findIndex((byte) => !printable(byte));
  return byteOrder().map((byte, id) =>
    String.fromCharCode(printable(byte) ? byte : 256 + id - others),
  );
}

// Each new token is a known one and one more letter: pairs first, then triples, and so on. English text comes out
// in pieces of two to four letters, and every token can be reached by its merge.
/** @returns {Generator<[stem: string, letter: string]>} */
function* letterMerges() {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const space = 'Ġ';
  let stems = [space, ...letters];
  for (;;) {
    /** @type {string[]} */
    const longer = [];
    for (const stem of stems) {
      for (const letter of letters) {
        yield [stem, letter];
        longer.push(stem + letter);
      }
    }
    stems = longer;
  }
}

// The published vocabulary is padded: its special tokens begin 276 before the end. Small ones end with them.
/** @param {number} vocab */
function placeSpecials(vocab) {
  /** @type {[place: number, text: string, type: number][]} */
  const specials = [
    [0, '<|endoftext|>', control],
    [1, '<|im_start|>', control],
    [2, '<|im_end|>', control],
  ];
  if (vocab < 4096) return { first: vocab - 3, specials };
  specials.push([24, '<think>', userDefined], [25, '</think>', userDefined]);
  return { first: vocab - 276, specials };
}

/**
 * A byte-level BPE vocabulary of any size from 259 tokens on.
 * @param {number} vocab
 * @returns {{ tokens: string[], types: number[], merges: string[], endOfText: number, endOfTurn: number }}
 */
export function byteLevelVocabulary(vocab) {
  if (vocab < 259)
    throw new RangeError(`a vocabulary of ${vocab} cannot hold 256 bytes and 3 special tokens`);
  const { first, specials } = placeSpecials(vocab);
  const tokens = byteTokens();
  /** @type {string[]} */
  const merges = [];
  for (const [stem, letter] of letterMerges()) {
    if (tokens.length === first) break;
    tokens.push(stem + letter);
    merges.push(`${stem} ${letter}`);
  }
  /** @type {number[]} */
  const types = Array.from({ length: vocab }, (_, id) => (id < first ? normal : unused));
  for (let id = first; id < vocab; id++) tokens.push(`[PAD${id}]`);
  for (const [place, text, type] of specials) {
    tokens[first + place] = text;
    types[first + place] = type;
  }
  return { tokens, types, merges, endOfText: first, endOfTurn: first + 2 };
}
