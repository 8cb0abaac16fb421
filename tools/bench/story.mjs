// SPDX-License-Identifier: MIT
//
// Whether a small model writes stories and can talk about them, on material that was written by hand and
// that nobody trains on (tools/story/heldout).

import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

import { kTasks } from '../story/ask.mjs';
import { readHeldout } from '../story/heldout.mjs';
import { table } from '../story/report.mjs';
import { kEmbeddedModel } from './command-line.mjs';

/**
 * @import { Model } from '../../web/index.ts'
 * @import { Setting } from '../story/ask.mjs'
 * @import { Outcomes, Score } from '../story/report.mjs'
 */

const kPerplexity = 'perplexity';
const kNames = [...Object.keys(kTasks), kPerplexity];

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string', default: kEmbeddedModel },
      json: { type: 'string' },
      only: { type: 'string', default: kNames.join(',') },
      told: { type: 'string', default: 'user' },
      seeds: { type: 'string', default: '1,2,3' },
    },
  });
  const { told } = values;
  if (told !== 'user' && told !== 'assistant') {
    throw new RangeError(`--told is user or assistant, not '${told}'`);
  }
  const seeds = values.seeds.split(',').map(Number);
  if (!seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)) {
    throw new RangeError('--seeds are whole numbers');
  }
  const only = values.only.split(',');
  const unknown = only.find((name) => !kNames.includes(name));
  if (unknown !== undefined) {
    throw new RangeError(`--only knows ${kNames.join(', ')}, not '${unknown}'`);
  }
  const heldout = await readHeldout();
  const { loadModel } = await import('fastweights');
  const model = await loadModel(values.model, { worker: false });
  /** @type {Setting} */
  const setting = { model, heldout, told, seeds };
  /** @type {Outcomes} */
  const outcomes = {};
  /** @type {Score | undefined} */
  let score;
  for (const name of only) {
    const start = performance.now();
    if (name === kPerplexity) score = await perplexity(setting);
    else outcomes[name] = await kTasks[name](setting);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    process.stderr.write(`${name}: ${seconds} s\n`);
  }
  await model.dispose();
  const file = basename(values.model);
  if (values.json !== undefined) {
    const report = { model: file, told, seeds, score, outcomes };
    await writeFile(values.json, `${JSON.stringify(report, null, 1)}\n`);
  }
  const where = told === 'user' ? 'in the question' : 'told by the model before';
  return `${file}; the stories asked about stand ${where}; seeds ${seeds.join(', ')}.\n\n${table(heldout, outcomes, score)}`;
}

/**
 * Each story from nothing, its first token not scored.
 * @param {{ model: Model, heldout: Setting['heldout'] }} setting
 * @returns {Promise<Score>}
 */
async function perplexity({ model, heldout }) {
  let [nll, scored, bits, bytes] = [0, 0, 0, 0];
  for (const { text } of heldout.stories) {
    const context = (await model.tokenize(text)).length;
    const found = await model.perplexity(text, { context });
    nll += found.nll;
    scored += found.scored;
    bits += found.nll / Math.LN2;
    bytes += found.nll / Math.LN2 / found.bitsPerByte;
  }
  return { tokens: scored, perplexity: Math.exp(nll / scored), bitsPerByte: bits / bytes };
}
