// SPDX-License-Identifier: MIT
//
// Puts held-out tasks to a model as a program of the package's users would, and says which are right.
// What is asked together shares passes over the weights, and comes out as if it were asked alone.

import { answerRight, callRight, editFaults, fieldsRight, requestRight } from './score.mjs';

/**
 * @import { Message, Model, RespondOptions, Session, SessionOptions } from '../../web/index.ts'
 * @import { Call, Heldout } from './heldout.mjs'
 *
 * @typedef {object} Setting
 * @property {Model} model
 * @property {Heldout} heldout
 * @property {'user' | 'assistant'} told whose message the story is that is asked about
 * @property {number[]} seeds of what is drawn: a text each
 *
 * One task, with what came out.
 * @typedef {object} Outcome
 * @property {boolean} right
 * @property {string} ask
 * @property {string[]} texts one a turn
 * @property {string} [story]
 * @property {string} [kind] of a question
 * @property {number} [had] parts that are right
 * @property {number} [of] such parts
 * @property {string[]} [faults]
 * @property {Call[]} [calls]
 * @property {boolean} [isNone] no call is expected
 * @property {boolean} [secondRight] of a talk
 * @property {number} [seed]
 * @property {boolean} [cut] by the greatest number of tokens
 *
 * @typedef {(setting: Setting) => Promise<Outcome[]>} Task
 */

const kTogether = 8;
const kGreedy = { temperature: 0 };
const kAnswer = { ...kGreedy, maxTokens: 80 };
const kJson = { ...kGreedy, maxTokens: 200 };
const kStory = { ...kGreedy, maxTokens: 400 };
// As long as stories are that come to their ends: what is cut says little of how they end.
const kDrawn = { temperature: 0.8, maxTokens: 800 };

/** @type {(heldout: Pick<Heldout, 'stories'>, id?: string) => string} */
export function storyOf({ stories }, id) {
  if (id === undefined) return '';
  const found = stories.find((story) => story.id === id);
  if (!found) throw new RangeError(`no story '${id}'`);
  return found.text;
}

/**
 * A session that knows a story, and the question behind it as it is to be asked.
 * @type {(setting: Setting, story: string, ask: string, options?: SessionOptions) => Promise<{ session: Session, input: string }>}
 */
async function beginning({ model, told }, story, ask, options = {}) {
  /** @type {Message[]} */
  const initialPrompts = [
    { role: 'user', content: 'Tell me a story.' },
    { role: 'assistant', content: story },
  ];
  const isTold = story !== '' && told === 'assistant';
  const more = isTold ? { initialPrompts } : {};
  const session = await model.createSession({ checkpoints: 0, ...options, ...more });
  return { session, input: story === '' || isTold ? ask : `${story}\n\n${ask}` };
}

/** @type {(session: Session, input: string, options: RespondOptions) => Promise<{ text: string, calls: Call[], cut: boolean }>} */
async function said(session, input, options) {
  const stream = session.respond(input, options);
  /** @type {Call[]} */
  const calls = [];
  let text = '';
  let cut = false;
  for await (const part of stream) {
    if (part.type === 'text') text += part.text;
    if (part.type === 'tool-call') calls.push({ name: part.name, arguments: part.arguments });
    if (part.type === 'finish') cut = part.reason === 'length';
  }
  return { text: text.trim(), calls, cut };
}

/** @type {(setting: Setting, story: string, ask: string, options: RespondOptions, own?: SessionOptions) => ReturnType<typeof said>} */
async function once(setting, story, ask, options, own) {
  const { session, input } = await beginning(setting, story, ask, own);
  try {
    return await said(session, input, options);
  } finally {
    session.destroy();
  }
}

/**
 * In the order of the items, several at a time.
 * @template T, R
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<R>} work
 * @returns {Promise<R[]>}
 */
async function all(items, work) {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]);
    }
  };
  await Promise.all(Array.from({ length: kTogether }, worker));
  return results;
}

/** @type {<T>(seeds: number[], items: readonly T[]) => (T & { seed: number })[]} */
const timesSeeds = (seeds, items) =>
  items.flatMap((item) => seeds.map((seed) => ({ ...item, seed })));

/** @type {Record<string, Task>} */
export const kTasks = {
  answers: (setting) =>
    all(setting.heldout.questions, async (question) => {
      const { story, ask, kind } = question;
      const { text } = await once(setting, storyOf(setting.heldout, story), ask, kAnswer);
      return { right: answerRight(text, question), ask, texts: [text], story, kind };
    }),

  extractions: (setting) =>
    all(setting.heldout.extractions, async ({ story, ask, schema, fields }) => {
      /** @type {RespondOptions['constraint']} */
      const constraint = { type: 'json_schema', schema };
      const options = { ...kJson, constraint };
      const { text } = await once(setting, storyOf(setting.heldout, story), ask, options);
      const had = fieldsRight(text, fields).length;
      const of = Object.keys(fields).length;
      return { right: had === of, ask, texts: [text], story, had, of };
    }),

  calls: (setting) =>
    all(setting.heldout.calls.tasks, async ({ ask, call }) => {
      const { tools } = setting.heldout.calls;
      const { text, calls } = await once(setting, '', ask, kAnswer, { tools });
      return { right: callRight(calls, call), ask, texts: [text], calls, isNone: call === null };
    }),

  talks: (setting) =>
    all(setting.heldout.talks, async ({ story, turns: [first, second] }) => {
      const { session, input } = await beginning(
        setting,
        storyOf(setting.heldout, story),
        first.ask,
      );
      const { text: one } = await said(session, input, first.long ? kStory : kAnswer);
      const { text: two } = await said(session, second.ask, kAnswer);
      session.destroy();
      const secondRight = answerRight(two, second);
      const right = secondRight && answerRight(one, first);
      const ask = `${first.ask} / ${second.ask}`;
      return { right, ask, texts: [one, two], story, secondRight };
    }),

  edits: (setting) =>
    all(timesSeeds(setting.seeds, setting.heldout.edits), async (edit) => {
      const { story, ask, seed } = edit;
      const text = storyOf(setting.heldout, story);
      const written = await once(setting, text, ask, { ...kDrawn, seed });
      const faults = editFaults(written.text, text, edit);
      const { cut } = written;
      return { right: faults.length === 0, ask, texts: [written.text], story, faults, seed, cut };
    }),

  requests: (setting) =>
    all(timesSeeds(setting.seeds, setting.heldout.requests), async (request) => {
      const { ask, seed, must } = request;
      const { text, cut } = await once(setting, '', ask, { ...kDrawn, seed });
      return { ...requestRight(text, request), ask, texts: [text], of: must.length, seed, cut };
    }),
};
