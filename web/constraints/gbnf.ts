// SPDX-License-Identifier: MIT
// Fetched only where a constraint is a grammar: GBNF, as llama.cpp documents it, read into rules.
import type { Expression } from './automaton.js';
import { ANY, codePoints, complement } from './code-points.js';

/** What a rule says; `name` stands for another rule. */
export type Production =
  | { kind: 'text'; expression: Expression }
  | { kind: 'rule'; name: string; where: number }
  | { kind: 'sequence' | 'choice'; parts: Production[] }
  | { kind: 'repeat'; part: Production; min: number; max: number };

// Groups in groups; and what all rules have together.
const MOST_DEPTH = 100;
const MOST_PARTS = 50_000;
const MOST_RULES = 2000;
const MOST_COUNT = 100_000;

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
const HEX_DIGITS: Record<string, number> = { x: 2, u: 4, U: 8 };
const PLAIN_ESCAPES = '\\"[]-^\'';

/** Where in a text something stands, in words. */
export function lineAndColumn(text: string, index: number): string {
  const before = text.slice(0, index).split('\n');
  return `line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
}

/** Reads the rules of a grammar. */
export class GrammarReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #parts = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws TypeError that says what is wrong, by line and column; RangeError where it is too large */
  read(): Map<string, Production> {
    const rules = new Map<string, Production>();
    this.#space();
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const name = this.#name();
      this.#space();
      if (name === '' || !this.#text.startsWith('::=', this.#at)) {
        throw this.wrong("expected a rule: a name, then '::='", start);
      }
      if (rules.has(name)) throw this.wrong(`the rule ${name} is there twice`, start);
      if (rules.size === MOST_RULES) {
        throw new RangeError(`constraint: the grammar has more than ${MOST_RULES} rules`);
      }
      this.#at += 3;
      rules.set(name, this.#choice());
      if (this.#at < this.#text.length && !this.#beginsRule()) throw this.wrong('unexpected');
    }
    if (!rules.has('root')) throw new TypeError("constraint: the grammar has no rule 'root'");
    return rules;
  }

  wrong(what: string, at = this.#at): TypeError {
    const char = what === 'unexpected' ? ` ${JSON.stringify(this.#text[at] ?? 'end')}` : '';
    return new TypeError(`constraint: grammar, ${lineAndColumn(this.#text, at)}: ${what}${char}`);
  }

  // Comments are space, and so are line breaks: a rule ends where the next one begins.
  #space(): void {
    const space = /(?:\s|#[^\n]*)*/y;
    space.lastIndex = this.#at;
    space.test(this.#text);
    this.#at = space.lastIndex;
  }

  #name(): string {
    const name = /[A-Za-z0-9_-]*/y;
    name.lastIndex = this.#at;
    const found = name.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #beginsRule(): boolean {
    const rule = /[A-Za-z0-9_-]+(?:\s|#[^\n]*)*::=/y;
    rule.lastIndex = this.#at;
    return rule.test(this.#text);
  }

  #count(): void {
    this.#parts += 1;
    if (this.#parts <= MOST_PARTS) return;
    throw new RangeError(`constraint: the grammar has more than ${MOST_PARTS} parts`);
  }

  #choice(): Production {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) {
      throw new RangeError(`constraint: groups in the grammar nest deeper than ${MOST_DEPTH}`);
    }
    const parts = [this.#sequence()];
    while (this.#text[this.#at] === '|') {
      this.#at += 1;
      parts.push(this.#sequence());
    }
    this.#depth -= 1;
    return parts.length === 1 ? (parts[0] as Production) : { kind: 'choice', parts };
  }

  #sequence(): Production {
    const parts: Production[] = [];
    for (;;) {
      this.#space();
      const char = this.#text[this.#at];
      if (char === undefined || char === '|' || char === ')' || this.#beginsRule()) break;
      parts.push(this.#repeated(this.#symbol(char)));
    }
    return { kind: 'sequence', parts };
  }

  #symbol(char: string): Production {
    this.#count();
    const start = this.#at;
    if (char === '"') return { kind: 'text', expression: this.#literal() };
    if (char === '[') return { kind: 'text', expression: this.#class() };
    if (char === '.') {
      this.#at += 1;
      return { kind: 'text', expression: { kind: 'chars', set: ANY } };
    }
    if (char === '(') {
      this.#at += 1;
      const inner = this.#choice();
      if (this.#text[this.#at] !== ')') throw this.wrong("the group lacks its ')'", start);
      this.#at += 1;
      return inner;
    }
    const name = this.#name();
    if (name === '') {
      throw char === '<' || char === '!'
        ? this.wrong('tokens (<…>) are not supported')
        : this.wrong('unexpected');
    }
    return { kind: 'rule', name, where: start };
  }

  #repeated(part: Production): Production {
    let found = part;
    for (;;) {
      this.#space();
      const start = this.#at;
      const mark = /[*+?]|\{\s*(\d*)\s*(,?)\s*(\d*)\s*\}/y;
      mark.lastIndex = start;
      const [whole, from, comma, to] = mark.exec(this.#text) ?? [];
      if (whole === undefined) {
        if (this.#text[start] === '{') throw this.wrong('expected {m}, {m,} or {m,n}');
        return found;
      }
      if (whole.startsWith('{') && !from && !to) throw this.wrong('expected {m}, {m,} or {m,n}');
      let [min, max] = [whole === '+' ? 1 : 0, whole === '?' ? 1 : Number.POSITIVE_INFINITY];
      if (whole.startsWith('{')) {
        min = Number(from || 0);
        max = comma ? Number(to || Number.POSITIVE_INFINITY) : min;
      }
      if (max < min) throw this.wrong('the numbers are out of order');
      if (min > MOST_COUNT || (max > MOST_COUNT && max !== Number.POSITIVE_INFINITY)) {
        throw new RangeError(`constraint: grammar, ${lineAndColumn(this.#text, start)}: too often`);
      }
      this.#at += whole.length;
      this.#count();
      found = { kind: 'repeat', part: found, min, max };
    }
  }

  #literal(): Expression {
    const start = this.#at;
    const parts: Expression[] = [];
    this.#at += 1;
    while (this.#text[this.#at] !== '"') {
      if (this.#at >= this.#text.length || this.#text[this.#at] === '\n') {
        throw this.wrong('the text lacks its closing quote', start);
      }
      const point = this.#char();
      parts.push({ kind: 'chars', set: codePoints([[point, point]]) });
    }
    this.#at += 1;
    return { kind: 'sequence', parts };
  }

  #class(): Expression {
    const start = this.#at;
    this.#at += 1;
    const negated = this.#text[this.#at] === '^';
    if (negated) this.#at += 1;
    const ranges: [number, number][] = [];
    while (this.#text[this.#at] !== ']') {
      if (this.#at >= this.#text.length) throw this.wrong("the class lacks its ']'", start);
      const first = this.#char();
      let last = first;
      if (this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']') {
        this.#at += 1;
        if (this.#at >= this.#text.length) throw this.wrong("the class lacks its ']'", start);
        last = this.#char();
        if (last < first) throw this.wrong('the range is out of order', start);
      }
      ranges.push([first, last]);
    }
    this.#at += 1;
    const set = codePoints(ranges);
    return { kind: 'chars', set: negated ? complement(set) : set };
  }

  // One character, or an escape for one.
  #char(): number {
    const start = this.#at;
    const point = this.#text.codePointAt(start) as number;
    this.#at += point > 0xffff ? 2 : 1;
    if (point !== 0x5c) return point;
    const char = this.#text[this.#at] ?? '';
    this.#at += 1;
    const digits = HEX_DIGITS[char];
    if (digits !== undefined) {
      const hex = this.#text.slice(this.#at, this.#at + digits);
      const value = Number.parseInt(hex, 16);
      if (!/^[0-9A-Fa-f]+$/.test(hex) || hex.length < digits || value > 0x10ffff) {
        throw this.wrong(`expected ${digits} digits of a code point after \\${char}`, start);
      }
      this.#at += digits;
      return value;
    }
    const plain = ESCAPES[char] ?? (PLAIN_ESCAPES.includes(char) && char !== '' ? char : undefined);
    if (plain === undefined) throw this.wrong(`there is no escape \\${char}`, start);
    return plain.charCodeAt(0);
  }
}
