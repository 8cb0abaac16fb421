// SPDX-License-Identifier: MIT
//
// Stories and tasks that no model here is trained on: written by hand, by another than those who wrote
// what trains the embedded model. They only stay what they are if nobody trains on them, or writes
// training text after them.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {{ id: string, title: string, text: string }} Story
 *
 * An answer that is right mentions one of `accept`, where there are any, all of `all`, and none of
 * `reject`. It is short unless a `long` one is asked for.
 * @typedef {{ accept: string[], all?: string[], reject: string[], long?: boolean }} Wanted
 *
 * @typedef {Wanted & { story: string, kind: 'who' | 'what' | 'where' | 'why' | 'free', ask: string }} Question
 *
 * Accepted values, or of a list those of each item.
 * @typedef {(string | number)[] | { items: string[][] }} Field
 *
 * @typedef {{ story: string, ask: string, schema: Record<string, unknown>, fields: Record<string, Field> }} Extraction
 *
 * @typedef {{ name: string, arguments: Readonly<Record<string, unknown>> }} Call
 * @typedef {{ ask: string, call: Call | null }} CallTask
 *
 * @typedef {{ story?: string, turns: (Wanted & { ask: string })[] }} Talk
 *
 * `says`: of each list one word; `fresh`: the least share of runs of five words that are not the story's.
 * @typedef {object} Edit
 * @property {string} story
 * @property {string} ask
 * @property {number} leastWords
 * @property {number} [mostWords]
 * @property {number} [mostSentences]
 * @property {boolean} [firstPerson]
 * @property {string[][]} [says]
 * @property {string[]} [saysNot]
 * @property {number} [fresh]
 *
 * @typedef {{ ask: string, must: string[][] }} Request must: of each list one word
 *
 * @typedef {object} Heldout
 * @property {Story[]} stories
 * @property {Question[]} questions
 * @property {Extraction[]} extractions
 * @property {{ tools: import('../../web/index.ts').Tool[], tasks: CallTask[] }} calls
 * @property {Talk[]} talks
 * @property {Edit[]} edits
 * @property {Request[]} requests
 */

export const kHeldoutFolder = join(import.meta.dirname, 'heldout');

/** @returns {Promise<Heldout>} */
export async function readHeldout() {
  /** @param {string} name */
  const read = async (name) => {
    return JSON.parse(await readFile(join(kHeldoutFolder, `${name}.json`), 'utf8'));
  };
  return {
    stories: await read('stories'),
    questions: await read('questions'),
    extractions: await read('extractions'),
    calls: await read('calls'),
    talks: await read('talks'),
    edits: await read('edits'),
    requests: await read('requests'),
  };
}
