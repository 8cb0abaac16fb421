// SPDX-License-Identifier: MIT
import { jest } from '@jest/globals';
import { randomNumbers } from '../../support/byte-level.js';
import { idsOf, makeTokenizer, open } from '../../support/constrained-text.js';

jest.setTimeout(60_000);

const tokenizer = makeTokenizer(300);
const kDigits = Array.from('0123456789', (digit) => tokenizer.idOf(digit));
const kPoint = tokenizer.idOf('.');
const kMinus = tokenizer.idOf('-');

/** A number that begins as `text` does, as long as can be, with the digits that `prefer` comes first to. */
async function writeNumber(schema, text, prefer, random) {
  const held = await open(tokenizer, {
    type: 'json_schema',
    schema: { type: 'number', ...schema },
  });
  const bits = new Int32Array((tokenizer.vocabSize + 31) >> 5);
  let written = '';
  while (!held.over && written.length < 60) {
    held.write(bits);
    const allowed = new Set(idsOf(bits));
    const digits = kDigits.filter((id) => allowed.has(id));
    const own = tokenizer.idOf(text[written.length] ?? '');
    let id = prefer === 'least' ? digits[0] : digits.at(-1);
    if (digits.length > 0 && random() < 0.1) id = digits[Math.floor(random() * digits.length)];
    if (text.startsWith(written) && allowed.has(own)) id = own;
    else if (digits.length === 0) id = [kMinus, kPoint].find((sign) => allowed.has(sign));
    if (id === undefined) break;
    written += tokenizer.decode([id]);
    held.read(id);
  }
  return written;
}

// The bounds have up to 17 digits, as many as a double needs.
function* boundsOf(random) {
  for (let i = 0; i < 150; i++) {
    const digits = 1 + Math.floor(17 * random());
    const bound = Number(((random() - 0.5) * 10 ** Math.floor(12 * random())).toPrecision(digits));
    if (!String(bound).includes('e')) yield bound;
  }
  yield* [10, -10, 0, 1, 0.1, 0.3, 0.1 + 0.2, 123456789012345.67, 99999999999999, 0.5];
}

describe.each([
  ['exclusiveMaximum', 'most', (value, bound) => value < bound],
  ['exclusiveMinimum', 'least', (value, bound) => value > bound],
  ['maximum', 'most', (value, bound) => value <= bound],
  ['minimum', 'least', (value, bound) => value >= bound],
])('%s', (keyword, toward, holds) => {
  test('holds of the double that a text beside it is read as', async () => {
    const random = randomNumbers(7);
    let near = 0;
    for (const bound of boundsOf(random)) {
      const text = String(bound);
      // Below zero the larger digits are farther down.
      const prefer = bound < 0 === (toward === 'most') ? 'least' : 'most';
      for (const length of [0, 1, text.length - 1, text.length]) {
        const written = await writeNumber(
          { [keyword]: bound },
          text.slice(0, length),
          prefer,
          random,
        );
        const value = JSON.parse(written);
        if (!holds(value, bound)) throw new Error(`${keyword} of ${bound} lets ${written} through`);
        if (Math.abs(value - bound) <= 1e-4 * Math.abs(bound)) near++;
      }
    }
    expect(near).toBeGreaterThan(100);
  });
});

test('numbers come as near to a bound as a double can', async () => {
  const random = () => 1;
  const below = (bound) => writeNumber({ minimum: 0, exclusiveMaximum: bound }, '', 'most', random);
  expect(await below(10)).toMatch(/^9\.9{14}8/);
  expect(await below(0.5)).toMatch(/^0\.49{14}/);
  expect(await below(100000000000.25)).toMatch(/^99999999999\.9{6}/);
});

async function canWrite(schema, text) {
  const held = await open(tokenizer, { type: 'json_schema', schema });
  for (const id of tokenizer.encode(text)) held.read(id);
  return held.complete;
}

test.each([
  [
    { type: 'number', maximum: 1e-7 },
    ['0', '-5', '1e-7', '1e-8', '0.0000001'],
    ['0.1', '1', '1e-6'],
  ],
  [
    { type: 'integer' },
    ['12345678901234567890', '1e+21', '-1.5e+30', '0'],
    ['1e-7', '1.5', '01', '1e2'],
  ],
  [
    { type: 'number', minimum: 2 ** 64 },
    ['18446744073709552000', '1e+22', '2e+21'],
    ['18446744073709550000', '1'],
  ],
  [
    { exclusiveMaximum: 9.727837981879871e26 },
    ['1e+26', '-1e+300'],
    ['9.727837981879871e+26', '1e+27'],
  ],
  [
    { type: 'number', minimum: 5e-324, maximum: 1e-300 },
    ['5e-324', '1e-300', '7.5e-310'],
    ['0', '1e-299'],
  ],
  [{ type: 'integer', multipleOf: 7 }, ['0', '-21', '700'], ['1', '20', '7.5']],
  [
    { type: 'number', multipleOf: 0.01 },
    ['0.25', '3', '-1.1', '19.99', '1.50'],
    ['0.001', '1.005'],
  ],
  [{ type: 'number', multipleOf: 0.5 }, ['0.5', '1e+308', '7'], ['0.25', '1e-7']],
  [{ multipleOf: 4, allOf: [{ multipleOf: 6 }] }, ['12', '-24'], ['4', '6', '18']],
  [{ type: 'integer', not: { multipleOf: 3 } }, ['1', '-4', '20'], ['0', '3', '-9', '0.5']],
  [{ type: 'number', not: { type: 'integer' } }, ['0.5', '1e-9'], ['1', '1.0', '1e+21']],
  [
    { type: 'integer', not: { enum: [3, 5] }, minimum: 2, maximum: 6 },
    ['2', '4', '6'],
    ['3', '5', '7'],
  ],
])('%j: which numbers can be written', async (schema, can, cannot) => {
  for (const text of can) expect([text, await canWrite(schema, text)]).toEqual([text, true]);
  for (const text of cannot) expect([text, await canWrite(schema, text)]).toEqual([text, false]);
});
