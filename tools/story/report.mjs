// SPDX-License-Identifier: MIT
//
// What came out of held-out tasks, as a table, beside what is right without any model.

import { markdown } from '../bench/command-line.mjs';
import { storyOf } from './ask.mjs';
import { answerRight, callRight, editFaults, overlappingSentence } from './score.mjs';
import { brokenOff, repeated, words } from './words.mjs';

/**
 * @import { Outcome } from './ask.mjs'
 * @import { Heldout, Wanted } from './heldout.mjs'
 *
 * @typedef {{ tokens: number, perplexity: number, bitsPerByte: number }} Score
 * @typedef {Record<string, Outcome[]>} Outcomes
 */

const kKinds = ['who', 'what', 'where', 'why', 'free'];

/** @type {(part: number, of: number) => string} */
const percent = (part, of) => `${((100 * part) / of).toFixed(1)} %`;

/**
 * What is right without understanding: the sentence of the story copied that shares most words with the
 * question, the story itself as an edit, no call at all.
 * @param {Heldout} heldout
 * @returns {Record<string, boolean[]>} by task; of questions also by kind
 */
export function floors(heldout) {
  const { questions, calls, talks, edits } = heldout;
  /** @type {(id: string | undefined, wanted: Wanted & { ask: string }) => boolean} */
  const copied = (id, wanted) => {
    return answerRight(overlappingSentence(storyOf(heldout, id), wanted.ask), wanted);
  };
  /** @type {[string, boolean[]][]} */
  const kinds = kKinds.map((kind) => {
    const those = questions.filter((question) => question.kind === kind);
    return [kind, those.map((question) => copied(question.story, question))];
  });
  return {
    ...Object.fromEntries(kinds),
    answers: questions.map((question) => copied(question.story, question)),
    calls: calls.tasks.map(({ call }) => callRight([], call)),
    talks: talks.map(({ story, turns }) => turns.every((turn) => copied(story, turn))),
    second: talks.map(({ story, turns: [, turn] }) => copied(story, turn)),
    edits: edits.map((edit) => {
      const story = storyOf(heldout, edit.story);
      return editFaults(story, story, edit).length === 0;
    }),
  };
}

/** @type {(name: string, list: boolean[], floor?: boolean[]) => string[]} */
function rateRow(name, list, floor) {
  const right = list.filter(Boolean).length;
  const least = floor && percent(floor.filter(Boolean).length, floor.length);
  return [name, percent(right, list.length), `${right} of ${list.length}`, least ?? ''];
}

/** @type {(name: string, list: Outcome[]) => string[]} */
function partsRow(name, list) {
  const had = list.reduce((sum, outcome) => sum + (outcome.had ?? 0), 0);
  const of = list.reduce((sum, outcome) => sum + (outcome.of ?? 0), 0);
  return [name, percent(had, of), `${had} of ${of}`, ''];
}

/** @param {Outcome[]} requests */
function faultRows(requests) {
  let [again, grams, broken, count] = [0, 0, 0, 0];
  for (const { texts, cut = false } of requests) {
    const found = repeated(texts[0]);
    again += found.repeated;
    grams += found.of;
    broken += brokenOff(texts[0], cut);
    count += words(texts[0]).length;
  }
  const often = ((1000 * broken) / count).toFixed(2);
  return [
    ['runs of four words that came before', percent(again, grams), `${again} of ${grams}`, ''],
    ['sentences broken off, of 1 000 words', often, `${broken} in ${count} words`, ''],
  ];
}

/** @type {Record<string, (list: Outcome[], floor: Record<string, boolean[]>) => string[][]>} */
const kRows = {
  answers: (list, floor) => [
    rateRow('answers', right(list), floor.answers),
    ...kKinds.map((kind) => {
      return rateRow(`- ${kind}`, right(list.filter((one) => one.kind === kind)), floor[kind]);
    }),
  ],
  extractions: (list) => [rateRow('JSON, every field', right(list)), partsRow('- fields', list)],
  calls: (list, floor) => [
    rateRow('calls', right(list), floor.calls),
    rateRow('- where one is needed', right(list.filter((one) => !one.isNone))),
    rateRow('- where none is', right(list.filter((one) => one.isNone))),
  ],
  talks: (list, floor) => [
    rateRow('talks, both turns', right(list), floor.talks),
    rateRow('- the second turn', seconds(list), floor.second),
  ],
  edits: (list, floor) => [rateRow('edits', right(list), floor.edits)],
  requests: (list) => [
    rateRow('stories as requested', right(list)),
    partsRow('- wishes in them', list),
    ...faultRows(list),
  ],
};

/** @param {Outcome[]} list */
const right = (list) => list.map((outcome) => outcome.right);
/** @param {Outcome[]} list */
const seconds = (list) => list.map((outcome) => outcome.secondRight === true);

/** @type {(heldout: Heldout, outcomes: Outcomes, score?: Score) => string} */
export function table(heldout, outcomes, score) {
  const floor = floors(heldout);
  const rows = Object.entries(outcomes).flatMap(([name, list]) => kRows[name](list, floor));
  if (score) {
    const perplexity = score.perplexity.toFixed(1);
    rows.push(['perplexity of the stories', perplexity, `${score.tokens} tokens`, '']);
    rows.push(['- bits a byte', score.bitsPerByte.toFixed(3), '', '']);
  }
  return markdown(['', 'right', '', 'floor'], rows);
}
