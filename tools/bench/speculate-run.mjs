// SPDX-License-Identifier: MIT
//
// node speculate-run.mjs MODEL THREADS REPEAT: what speculate.mjs shows, as JSON.

import { loadModel } from 'fastweights';

/**
 * Milliseconds from the call to the whole text.
 * @typedef {{ name: string, tokens: number, without: number, guessed: number }} Found
 */

const [file, threads, repeat] = process.argv.slice(2);
const creature = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 16 },
    kind: { enum: ['fox', 'bear', 'robot'] },
    age: { type: 'integer', minimum: 1, maximum: 9 },
    favourite_colour: { enum: ['red', 'green', 'blue'] },
    lives_in_the_forest: { type: 'boolean' },
  },
  required: ['name', 'kind', 'age', 'favourite_colour', 'lives_in_the_forest'],
  additionalProperties: false,
};
const list = { type: 'array', items: creature, minItems: 5, maxItems: 5 };
/** @type {(schema: import('fastweights').JsonSchema) => import('fastweights').Constraint} */
const json = (schema) => ({ type: 'json_schema', schema });

/** @type {[name: string, prompt: string, options: import('fastweights').GenerationOptions][]} */
const kTexts = [
  ['JSON of a schema, greedy', 'Describe a fox.', { constraint: json(creature), temperature: 0 }],
  ['JSON of a schema, by a seed', 'Describe a fox.', { constraint: json(creature), seed: 5 }],
  ['JSON, a list of five, by a seed', 'Describe them.', { constraint: json(list), seed: 5 }],
  ['a story, greedy', 'Once upon a time', { temperature: 0, maxTokens: 250 }],
  ['a story, by a seed', 'Once upon a time', { seed: 3, maxTokens: 250 }],
];

/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const model = await loadModel(file, { threads: Number(threads), worker: false, speculate: true });
/** @type {Found[]} */
const found = [];
for (const [name, prompt, options] of kTexts) {
  /** @type {Record<'off' | 'on', number[]>} */
  const ms = { off: [], on: [] };
  /** @type {number[][]} */
  const texts = [];
  // The first of each is not counted: its constraint is compiled then.
  for (let i = 0; i <= Number(repeat); i++) {
    for (const kind of /** @type {const} */ (['off', 'on'])) {
      const start = performance.now();
      const { tokens } = await model.complete(prompt, { ...options, speculate: kind === 'on' });
      if (i > 0) ms[kind].push(performance.now() - start);
      texts.push(tokens);
    }
  }
  if (texts.some((tokens) => tokens.join() !== texts[0].join())) throw new Error(`${name} differs`);
  const [without, guessed] = [median(ms.off), median(ms.on)];
  found.push({ name, tokens: texts[0].length, without, guessed });
}
await model.dispose();
process.stdout.write(JSON.stringify(found));
