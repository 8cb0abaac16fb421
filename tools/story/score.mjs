// SPDX-License-Identifier: MIT
//
// Whether what a model has written for a held-out task is right. No model judges: words are counted.

import { grams, mentions, narration, sentences, words } from './words.mjs';

/** @import { Call, Edit, Field, Request, Wanted } from './heldout.mjs' */

/** An answer is a sentence or two: who says the whole story again has not answered. */
const kMostAnswerWords = 40;
const kLeastStoryWords = 60;
const kFreshGram = 5;
// Words that say nothing of what a question is about.
const kSmallWords = new Set(
  words(`a an the and or but of in on at to for from by with as so than then that this these those
    it its he him his she her they them their we us our i me my you your is are was were be been am
    do does did done have has had will would can could may might must not no who whom whose what
    which where when why how`),
);

/** @type {(text: string, wanted: Wanted) => boolean} */
export function answerRight(text, { accept, all = [], reject, long = false }) {
  const count = words(text).length;
  if (count === 0 || (count > kMostAnswerWords && !long)) return false;
  /** @param {string} phrase */
  const has = (phrase) => mentions(text, phrase);
  return (accept.length === 0 || accept.some(has)) && all.every(has) && !reject.some(has);
}

/**
 * The sentence of a story that shares most words with a question, the first of several: what one
 * answers who understands nothing.
 * @type {(story: string, ask: string) => string}
 */
export function overlappingSentence(story, ask) {
  const asked = new Set(words(ask).filter((word) => !kSmallWords.has(word)));
  let best = '';
  let most = -1;
  for (const sentence of sentences(story)) {
    const shared = new Set(words(sentence).filter((word) => asked.has(word))).size;
    if (shared > most) [best, most] = [sentence, shared];
  }
  return best;
}

/** @param {string} value */
function bare(value) {
  const [first = '', ...rest] = words(value);
  const isArticle = ['a', 'an', 'the', 'his', 'her'].includes(first) && rest.length > 0;
  return (isArticle ? rest : [first, ...rest]).join(' ');
}

/** @type {(value: unknown, accept: readonly (string | number)[]) => boolean} */
function isOneOf(value, accept) {
  if (typeof value !== 'string') return accept.some((one) => one === value);
  return accept.some((one) => typeof one === 'string' && bare(one) === bare(value));
}

/**
 * Whether a field has an accepted value; of a list, whether its items are those asked for, each once, in
 * any order.
 * @type {(value: unknown, field: Field) => boolean}
 */
export function fieldRight(value, field) {
  if (Array.isArray(field)) return isOneOf(value, field);
  const { items } = /** @type {{ items: string[][] }} */ (field);
  if (!Array.isArray(value) || value.length !== items.length) return false;
  return items.every((accept) => value.filter((one) => isOneOf(one, accept)).length === 1);
}

/**
 * The names of those fields of a JSON text that are right.
 * @type {(text: string, fields: Record<string, Field>) => string[]}
 */
export function fieldsRight(text, fields) {
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const found = /** @type {Record<string, unknown>} */ (value);
  return Object.keys(fields).filter((name) => fieldRight(found[name], fields[name]));
}

/**
 * Whether exactly the expected call came out, or none where none is.
 * @type {(calls: readonly Call[], expected: Call | null) => boolean}
 */
export function callRight(calls, expected) {
  if (expected === null || calls.length !== 1) return expected === null && calls.length === 0;
  const [{ name, arguments: given }] = calls;
  const wanted = Object.entries(expected.arguments);
  return (
    name === expected.name &&
    Object.keys(given).length === wanted.length &&
    wanted.every(([key, value]) => given[key] === value)
  );
}

/**
 * What of an edit is missing or wrong; empty where it is right.
 * @type {(text: string, story: string, edit: Edit) => string[]}
 */
export function editFaults(text, story, edit) {
  const count = words(text).length;
  const faults = [];
  if (count < edit.leastWords) faults.push('too short');
  if (count > (edit.mostWords ?? Infinity)) faults.push('too long');
  if (sentences(text).length > (edit.mostSentences ?? Infinity)) faults.push('too many sentences');
  if (edit.firstPerson && !words(narration(text)).includes('i')) faults.push('not in first person');
  for (const any of edit.says ?? []) {
    if (!any.some((word) => mentions(text, word))) faults.push(`does not say ${any.join(' or ')}`);
  }
  for (const word of edit.saysNot ?? []) {
    if (mentions(text, word)) faults.push(`says ${word}`);
  }
  if (edit.fresh !== undefined && freshShare(text, story) < edit.fresh) faults.push('copied');
  return faults;
}

/**
 * The share of a text's runs of five words that do not stand in a story.
 * @type {(text: string, story: string) => number}
 */
export function freshShare(text, story) {
  const known = new Set(grams(story, kFreshGram));
  const all = grams(text, kFreshGram);
  if (all.length === 0) return 1;
  return all.filter((gram) => !known.has(gram)).length / all.length;
}

/**
 * Those of a request's wishes that a story has; and whether it has them all, and is one by its length.
 * @type {(text: string, request: Request) => { had: number, right: boolean }}
 */
export function requestRight(text, { must }) {
  const had = must.filter((any) => any.some((word) => mentions(text, word))).length;
  return { had, right: had === must.length && words(text).length >= kLeastStoryWords };
}
