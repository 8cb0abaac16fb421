// SPDX-License-Identifier: MIT
//
// node speculate-run.mjs MODEL THREADS REPEAT: what speculate.mjs shows, as JSON.

import { loadModel } from 'fastweights';

/**
 * Milliseconds from the call to the whole text for each token, medians; of the texts, the median of how
 * much sooner each came; and of all guesses that were checked, the share that was right.
 * @typedef {{ name: string, tokens: number, without: number, guessed: number, gain: number,
 *   right: number }} Found
 */

const [file, threads, repeat] = process.argv.slice(2);

/** @type {(properties: Record<string, import('fastweights').JsonSchema>) => import('fastweights').JsonSchema} */
const objectOf = (properties) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const creature = objectOf({
  name: { type: 'string', minLength: 2, maxLength: 16 },
  kind: { enum: ['fox', 'bear', 'robot'] },
  age: { type: 'integer', minimum: 1, maximum: 9 },
  favourite_colour: { enum: ['red', 'green', 'blue'] },
  lives_in_the_forest: { type: 'boolean' },
});
const list = { type: 'array', items: creature, minItems: 5, maxItems: 5 };
const kWords =
  'night river mother garden table window brother winter animal letter summer corner'.split(' ');
// No two of the first twelve have two words in a row alike.
const fresh = (/** @type {number} */ i) => {
  const key = (/** @type {number} */ k) =>
    `${kWords[(5 * i + k) % 12]}_${kWords[(i + 7 * k + 3) % 12]}`;
  return objectOf({
    [key(0)]: { type: 'string', minLength: 2, maxLength: 16 },
    [key(1)]: { enum: [1, 2, 3].map((k) => kWords[(i + 4 * k) % 12]) },
    [key(2)]: { type: 'integer', minimum: 1, maximum: 9 },
    [key(3)]: { type: 'boolean' },
  });
};
const kBeings = ['a fox', 'a bear', 'a robot', 'a cat', 'the old dog', 'Lily', 'a bird', 'a king'];
const being = (/** @type {number} */ i) => `Describe ${kBeings[i % kBeings.length]}.`;
/** @type {(schema: import('fastweights').JsonSchema) => import('fastweights').Constraint} */
const json = (schema) => ({ type: 'json_schema', schema });

const model = await loadModel(file, { threads: Number(threads), worker: false, speculate: true });

/** @typedef {{ ms: number, result: import('fastweights').GenerationResult }} Written */
/** @typedef {(i: number, speculate: boolean) => Promise<Written>} Write */
/** @type {(prompt: (i: number) => string, options: (i: number) => import('fastweights').GenerationOptions) => Write} */
const text = (prompt, options) => async (i, speculate) => {
  const start = performance.now();
  const result = await model.complete(prompt(i), { ...options(i), speculate });
  return { ms: performance.now() - start, result };
};

// Of whom it tells the same story again in the same words, more or less: in 52 to 71 % of the answer four
// tokens in a row stand in the story.
const kToldAgain = ['a fox', 'the old dog', 'a boat', 'a frog', 'a duck'];
/** @type {Write} */
const again = async (i, speculate) => {
  const how = { temperature: 0, maxTokens: 250, speculate };
  const session = await model.createSession();
  await session.prompt(`Tell me a story about ${kToldAgain[i % kToldAgain.length]}.`, how);
  const start = performance.now();
  const response = session.respond('Tell the same story again.', how);
  for await (const _ of response);
  const result = await response.result;
  const ms = performance.now() - start;
  session.destroy();
  return { ms, result };
};

/** @type {[name: string, write: Write][]} */
const kTexts = [
  ['JSON of a schema, greedy', text(being, () => ({ constraint: json(creature), temperature: 0 }))],
  ['JSON of a schema, by a seed', text(being, (seed) => ({ constraint: json(creature), seed }))],
  [
    'JSON, a list of five, by a seed',
    text(
      () => 'Describe them.',
      (seed) => ({ constraint: json(list), seed }),
    ),
  ],
  [
    'JSON of a new schema each time, by a seed',
    text(being, (seed) => ({ constraint: json(fresh(seed)), seed })),
  ],
  ['a story told again, greedy', again],
  [
    'a story, greedy',
    text(
      (i) => `Once upon a time there was ${kBeings[i % kBeings.length]}`,
      () => ({ temperature: 0, maxTokens: 250 }),
    ),
  ],
  [
    'a story, by a seed',
    text(
      () => 'Once upon a time',
      (seed) => ({ seed, maxTokens: 250 }),
    ),
  ],
];

/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** @type {Found[]} */
const found = [];
for (const [name, write] of kTexts) {
  /** @type {{ off: number, on: number, tokens: number }[]} */
  const each = [];
  let [checked, accepted] = [0, 0];
  // The first is not counted: constraints are compiled then, as is what the engine runs.
  for (let i = 0; i <= Number(repeat); i++) {
    const [off, on] = [await write(i, false), await write(i, true)];
    const { tokens, guessedTokens, acceptedTokens } = on.result;
    if (off.result.tokens.join() !== tokens.join()) throw new Error(`${name} differs`);
    if (i === 0) continue;
    each.push({ off: off.ms / tokens.length, on: on.ms / tokens.length, tokens: tokens.length });
    checked += guessedTokens;
    accepted += acceptedTokens;
  }
  found.push({
    name,
    tokens: median(each.map(({ tokens }) => tokens)),
    without: median(each.map(({ off }) => off)),
    guessed: median(each.map(({ on }) => on)),
    gain: median(each.map(({ off, on }) => off / on)),
    right: accepted / checked,
  });
}
await model.dispose();
process.stdout.write(JSON.stringify(found));
