// SPDX-License-Identifier: MIT
// What is written under a JSON schema, by chance among the tokens that are allowed, is valid.
import { isDeepStrictEqual } from 'node:util';

import Ajv from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { randomNumbers } from '../../support/byte-level.js';
import { drawText, makeTokenizer, randomSchema } from '../../support/constrained-text.js';
import { isArgumentError, must, unlessRefused } from './expect.js';
import { changedJson, jsonChanges } from './json.js';

const kTokenizer = makeTokenizer(700);

export const arbitrary = fc.record({
  seed: fc.nat(),
  depth: fc.nat(3),
  // Of a schema that is right; anything may stand where something else is meant.
  changes: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, jsonChanges),
});

export const examples = [
  { seed: 258809407, depth: 1, changes: [] },
  { seed: 1260729095, depth: 0, changes: [{ steps: [0, 0], put: { constructor: [] } }] },
];

export async function check({ seed, depth, changes }) {
  const random = randomNumbers(seed);
  const schema = changedJson(randomSchema(random, depth), changes);
  const drawn = await unlessRefused(
    () => drawText(kTokenizer, { type: 'json_schema', schema }, random, { most: 200 }),
    isArgumentError,
  );
  if (!drawn?.whole) return;
  const value = JSON.parse(drawn.text);
  const ajv = makeAjv();
  let isValid;
  try {
    isValid = ajv.validate(schema, value);
  } catch {
    return; // It knows fewer schemas than we do, and no values called valueOf.
  }
  must(isValid, `${JSON.stringify(schema)} has ${drawn.text}: ${ajv.errorsText()}`);
}

// To Ajv's own `enum` and `const`, {"constructor": []} is unlike itself: they ask what made an object.
function makeAjv() {
  const ajv = new Ajv({ strict: false, logger: false, validateFormats: false });
  ajv.removeKeyword('enum').addKeyword({
    keyword: 'enum',
    validate: (values, value) => values.some((one) => isSame(one, value)),
  });
  ajv.removeKeyword('const').addKeyword({ keyword: 'const', validate: isSame });
  return ajv;
}

// -0 is 0 in JSON.
const isSame = (one, other) => isDeepStrictEqual(withoutSigns(one), withoutSigns(other));
const withoutSigns = (value) => JSON.parse(JSON.stringify(value));
