// SPDX-License-Identifier: MIT
// Methods of `str`.
import { argumentsOf } from './arguments.js';
import type { Budget } from './budget.js';
import { formatted } from './format-method.js';
import { capitalized, isCased, isTitle, swappedCase, titled } from './letter-case.js';
import {
  Callable,
  type Given,
  intOf,
  iterated,
  lengthOf,
  letters,
  Tuple,
  typeOf,
  Undefined,
  type Value,
} from './values.js';
import { lines, stripped, words, wordsFromTheEnd } from './white-space.js';

type Method = (text: string, given: Given, budget: Budget) => Value;

const every = (pattern: RegExp) => (text: string, given: Given) => {
  argumentsOf(given, 'a test of a text', '');
  return pattern.test(text);
};

const changed = (name: string, change: (text: string) => string): Method => {
  return (text, given) => {
    argumentsOf(given, name, '');
    return change(text);
  };
};

const strip = (name: string, sides: 'both' | 'left' | 'right'): Method => {
  return (text, given) => {
    const [chars = null] = argumentsOf(given, name, 'chars=');
    return stripped(text, sides, chars === null ? undefined : textOf(chars, name));
  };
};

const split = (name: string, isFromTheEnd: boolean): Method => {
  return (text, given) => {
    const [separator = null, given_ = -1] = argumentsOf(given, name, 'sep= maxsplit=');
    const asked = intOf(given_, name);
    const most = asked < 0 ? Number.POSITIVE_INFINITY : asked;
    if (separator === null) return isFromTheEnd ? wordsFromTheEnd(text, most) : words(text, most);
    const between = textOf(separator, name);
    if (between === '') throw new Error('empty separator');
    const parts = text.split(between);
    if (parts.length - 1 <= most) return parts;
    return isFromTheEnd
      ? [parts.slice(0, parts.length - most).join(between), ...parts.slice(parts.length - most)]
      : [...parts.slice(0, most), parts.slice(most).join(between)];
  };
};

const partition = (name: string, isFromTheEnd: boolean): Method => {
  return (text, given) => {
    const [separator = ''] = argumentsOf(given, name, 'sep');
    const between = textOf(separator, name);
    if (between === '') throw new Error('empty separator');
    const at = isFromTheEnd ? text.lastIndexOf(between) : text.indexOf(between);
    if (at < 0) return Tuple.holding(isFromTheEnd ? ['', '', text] : [text, '', '']);
    return Tuple.holding([text.slice(0, at), between, text.slice(at + between.length)]);
  };
};

const find = (name: string, isFromTheEnd: boolean, isNeeded: boolean): Method => {
  return (text, given) => {
    const [sub = '', from, to] = argumentsOf(given, name, 'sub start= end=');
    const part = between(text, from, to);
    const needle = textOf(sub, name);
    const at = isFromTheEnd ? part.text.lastIndexOf(needle) : part.text.indexOf(needle);
    if (at < 0 && isNeeded) throw new Error('substring not found');
    return at < 0 ? -1 : part.before + letters(part.text.slice(0, at)).length;
  };
};

const isAt = (name: string, test: (text: string, part: string) => boolean): Method => {
  return (text, given) => {
    const [parts = '', from, to] = argumentsOf(given, name, 'prefix start= end=');
    const all = parts instanceof Tuple ? parts : [parts];
    return all.some((part) => test(between(text, from, to).text, textOf(part, name)));
  };
};

const padded = (name: string, side: 'left' | 'right' | 'both'): Method => {
  return (text, given, budget) => {
    const [width = 0, fill = ' '] = argumentsOf(given, name, 'width fillchar=');
    return filled(text, intOf(width, name), textOf(fill, name), side, budget);
  };
};

/** A text with letters beside it until it is so wide: what is said is where they are put. */
export function filled(
  text: string,
  width: number,
  fill: string,
  side: 'left' | 'right' | 'both',
  budget: Budget,
): string {
  const lacking = width - letters(text).length;
  if (lacking <= 0) return text;
  budget.letters(lacking);
  // As Python does it: of an odd number, the one more is left of a text of even width.
  const half = (lacking >> 1) + (lacking & width & 1);
  const left = side === 'left' ? lacking : side === 'right' ? 0 : half;
  return fill.repeat(left) + text + fill.repeat(lacking - left);
}

const METHODS: Readonly<Record<string, Method>> = {
  capitalize: changed('capitalize', capitalized),
  casefold: changed('casefold', (text) => text.replaceAll('ß', 'ss').toLowerCase()),
  center: padded('center', 'both'),
  count(text, given) {
    const [sub = '', from, to] = argumentsOf(given, 'count', 'sub start= end=');
    const part = between(text, from, to).text;
    const needle = textOf(sub, 'count');
    return needle === '' ? letters(part).length + 1 : part.split(needle).length - 1;
  },
  endswith: isAt('endswith', (text, part) => text.endsWith(part)),
  find: find('find', false, false),
  format: (text, given, budget) => formatted(text, given, budget),
  index: find('index', false, true),
  isalnum: every(/^[\p{L}\p{N}]+$/u),
  isalpha: every(/^\p{L}+$/u),
  isascii: every(/^\p{ASCII}*$/u),
  isdecimal: every(/^\p{Nd}+$/u),
  isdigit: every(/^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u),
  isidentifier: every(/^[\p{XID_Start}_]\p{XID_Continue}*$/u),
  islower: (text) => isCased(text) && text === text.toLowerCase(),
  isnumeric: every(/^\p{N}+$/u),
  isspace: (text) => text !== '' && stripped(text, 'both') === '',
  istitle: (text) => isTitle(text),
  isupper: (text) => isCased(text) && text === text.toUpperCase(),
  join(text, given, budget) {
    const [parts = []] = argumentsOf(given, 'join', 'iterable');
    return joined(iterated(parts, budget), text, budget);
  },
  ljust: padded('ljust', 'right'),
  lower: changed('lower', (text) => text.toLowerCase()),
  lstrip: strip('lstrip', 'left'),
  partition: partition('partition', false),
  removeprefix(text, given) {
    const [part = ''] = argumentsOf(given, 'removeprefix', 'prefix');
    const prefix = textOf(part, 'removeprefix');
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  },
  removesuffix(text, given) {
    const [part = ''] = argumentsOf(given, 'removesuffix', 'suffix');
    const suffix = textOf(part, 'removesuffix');
    return suffix && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
  },
  replace(text, given, budget) {
    const [from = '', to = '', count = -1] = argumentsOf(given, 'replace', 'old new count=');
    const most = intOf(count, 'replace');
    return replaced(text, textOf(from, 'replace'), textOf(to, 'replace'), most, budget);
  },
  rfind: find('rfind', true, false),
  rindex: find('rindex', true, true),
  rjust: padded('rjust', 'left'),
  rpartition: partition('rpartition', true),
  rsplit: split('rsplit', true),
  rstrip: strip('rstrip', 'right'),
  split: split('split', false),
  splitlines(text, given) {
    const [keep = false] = argumentsOf(given, 'splitlines', 'keepends=');
    return lines(text, Boolean(keep));
  },
  startswith: isAt('startswith', (text, part) => text.startsWith(part)),
  strip: strip('strip', 'both'),
  swapcase: changed('swapcase', swappedCase),
  title: changed('title', titled),
  upper: changed('upper', (text) => text.toUpperCase()),
  zfill(text, given, budget) {
    const [width = 0] = argumentsOf(given, 'zfill', 'width');
    const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
    const lacking = intOf(width, 'zfill') - sign.length;
    return sign + filled(digits, lacking, '0', 'left', budget);
  },
};

/** A method of a text by its name. */
export function textMethod(text: string, name: string, budget: Budget): Value | undefined {
  if (!Object.hasOwn(METHODS, name)) return undefined;
  const method = METHODS[name] as Method;
  return new Callable(name, (given) => {
    budget.read(text);
    return method(text, given, budget);
  });
}

/** @throws Error when it is no text */
export function textOf(value: Value, what: string): string {
  if (typeof value === 'string') return value;
  if (value instanceof Undefined) value.fail();
  throw new Error(`${what}() takes a text, not ${typeOf(value)}`);
}

/** Texts with another between them. */
export function joined(parts: readonly Value[], separator: string, budget: Budget): string {
  const texts = parts.map((part) => textOf(part, 'join'));
  budget.letters(
    texts.reduce(
      (sum, part) => sum + part.length,
      separator.length * Math.max(0, texts.length - 1),
    ),
  );
  return texts.join(separator);
}

/** `str.replace`: the first so many; all of them below zero. */
export function replaced(
  text: string,
  from: string,
  to: string,
  most: number,
  budget: Budget,
): string {
  const parts = from === '' ? ['', ...Array.from(text), ''] : text.split(from);
  budget.items(parts.length);
  const count = most < 0 ? parts.length - 1 : Math.min(most, parts.length - 1);
  budget.letters(text.length + count * to.length);
  if (count === parts.length - 1) return parts.join(to);
  const head = parts.slice(0, count + 1).join(to);
  return count === 0 ? text : [head, ...parts.slice(count + 1)].join(from);
}

/** The part of a text that a search is for, and how many letters are before it. */
function between(text: string, from: Value = null, to: Value = null) {
  if (from === null && to === null) return { text, before: 0 };
  const all = Array.from(text);
  const place = (bound: Value, otherwise: number) => {
    if (bound === null) return otherwise;
    const index = intOf(bound, 'a place in a text');
    return Math.min(Math.max(index < 0 ? index + all.length : index, 0), all.length);
  };
  const before = place(from, 0);
  return { text: all.slice(before, place(to, all.length)).join(''), before };
}

/** How many code points a value has, or items. @throws Error when it has no length */
export function sizeOf(value: Value, budget: Budget): number {
  if (typeof value === 'string') budget.read(value);
  const length = lengthOf(value);
  if (length === undefined) throw new Error(`object of type '${typeOf(value)}' has no len()`);
  return length;
}
