// SPDX-License-Identifier: MIT
// A template's text as tokens, with what Jinja leaves out around tags: trim_blocks and lstrip_blocks are set.
import { readFloat, readInt } from './numbers.js';
import { Float, type Value } from './values.js';
import { isSpaceAt } from './white-space.js';

export type Token =
  | { kind: 'text'; text: string }
  /** What opens and closes tags. */
  | { kind: '{{' | '}}' | '{%' | '%}' }
  | { kind: 'name'; text: string }
  | { kind: 'constant'; value: Value }
  | { kind: 'operator'; text: string }
  | { kind: 'end' };

const CLOSED: Readonly<Record<string, string>> = { '{%': '%}', '{{': '}}', '{#': '#}' };
const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

// Each is tried where the last ended.
const RAW = /\{%[-+]?\s*raw\s*(-?)%\}/y;
const END_OF_RAW = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g;
const FLOAT = /(?<!\.)(\d+_)*\d+((\.(\d+_)*\d+)?e[+-]?(\d+_)*\d+|\.(\d+_)*\d+)/iy;
const INTEGER = /0b(_?[01])+|0o(_?[0-7])+|0x(_?[\da-f])+|[1-9](_?\d)*|0(_?0)*/iy;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const TEXT = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const OPERATOR = /\/\/|\*\*|[=!<>]=|[-+*/%~[\](){}<>=.:|,;]/y;

/** @throws Error with the line of what is no template */
export function tokens(source: string): Token[] {
  return new Lexer(source.replace(/\r\n?/g, '\n').replace(/\n$/, '')).tokens();
}

class Lexer {
  #tokens: Token[] = [];
  #at = 0;
  /** Whether what is read next stands at the beginning of a line. */
  #isLineStart = true;

  constructor(readonly source: string) {}

  tokens(): Token[] {
    const { source } = this;
    while (this.#at < source.length) {
      const start = this.#nextTag();
      const opened = source.slice(start, start + 2);
      if (start === source.length) {
        this.#text(source.slice(this.#at));
        break;
      }
      const raw = this.#match(RAW, start);
      const sign = source.charAt(start + 2);
      this.#text(this.#before(start, sign, opened === '{{'));
      if (raw) this.#raw(start, raw);
      else if (opened === '{#') this.#comment(start);
      else this.#tag(start + (/[-+]/.test(sign) ? 3 : 2), opened as '{{' | '{%');
    }
    this.#tokens.push({ kind: 'end' });
    return this.#tokens;
  }

  /** Where the next tag begins, or the end. */
  #nextTag(): number {
    for (let at = this.#at; ; at++) {
      at = this.source.indexOf('{', at);
      if (at < 0) return this.source.length;
      if ('{%#'.includes(this.source.charAt(at + 1) || ' ')) return at;
    }
  }

  /** The text up to a tag, without what the tag takes away. */
  #before(end: number, sign: string, isOutput: boolean): string {
    const text = this.source.slice(this.#at, end);
    let last = text.length;
    while (last > 0 && isSpaceAt(text, last - 1)) last--;
    if (sign === '-') return text.slice(0, last);
    if (sign === '+' || isOutput) return text;
    const line = text.lastIndexOf('\n') + 1;
    return last <= line && (line > 0 || this.#isLineStart) ? text.slice(0, line) : text;
  }

  #text(text: string) {
    if (text !== '') this.#tokens.push({ kind: 'text', text });
  }

  /** Goes on behind a tag. */
  #goOn(at: number, sign: string, isOutput: boolean) {
    let next = at;
    if (sign === '-') while (isSpaceAt(this.source, next)) next++;
    else if (sign !== '+' && !isOutput && this.source[next] === '\n') next++;
    this.#at = next;
    this.#isLineStart = this.source[next - 1] === '\n';
  }

  #comment(start: number) {
    const body = start + (/[-+]/.test(this.source.charAt(start + 2)) ? 3 : 2);
    const end = this.source.indexOf('#}', body);
    if (end < 0) this.#fail('a comment does not end', start);
    this.#goOn(end + 2, end > body ? this.source.charAt(end - 1) : '', false);
  }

  #raw(start: number, [opened = '', sign = '']: RegExpExecArray) {
    this.#goOn(start + opened.length, sign, true);
    END_OF_RAW.lastIndex = this.#at;
    const end = END_OF_RAW.exec(this.source);
    if (!end) this.#fail('{% raw %} does not end', start);
    const [closed = '', before = '', after = ''] = end as RegExpExecArray;
    const { index } = end as RegExpExecArray;
    this.#text(this.#before(index, before, false));
    this.#goOn(index + closed.length, after, false);
  }

  #tag(start: number, opened: '{{' | '{%') {
    const closed = CLOSED[opened] as '}}' | '%}';
    const isOutput = opened === '{{';
    const open: string[] = [];
    this.#tokens.push({ kind: opened });
    let at = start;
    while (true) {
      while (isSpaceAt(this.source, at)) at++;
      const sign = this.source.charAt(at);
      const isSigned = sign === '-' || (sign === '+' && !isOutput);
      const end = isSigned ? at + 1 : at;
      if (open.length === 0 && this.source.startsWith(closed, end)) {
        this.#tokens.push({ kind: closed });
        this.#goOn(end + 2, isSigned ? sign : '', isOutput);
        return;
      }
      at = this.#token(at, open, opened, start);
    }
  }

  /** One token within a tag; where it ends. */
  #token(at: number, open: string[], opened: string, start: number): number {
    if (at >= this.source.length) this.#fail(`${opened} is not closed`, start);
    const float = this.#match(FLOAT, at)?.[0];
    const integer = this.#match(INTEGER, at)?.[0];
    const name = this.#match(NAME, at)?.[0];
    const text = this.#match(TEXT, at)?.[0];
    const operator = this.#match(OPERATOR, at)?.[0];
    if (float) {
      this.#tokens.push({ kind: 'constant', value: new Float(readFloat(float) as number) });
    } else if (integer) {
      this.#tokens.push({ kind: 'constant', value: integerOf(integer) });
    } else if (name) {
      this.#tokens.push({ kind: 'name', text: name });
    } else if (text) {
      this.#tokens.push({ kind: 'constant', value: unescaped(text.slice(1, -1)) });
    } else if (operator) {
      const closing = BRACKETS[operator];
      if (closing) open.push(closing);
      else if (/[)\]}]/.test(operator) && open.pop() !== operator) {
        this.#fail(`an unexpected '${operator}'`, at);
      }
      this.#tokens.push({ kind: 'operator', text: operator });
    } else this.#fail(`an unexpected '${this.source[at]}'`, at);
    return at + (float ?? integer ?? name ?? text ?? operator ?? '').length;
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.source);
  }

  #fail(what: string, at: number): never {
    throw new Error(`${what}, in line ${this.source.slice(0, at).split('\n').length}`);
  }
}

const BASES: Readonly<Record<string, number>> = { '0b': 2, '0o': 8, '0x': 16 };

const integerOf = (digits: string): number =>
  readInt(digits, BASES[digits.slice(0, 2).toLowerCase()] ?? 10) as number;

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07' },
  ...{ '\\': '\\', "'": "'", '"': '"', '\n': '' },
};

/** Python's escapes; what is none stays as it is, with its backslash. */
function unescaped(text: string): string {
  const pattern = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|(.))/gs;
  return text.replace(pattern, (whole, x, u, long, octal, letter) => {
    if (letter !== undefined) {
      if (/[xuUN]/.test(letter)) throw new Error(`'${whole}' is no escape`);
      return ESCAPES[letter] ?? whole;
    }
    const code = octal ? Number.parseInt(octal, 8) : Number.parseInt(x ?? u ?? long, 16);
    if (code > 0x10ffff) throw new Error(`'${whole}' is no code point`);
    return String.fromCodePoint(code);
  });
}
