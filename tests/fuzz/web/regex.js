// SPDX-License-Identifier: MIT
// What is written under a regular expression, by chance among the tokens that are allowed, matches it.
import fc from 'fast-check';
import { randomNumbers } from '../../support/byte-level.js';
import { drawText, makeTokenizer } from '../../support/constrained-text.js';
import { isArgumentError, must, unlessRefused } from './expect.js';

const kTokenizer = makeTokenizer(700);

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'é',
    '😀',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '\\W',
    '[a-c]',
    '[^a-z]',
    '[é-ü]',
    '\\n',
    '\\x41',
  ],
  ...[
    '\\u{1f600}',
    '\\p{L}',
    '[\\s\\S]',
    '"',
    '\\\\',
    '\\.',
    '[😀-😂]',
    '^',
    '$',
    '\\b',
    '(?=a)',
    '\\1',
    '\\u00e9',
  ],
  ...[
    '[[a-z]--[b]]',
    '[[a-c]&&[b-z]]',
    '[]',
    '[^]',
    '\\cA',
    '\\0',
    '-',
    ']',
    '}',
    '(?<n>a)',
    '\\k<n>',
  ],
);
const quantifier = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,3}',
  '{0}',
  '{2,}',
  '*?',
  '{3,1}',
  '{99999}',
);
const pattern = fc.letrec((tie) => ({
  one: fc.oneof(
    { depthSize: 'small' },
    atom,
    tie('many').map((inner) => `(${inner})`),
    tie('many').map((inner) => `(?:${inner})`),
    fc.tuple(tie('many'), tie('many')).map(([a, b]) => `(?:${a}|${b})`),
  ),
  many: fc
    .array(fc.tuple(tie('one'), quantifier), { maxLength: 4 })
    .map((parts) => parts.flat().join('')),
})).many;

export const arbitrary = fc.record({
  pattern: fc.oneof({ weight: 8, arbitrary: pattern }, fc.string({ unit: 'binary' })),
  flags: fc.constantFrom('', 'u', 'v', 'vi', 'i', 'iu', 's', 'su', 'm', 'g', 'y'),
  seed: fc.nat(),
});

export const examples = [{ pattern: '(?:(?:a[^a-z]){2})', flags: 'v', seed: 0 }];

export async function check({ pattern, flags, seed }) {
  let regex;
  try {
    regex = new RegExp(pattern, flags);
  } catch {
    return;
  }
  const drawn = await unlessRefused(
    () => drawText(kTokenizer, regex, randomNumbers(seed), { most: 60 }),
    isArgumentError,
  );
  if (!drawn?.whole) return;
  const exact = flags.includes('v') ? withoutComplements(pattern) : pattern;
  const whole = new RegExp(`^(?:${exact})$`, flags.replace(/[gmy]/g, ''));
  must(whole.test(drawn.text), `${regex} has ${JSON.stringify(drawn.text)}`);
}

// In V8 of Node 20 /^(?:a[^b]){2}$/v does not match a-a-: what is repeated is complemented twice.
function withoutComplements(pattern) {
  return pattern
    .replaceAll('[^]', String.raw`[\s\S]`)
    .replaceAll('[^a-z]', String.raw`(?:(?![a-z])[\s\S])`);
}
