// SPDX-License-Identifier: MIT

const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}';

// Escapes that mean something else in JavaScript, outside and inside of a class.
const ESCAPES: Readonly<Record<string, string>> = {
  s: '\\p{White_Space}',
  S: '\\P{White_Space}',
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  h: '[0-9A-Fa-f]',
  H: '[^0-9A-Fa-f]',
  b: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
  Z: '(?=\\n?(?![\\s\\S]))',
  a: '\\x07',
  e: '\\x1b',
};
const CLASS_ESCAPES: Readonly<Record<string, string>> = {
  ...{ s: ESCAPES.s as string, S: ESCAPES.S as string, d: ESCAPES.d as string },
  ...{ D: ESCAPES.D as string, w: WORD, h: '0-9A-Fa-f', b: '\\x08', a: '\\x07', e: '\\x1b' },
};
const SAME = new Set(['n', 'r', 't', 'f', 'v']);
const SYNTAX = /[\\^$.*+?()[\]{}|/]/;

/**
 * A regular expression of Oniguruma, in the syntax that Hugging Face's tokenizers have, as one of
 * JavaScript with the flag `u`; its groups capture nothing. Letters under `(?i:)` fold within ASCII.
 *
 * @throws SyntaxError naming what has no counterpart here
 */
export function fromOniguruma(source: string): string {
  return new Translator(source).translate();
}

class Translator {
  #source: string;
  #at = 0;
  #out = '';
  /** Where the last atom starts in what is written, or -1. */
  #atom = -1;
  #folds = false;
  #groups: { start: number; folds: boolean; end: string }[] = [];
  #names = 0;

  constructor(source: string) {
    this.#source = source;
  }

  translate(): string {
    while (this.#at < this.#source.length) this.#next();
    if (this.#groups.length > 0) throw new SyntaxError('a group is not closed');
    new RegExp(this.#out, 'u');
    return this.#out;
  }

  #next(): void {
    const char = String.fromCodePoint(this.#source.codePointAt(this.#at) as number);
    if (char === '\\') this.#emit(this.#escape(false));
    else if (char === '[') this.#emit(this.#class());
    else if (char === '(') this.#open();
    else if (char === ')') this.#close();
    else if (/[*+?{]/.test(char) && this.#quantifier()) return;
    else {
      this.#at += char.length;
      if (char === '|') {
        this.#out += char;
        this.#atom = -1;
      } else if (char === '.') this.#emit('[^\\n]');
      else if (char === '^') this.#emit('(?<![^\\n])');
      else if (char === '$') this.#emit('(?![^\\n])');
      else if (this.#folds && /[A-Za-z]/.test(char)) this.#emit(`[${bothCases(char)}]`);
      else this.#emit(SYNTAX.test(char) ? `\\${char}` : char);
    }
  }

  #emit(text: string): void {
    this.#atom = this.#out.length;
    this.#out += text;
  }

  /** The text that `pattern` finds here, which is passed. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found) this.#at += found[0].length;
    return found;
  }

  #escape(inClass: boolean): string {
    const property = this.#take(/\\([pP])\{(\^?)([^}]*)\}/y);
    if (property) {
      const [, letter, not, name] = property as unknown as [string, string, string, string];
      return `\\${(letter === 'P') !== (not === '^') ? 'P' : 'p'}{${propertyName(name)}}`;
    }
    const code = this.#take(/\\x\{([0-9A-Fa-f]+)\}|\\x([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})/y);
    if (code) return `\\u{${code[1] ?? code[2] ?? code[3]}}`;
    const [whole, char = ''] = this.#take(/\\([\s\S])?/uy) as RegExpExecArray;
    const table = inClass ? CLASS_ESCAPES : ESCAPES;
    if (Object.hasOwn(table, char)) return table[char] as string;
    if (SAME.has(char)) return whole;
    if (char === '' || /[A-Za-z0-9]/.test(char)) throw new SyntaxError(`${whole} is not supported`);
    return SYNTAX.test(char) || (inClass && char === '-') ? whole : char;
  }

  #class(): string {
    let text = (this.#take(/\[\^?/y) as RegExpExecArray)[0];
    for (;;) {
      if (this.#at >= this.#source.length) throw new SyntaxError('a class is not closed');
      const range = this.#folds && this.#take(/([A-Za-z])(?:-([A-Za-z]))?/y);
      if (range) {
        const [, first = '', last] = range;
        text += last === undefined ? bothCases(first) : bothRanges(first, last);
        continue;
      }
      const char = this.#source[this.#at] as string;
      if (char === '\\') {
        text += this.#escape(true);
        continue;
      }
      this.#at++;
      text += char;
      if (char === ']') return text;
      if (char === '[' || (char === '&' && this.#source[this.#at] === '&')) {
        throw new SyntaxError('classes inside of classes are not supported');
      }
    }
  }

  #open(): void {
    const start = this.#out.length;
    const [found] = this.#take(/\((?:\?(?:[:=!>]|<[=!]|<\w+>|[a-z-]*[:)]))?/y) as RegExpExecArray;
    if (this.#source[this.#at] === '?') throw new SyntaxError('such a group is not supported');
    const flags = /^\(\?([a-z-]+)([:)])$/.exec(found);
    if (flags && flags[1] !== 'i') throw new SyntaxError(`${found} is not supported`);
    if (flags?.[2] === ')') {
      this.#folds = true;
      return;
    }
    const group = { start, folds: this.#folds, end: ')' };
    if (flags) this.#folds = true;
    if (found === '(?>') {
      const name = this.#name();
      this.#out += `(?:(?=(?<${name}>`;
      group.end = `))\\k<${name}>)`;
    } else this.#out += /^\(\?(?:[=!]|<[=!])/.test(found) ? found : '(?:';
    this.#groups.push(group);
    this.#atom = -1;
  }

  #close(): void {
    const group = this.#groups.pop();
    if (!group) throw new SyntaxError('a group is not opened');
    this.#at++;
    this.#out += group.end;
    this.#atom = group.start;
    this.#folds = group.folds;
  }

  // False where a brace is a character.
  #quantifier(): boolean {
    const found = this.#take(/[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\}/y);
    if (!found) return false;
    if (this.#atom < 0) throw new SyntaxError('nothing to repeat');
    const quantifier = found[0].replace('{,', '{0,');
    const atom = this.#out.slice(this.#atom);
    const [after] = this.#take(/[+?]/y) ?? [];
    const isBraced = quantifier.startsWith('{');
    if (isBraced && after === '?') throw new SyntaxError(`${quantifier}? is not supported`);
    let text = `${atom}${quantifier}`;
    if (isBraced && after === '+') text = `(?:${text})+`;
    else if (after === '+') {
      // Possessive: a lookahead gives nothing back.
      const name = this.#name();
      text = `(?:(?=(?<${name}>${text}))\\k<${name}>)`;
    } else if (after === '?') text += after;
    this.#out = this.#out.slice(0, this.#atom) + text;
    return true;
  }

  #name(): string {
    return `a${this.#names++}`;
  }
}

function propertyName(name: string): string {
  const exists = (spelled: string) => {
    try {
      new RegExp(`\\p{${spelled}}`, 'u');
      return true;
    } catch {
      return false;
    }
  };
  const found = [name, `Script=${name}`].find(exists);
  if (found) return found;
  throw new SyntaxError(`the property ${name} is not known`);
}

const bothCases = (char: string) => char.toLowerCase() + char.toUpperCase();

function bothRanges(first: string, last: string): string {
  const lower = `${first.toLowerCase()}-${last.toLowerCase()}`;
  return lower + lower.toUpperCase();
}
