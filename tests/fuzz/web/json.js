// SPDX-License-Identifier: MIT
import fc from 'fast-check';

const kNames = ['__proto__', 'toString', 'valueOf', 'constructor', 'length', 'type', ''];

// A list in a list, and so on: more than a stack holds.
const kDeep = '<deep>';
const kDepth = 20_000;

/** As JSON.stringify, which cannot write what is that deep. */
export const jsonText = (value) =>
  JSON.stringify(value).replaceAll(`"${kDeep}"`, '['.repeat(kDepth) + ']'.repeat(kDepth));

/** What JSON can say, by `jsonText`, with names that objects have of themselves. */
export const json = fc.letrec((tie) => ({
  leaf: fc.oneof(
    { weight: 1, arbitrary: fc.constant(kDeep) },
    { weight: 9, arbitrary: fc.integer() },
    {
      weight: 9,
      arbitrary: fc.constantFrom(null, true, false, 0, -1, 0.5, 1e308, 2 ** 31, 2 ** 53, ''),
    },
    { weight: 9, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  ),
  name: fc.oneof(fc.constantFrom(...kNames), fc.string({ maxLength: 6 })),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(tie('name'), tie('value')), { maxLength: 4 }).map(objectOf),
  ),
})).value;

// Not by assignment, which takes __proto__ for something else than JSON.parse does.
function objectOf(entries) {
  const object = {};
  for (const [name, value] of entries) {
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}

/**
 * A value like another in which some things, found by walking as `steps` say, are something else.
 *
 * @param {unknown} value
 * @param {{ steps: number[], put: unknown }[]} list
 */
export function changedJson(value, list) {
  const copy = structuredClone(value);
  for (const { steps, put } of list) {
    let at = copy;
    for (const [i, step] of steps.entries()) {
      const names = Object.keys(at);
      if (names.length === 0) break;
      const name = names[step % names.length];
      const next = at[name];
      if (i === steps.length - 1 || typeof next !== 'object' || next === null) {
        if (put === undefined) delete at[name];
        else at[name] = structuredClone(put);
        break;
      }
      at = next;
    }
  }
  // What is taken out of a list is null there.
  return JSON.parse(JSON.stringify(copy));
}

/** For changedJson. */
export const jsonChanges = fc.array(
  fc.record({
    steps: fc.array(fc.nat(1000), { minLength: 1, maxLength: 5 }),
    put: fc.oneof({ weight: 4, arbitrary: json }, { weight: 1, arbitrary: fc.constant(undefined) }),
  }),
  { maxLength: 4 },
);
