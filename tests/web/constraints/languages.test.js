// SPDX-License-Identifier: MIT
import { allBut, automaton, chars, literal } from '../../../build/web/constraints/automaton.js';
import { ANY, charsOf, complement } from '../../../build/web/constraints/code-points.js';
import { inverse } from '../../../build/web/constraints/determinise.js';

const lastOf = ({ edges }) => Math.max(...edges.flat().map(({ set }) => set.at(-1)));

// Beyond Unicode are control tokens, whose bytes a vocabulary of bytes could write one by one.
test.each([
  ['what is no text of another', () => inverse(automaton(literal('ab')))],
  ['what is no text of others, of some characters', () => inverse(automaton(literal('ab')), ANY)],
  ['all but some texts', () => allBut(['ab', 'ac'])],
  ['all but a character', () => automaton(chars(complement(charsOf('a'))))],
])('%s is made of characters', (_, make) => {
  expect(lastOf(make())).toBe(0x10ffff);
});
