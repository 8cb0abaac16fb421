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
  { seed: 2001687832, depth: 2, changes: [] },
  { seed: 772651686, depth: 1, changes: [] },
  { seed: 48343037, depth: 2, changes: [] },
  { seed: 1470904047, depth: 2, changes: [] },
  { seed: 1260729095, depth: 0, changes: [{ steps: [0, 0], put: { constructor: [] } }] },
];

export async function check({ seed, depth, changes }) {
  const random = randomNumbers(seed);
  const schema = changedJson(randomSchema(random, depth, true), changes);
  const drawn = await unlessRefused(
    () => drawText(kTokenizer, { type: 'json_schema', schema }, random, { most: 200 }),
    isArgumentError,
  );
  if (!drawn?.whole) return;
  // Of properties that are there twice the last one counts, here and to whoever reads the text.
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

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const TIME =
  /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

// Those that random schemas have, by their definitions (RFC 3339, 2673, 4122).
const FORMATS = {
  date: (text) => {
    const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00Z`) : undefined;
    return date && !Number.isNaN(+date) && date.toISOString().startsWith(text);
  },
  time: (text) => {
    const [, hour, minute, second, sign, byHours = 0, byMinutes = 0] = TIME.exec(text) ?? [];
    if (second !== '60') return second !== undefined;
    const offset = (60 * byHours + +byMinutes) * (sign === '-' ? -1 : 1);
    return (60 * hour + +minute - offset + 2880) % 1440 === 1439;
  },
  ipv4: new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`),
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
};

// To Ajv's own `enum` and `const`, {"constructor": []} is unlike itself: they ask what made an object.
function makeAjv() {
  const ajv = new Ajv({
    strict: false,
    logger: false,
    formats: FORMATS,
    multipleOfPrecision: 9,
  });
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
