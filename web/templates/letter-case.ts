// SPDX-License-Identifier: MIT
// Upper and lower case as Python changes them.

const CASED = /[\p{Lu}\p{Ll}\p{Lt}]/u;
const WORD = /[\p{Lu}\p{Ll}\p{Lt}]+/gu;

/** Whether a text has letters that are upper or lower case. */
export const isCased = (text: string): boolean => CASED.test(text);

/** The first letter as at the beginning of a title, the others lower case. */
export function capitalized(text: string): string {
  const [first = ''] = text;
  return upperFirst(first) + text.slice(first.length).toLowerCase();
}

// One code point where there are several: ǆ becomes ǅ, ß becomes Ss.
function upperFirst(letter: string): string {
  const digraph = { ǆ: 'ǅ', Ǆ: 'ǅ', ǉ: 'ǈ', Ǉ: 'ǈ', ǌ: 'ǋ', Ǌ: 'ǋ', ǳ: 'ǲ', Ǳ: 'ǲ' }[letter];
  const [first = '', ...others] = letter.toUpperCase();
  return digraph ?? first + others.join('').toLowerCase();
}

/** `str.title`: each run of letters that have a case. */
export const titled = (text: string): string => text.replace(WORD, capitalized);

export const isTitle = (text: string): boolean => isCased(text) && titled(text) === text;

export const swappedCase = (text: string): string =>
  Array.from(text, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  ).join('');
