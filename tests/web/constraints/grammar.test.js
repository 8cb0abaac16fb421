// SPDX-License-Identifier: MIT
import { jest } from '@jest/globals';
import { randomNumbers } from '../../support/byte-level.js';
import { drawText, makeTokenizer, open } from '../../support/constrained-text.js';

jest.setTimeout(60_000);

const tokenizer = makeTokenizer();
const grammar = (text) => ({ type: 'grammar', grammar: text });

async function canWrite(constraint, text) {
  const held = await open(tokenizer, constraint);
  for (const id of tokenizer.encode(text)) held.read(id);
  return held.complete;
}

// As a grammar for JSON is usually written for llama.cpp.
const JSON_GRAMMAR = String.raw`
root ::= value
# Any value.
value ::= object | array | string | number | ("true" | "false" | "null") ws
object ::=
  "{" ws (
    member
    ("," ws member)*
  )? "}" ws
member ::= string ":" ws value
array ::= "[" ws (value ("," ws value)*)? "]" ws
string ::= "\"" ([^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\"" ws
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9]{1,2})? ws
ws ::= | " " | "\n" [ \t]{0,4}
`;

test('texts drawn by a grammar for JSON are JSON', async () => {
  const random = randomNumbers(6);
  let complete = 0;
  for (let i = 0; i < 80; i++) {
    const { text, whole } = await drawText(tokenizer, grammar(JSON_GRAMMAR), random);
    if (!whole) continue;
    complete++;
    expect(() => JSON.parse(text)).not.toThrow();
  }
  expect(complete).toBeGreaterThan(50);
});

test.each([
  ['root ::= "a" "b"? | "c"+', ['a', 'ab', 'c', 'ccc'], ['', 'b', 'ac']],
  ['root ::= [^a-c\\n]{2,3}', ['xy', 'é😀x'], ['x', 'ax', 'wxyz', 'x\n']],
  ['root ::= "\\x41\\u00e9\\U0001F600\\t\\""', ['Aé😀\t"'], ['A']],
  ['root ::= .{2}', ['é☕'], ['x', 'xyz']],
  ['root ::= "(" root ")" | ""', ['', '()', '((()))'], ['(', '())']],
  ['root ::= item{2,} # two or more\nitem ::= "x" | "[" item "]"', ['xx', 'x[[x]]x'], ['x', '[x']],
  ['root ::= a{0,2} "!"\na ::= "<" a? ">"', ['!', '<>!', '<<>><>!'], ['<>', '<><><>!']],
  ['root ::= [\\]\\-a]+', [']-a'], ['\\']],
  ['root ::=\n  "a"\n  | "b"\n', ['a', 'b'], ['ab']],
  ['root ::= ("a" | "b" ("c" | "d")*)', ['a', 'bcdc'], ['c']],
  ['root ::= x_1 | dead\nx_1 ::= "y"\ndead ::= "z" dead', ['y'], ['z', 'zz']],
])('%j', async (text, can, cannot) => {
  for (const one of can) expect([one, await canWrite(grammar(text), one)]).toEqual([one, true]);
  for (const one of cannot) expect([one, await canWrite(grammar(text), one)]).toEqual([one, false]);
});

test.each([
  ['root ::= root "a" | "b"', 'line 1, column 10: the rule root begins with itself'],
  ['root ::= a\na ::= "x"? b\nb ::= a "y"', 'begins with itself'],
  ['root ::= x', 'line 1, column 10: there is no rule x'],
  ['a ::= "b"', "no rule 'root'"],
  ['root ::= "a"\nroot ::= "b"', 'line 2, column 1: the rule root is there twice'],
  ['root ::= "a', 'lacks its closing quote'],
  ['root ::= [a', "lacks its ']'"],
  ['root ::= (a', "lacks its ')'"],
  ['root ::= "a" )', 'line 1, column 14: unexpected ")"'],
  ['root ::= "a"{3,1}', 'out of order'],
  ['root ::= [z-a]', 'out of order'],
  ['root ::= "\\q"', 'no escape \\q'],
  ['root ::= "\\x4"', '2 digits'],
  ['root ::= <think>', 'tokens'],
  ['root "a"', "'::='"],
])('%j is a TypeError that says where', async (text, words) => {
  const opening = open(tokenizer, grammar(text));
  await expect(opening).rejects.toThrow(TypeError);
  await expect(open(tokenizer, grammar(text))).rejects.toThrow(words);
});

test.each([
  ['a long one', ' '.repeat(300_000), /grammar is 300000 letters/],
  ['many rules', Array.from({ length: 3000 }, (_, i) => `r${i} ::= "a"`).join('\n'), /2000 rules/],
  ['groups in groups', `root ::= ${'('.repeat(500)}"a"${')'.repeat(500)}`, /deeper than 100/],
  ['a count', 'root ::= "a"{1000000}', /too often/],
  ['no finite text', 'root ::= "a" root', /allows no text/],
])('%s: a RangeError in words', async (_, text, words) => {
  const opening = Promise.resolve().then(() => open(tokenizer, grammar(text)));
  await expect(opening).rejects.toThrow(RangeError);
  await expect(Promise.resolve().then(() => open(tokenizer, grammar(text)))).rejects.toThrow(words);
});

test('a text whose openings could each be closed in two ways ends in words', async () => {
  const held = await open(tokenizer, grammar('root ::= s\ns ::= "a" s "b" | "a" s "c" | "d"'));
  const [id] = tokenizer.encode('a');
  expect(() => {
    for (let i = 0; i < 40; i++) held.read(id);
  }).toThrow(/too ambiguous/);
});

test('a choice is one of its texts', async () => {
  const random = randomNumbers(8);
  const options = ['yes', 'no', 'not sure', 'né 😀'];
  const constraint = { type: 'choice', options };
  const seen = new Set();
  for (let i = 0; i < 60; i++) seen.add((await drawText(tokenizer, constraint, random)).text);
  expect([...seen].sort()).toEqual([...options].sort());
});

test.each([
  [{ type: 'choice', options: [] }, TypeError],
  [{ type: 'choice', options: [''] }, TypeError],
  [{ type: 'choice', options: 'yes' }, TypeError],
  [{ type: 'choice', options: ['a', 5] }, TypeError],
  [{ type: 'choice', options: Array.from({ length: 20_000 }, String) }, RangeError],
  [{ type: 'grammar', grammar: 5 }, TypeError],
])('%j is refused', (constraint, kind) => {
  expect(() => open(tokenizer, constraint)).toThrow(kind);
});
