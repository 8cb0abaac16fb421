// SPDX-License-Identifier: MIT
//
// What a written text is made of: words, sentences, what comes again and what is broken off.

// A full stop behind them ends no sentence.
const kTitles = String.raw`(?<!\b(?:Mr|Mrs|Ms|Dr|St))`;
const kSentenceEnd = new RegExp(
  String.raw`${kTitles}[.!?\u2026]+["'\u201d\u2019)\]]*\s+(?=["'\u201c\u2018(]?[\p{Lu}\p{N}])`,
  'gu',
);
const kEnded = /[.!?\u2026]["'\u201d\u2019)\]]*$/;
const kTrailsOff = /(?:\.\.\.|\u2026)["'\u201d\u2019)\]]*$/;
const kColon = /[:,]["'\u201d]*$/;
// After these no English sentence ends, and none begins.
const kNeedsMore = [
  'a',
  'an',
  'the',
  'and',
  'or',
  'because',
  'my',
  'your',
  'our',
  'their',
  'every',
];
const kOpeners = ['He', 'She', 'They', 'It', 'We', 'The', 'Then', 'But', 'So', 'When'];
const kRestarted = new RegExp(
  String.raw`\b(?:${kNeedsMore.join('|')})\s+(?:${kOpeners.join('|')})\b`,
  'g',
);
const kTitleWords = 8;

/**
 * Runs of letters and digits, in lower case: `Mira's` is `mira` and `s`, so that a name counts
 * whatever stands behind it.
 * @type {(text: string) => string[]}
 */
export const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Whether the words of a phrase stand in a text, next to each other and in this order.
 * @type {(text: string, phrase: string) => boolean}
 */
export function mentions(text, phrase) {
  return ` ${words(text).join(' ')} `.includes(` ${words(phrase).join(' ')} `);
}

/**
 * What is said in quotes may hold several of them.
 * @param {string} text
 */
export function sentences(text) {
  return text
    .split(/\n+/)
    .flatMap((line) => line.replace(kSentenceEnd, (end) => `${end.trimEnd()}\n`).split('\n'))
    .map((sentence) => sentence.trim())
    .filter((sentence) => words(sentence).length > 0);
}

/**
 * A text without what is said in it.
 * @param {string} text
 */
export const narration = (text) => text.replace(/"[^"\n]*"|\u201c[^\u201d\n]*\u201d/g, ' ');

/**
 * All runs of so many words.
 * @type {(text: string, length: number) => string[]}
 */
export function grams(text, length) {
  const all = words(text);
  return all.slice(0, Math.max(0, all.length - length + 1)).map((_, at) => {
    return all.slice(at, at + length).join(' ');
  });
}

/**
 * How many runs of four words there are, and how many of them occur before in the same text.
 * @param {string} text
 */
export function repeated(text) {
  const all = grams(text, 4);
  return { repeated: all.length - new Set(all).size, of: all.length };
}

/**
 * How many sentences are broken off: a line that ends without an end mark, a sentence whose last word
 * needs another one (`They went to the.`), and one that another begins in (`They saw the Then he ran.`).
 * What trails off in dots does so on purpose. A title may stand first.
 *
 * @param {string} text
 * @param {boolean} cut whether the writer was stopped: then its last line may be unfinished
 */
export function brokenOff(text, cut) {
  const lines = text.split('\n').filter((line) => words(line).length > 0);
  let broken = 0;
  for (const [at, whole] of lines.entries()) {
    const line = whole.trim();
    const isLast = at === lines.length - 1;
    const isTitle = at === 0 && !isLast && words(line).length <= kTitleWords;
    const isEnded = kEnded.test(line);
    const goesOn = !isLast && kColon.test(line);
    if (!isEnded && !goesOn && !isTitle && !(isLast && cut)) broken += 1;
    broken += [...line.matchAll(kRestarted)].length;
    for (const sentence of sentences(line)) {
      if (!kEnded.test(sentence) || kTrailsOff.test(sentence)) continue;
      if (kNeedsMore.includes(words(sentence).at(-1) ?? '')) broken += 1;
    }
  }
  return broken;
}
