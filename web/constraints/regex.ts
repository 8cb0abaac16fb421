// SPDX-License-Identifier: MIT
// Fetched only where a constraint has a regular expression: half of its size is the parser.
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import type { Expression } from './automaton.js';

type Ranges = [number, number][];

/** How this module says which characters there are; the automaton's side makes sets of ranges. */
export type MakeSet = (ranges: Ranges) => Int32Array;

/** How it says what lookaheads ask. */
export interface Lookahead {
  /** What may follow the expression, up to the end of the text. */
  rest: Expression;
  /** The texts of an expression that begin, or do not begin, as another says. */
  beginning(part: Expression, as: Expression, holds: boolean): Expression;
}

const LAST = 0x10ffff;
const NEWLINES: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

// What follows a lookahead is read once for each time that what holds it is repeated.
const MOST_REPEATS = 8;
// Groups in groups; each is some calls deep in the parser and in what follows it.
const MOST_DEPTH = 100;

function unsupported(what: string): TypeError {
  return new TypeError(`constraint: a regular expression with ${what} is not supported`);
}

/** How deep brackets stand in each other; escaped ones do not count. */
function depthOf(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of source.replace(/\\./gs, '').matchAll(/[()[\]]/g)) {
    depth = Math.max(0, depth + (bracket === '(' || bracket === '[' ? 1 : -1));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/**
 * What a regular expression matches. Lookbehinds and references are refused; lookaheads too where
 * `lookahead` is not given, with which what follows is part of the expression.
 *
 * @throws TypeError naming what is not supported, and for what is no regular expression; RangeError
 * where groups nest too deeply
 */
export function regexExpression(
  source: string,
  flags: string,
  makeSet: MakeSet,
  lookahead?: Lookahead,
): Expression {
  if (depthOf(source) > MOST_DEPTH) {
    throw new RangeError(
      `constraint: groups in a regular expression nest deeper than ${MOST_DEPTH}`,
    );
  }
  try {
    new RegExp(source, flags);
  } catch (cause) {
    // The engine's own words.
    throw new TypeError(`constraint: ${(cause as Error).message}`);
  }
  if (flags.includes('m')) throw unsupported('the flag m');
  const unicode = flags.includes('u') || flags.includes('v');
  const parser = new RegExpParser();
  const pattern = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  // Without u and v the engine matches halves of what lies beyond U+FFFF: only a pair that is
  // spelled out matches such a character whole.
  const last = unicode ? LAST : 0xffff;
  const cased = !flags.includes('i');

  function ask(raw: string): Ranges {
    const kept = flags.replace(/[^iuvs]/g, '');
    const expression = new RegExp(`^${raw}$`, kept);
    const found: Ranges = [];
    for (let point = 0; point <= last; point++) {
      if (point === 0xd800) point = 0xe000;
      if (!expression.test(String.fromCodePoint(point))) continue;
      const before = found.at(-1);
      if (before && before[1] === point - 1) before[1] = point;
      else found.push([point, point]);
    }
    return found;
  }

  const asked = new Map<string, Int32Array>();
  function set(raw: string, ranges: Ranges | undefined): Expression {
    let known = asked.get(raw);
    if (!known) {
      known = makeSet(ranges ?? ask(raw));
      asked.set(raw, known);
    }
    return { kind: 'chars', set: known };
  }

  function invert(ranges: Ranges): Ranges {
    const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
    const found: Ranges = [];
    let next = 0;
    for (const [from, to] of sorted) {
      if (from > next) found.push([next, from - 1]);
      next = Math.max(next, to + 1);
    }
    if (next <= last) found.push([next, last]);
    return found;
  }

  /** Those that are plain; for others the engine is asked, character by character. */
  function plain(node: AST.CharacterClassElement | AST.CharacterSet): Ranges | undefined {
    if (node.type === 'Character') return [[node.value, node.value]];
    if (node.type === 'CharacterClassRange') return [[node.min.value, node.max.value]];
    if (node.type !== 'CharacterSet') return undefined;
    if (node.kind === 'any') return flags.includes('s') ? [[0, last]] : invert(NEWLINES);
    if (node.kind !== 'digit') return undefined;
    return node.negate ? invert([[0x30, 0x39]]) : [[0x30, 0x39]];
  }

  function characterClass(node: AST.CharacterClass): Expression {
    const parts = node.elements.map(plain as (element: unknown) => Ranges | undefined);
    const known = cased && !node.unicodeSets && parts.every((part) => part !== undefined);
    if (!known) return set(node.raw, undefined);
    const ranges = parts.flatMap((part) => part as Ranges);
    return set(node.raw, node.negate ? invert(ranges) : ranges);
  }

  function element(node: AST.Element): Expression {
    switch (node.type) {
      case 'Character':
        return set(node.raw, cased ? [[node.value, node.value]] : undefined);
      case 'CharacterSet':
        return set(node.raw, node.kind === 'any' || cased ? plain(node) : undefined);
      case 'CharacterClass':
        return characterClass(node);
      case 'ExpressionCharacterClass':
        return set(node.raw, undefined);
      case 'Group':
        if (node.modifiers) throw unsupported('modifiers');
        return alternatives(node.alternatives);
      case 'CapturingGroup':
        return alternatives(node.alternatives);
      case 'Quantifier':
        return { kind: 'repeat', part: element(node.element), min: node.min, max: node.max };
      case 'Assertion':
        if (node.kind === 'start' || node.kind === 'end') return { kind: node.kind };
        throw unsupported(node.kind === 'word' ? '\\b' : `a ${node.kind}`);
      default:
        throw unsupported('a reference to a group');
    }
  }

  function alternative({ elements }: AST.Alternative): Expression {
    return { kind: 'sequence', parts: units(elements).map(({ expression }) => expression()) };
  }

  // Halves that stand for one character are one.
  function units(elements: AST.Element[]): { node: AST.Element; expression: () => Expression }[] {
    const parts: { node: AST.Element; expression: () => Expression }[] = [];
    for (let i = 0; i < elements.length; i++) {
      const [one, two] = [elements[i] as AST.Element, elements[i + 1]];
      const pair = one.type === 'Character' && two?.type === 'Character';
      const point = pair
        ? String.fromCharCode(one.value & 0xffff, two.value & 0xffff).codePointAt(0)
        : 0;
      if (pair && one.value <= 0xffff && (point as number) > 0xffff) {
        const both = `${one.raw}${two.raw}`;
        const range: Ranges = [[point as number, point as number]];
        parts.push({ node: one, expression: () => set(both, range) });
        i++;
      } else {
        parts.push({ node: one, expression: () => element(one) });
      }
    }
    return parts;
  }

  function alternatives(list: AST.Alternative[]): Expression {
    return { kind: 'choice', parts: list.map(alternative) };
  }

  // With what follows up to the end of the text, which is what a lookahead looks at.
  function followed(list: AST.Alternative[], look: Lookahead, rest: Expression): Expression {
    return {
      kind: 'choice',
      parts: list.map(({ elements }) =>
        units(elements).reduceRight<Expression>(
          (after, { node, expression }) =>
            looksAhead(node)
              ? elementFollowed(node, look, after)
              : { kind: 'sequence', parts: [expression(), after] },
          rest,
        ),
      ),
    };
  }

  function elementFollowed(node: AST.Element, look: Lookahead, rest: Expression): Expression {
    if (node.type === 'Assertion' && node.kind === 'lookahead') {
      // Automata of their own, to which the beginning of the text is not known.
      if (node.alternatives.some(({ raw }) => raw.includes('^')) || begins(rest)) {
        throw unsupported('^ in or behind a lookahead');
      }
      return look.beginning(rest, alternatives(node.alternatives), !node.negate);
    }
    if (node.type === 'Group' || node.type === 'CapturingGroup') {
      if (node.type === 'Group' && node.modifiers) throw unsupported('modifiers');
      return followed(node.alternatives, look, rest);
    }
    const { min, max, element: inner } = node as AST.Quantifier;
    if (max > MOST_REPEATS) throw unsupported('a lookahead that is repeated');
    const found: Expression[] = min === 0 ? [rest] : [];
    let repeated = rest;
    for (let count = 1; count <= max; count++) {
      repeated = elementFollowed(inner, look, repeated);
      if (count >= min) found.push(repeated);
    }
    return { kind: 'choice', parts: found };
  }

  if (lookahead && pattern.alternatives.some(({ elements }) => elements.some(looksAhead))) {
    return followed(pattern.alternatives, lookahead, lookahead.rest);
  }
  const whole = alternatives(pattern.alternatives);
  return lookahead ? { kind: 'sequence', parts: [whole, lookahead.rest] } : whole;
}

/** Whether there is a lookahead in it. */
function looksAhead(node: AST.Element): boolean {
  if (node.type === 'Quantifier') return looksAhead(node.element);
  if (node.type === 'Assertion') return node.kind === 'lookahead';
  if (node.type !== 'Group' && node.type !== 'CapturingGroup') return false;
  return node.alternatives.some(({ elements }) => elements.some(looksAhead));
}

/** Whether it asks for the beginning of the text. */
function begins(expression: Expression): boolean {
  if (expression.kind === 'start') return true;
  if (expression.kind === 'repeat') return begins(expression.part);
  return 'parts' in expression && expression.parts.some(begins);
}
