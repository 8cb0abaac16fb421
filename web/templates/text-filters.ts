// SPDX-License-Identifier: MIT
// Filters that make texts of what they are given.
import { argumentsOf } from './arguments.js';
import { attributeGetter } from './attribute-getter.js';
import { capitalized } from './letter-case.js';
import { percentFormatted } from './percent-format.js';
import type { Filter } from './runtime.js';
import { filled, joined, replaced, textOf } from './text-methods.js';
import { escaped, intOf, isTrue, iterated, letters, Markup, Tuple, type Value } from './values.js';
import { lines, stripped } from './white-space.js';
import { type JsonOptions, json, text } from './writing.js';

const changed =
  (change: (text: string) => string): Filter =>
  (value, given, { budget }) => {
    argumentsOf(given, 'a filter of a text', '');
    const all = text(value, budget);
    budget.read(all);
    return change(all);
  };

const markup =
  (name: string, change: (text: string) => string): Filter =>
  (value, given, { budget }) => {
    argumentsOf(given, name, '');
    const made = change(text(value, budget));
    budget.letters(made.length);
    return new Markup(made);
  };

export const TEXT_FILTERS: Readonly<Record<string, Filter>> = {
  capitalize: changed(capitalized),
  center(value, given, { budget }) {
    const [width = 80] = argumentsOf(given, 'center', 'width=');
    return filled(text(value, budget), intOf(width, 'center'), ' ', 'both', budget);
  },
  e: markup('escape', escaped),
  escape: markup('escape', escaped),
  forceescape: markup('forceescape', escaped),
  format(value, { positional, named }, { budget }) {
    if (named.size > 0 && positional.length > 0) {
      throw new Error('format takes values by place or by name, not both');
    }
    const values = named.size > 0 ? new Map<Value, Value>(named) : Tuple.holding(positional);
    return percentFormatted(text(value, budget), values, budget);
  },
  indent(value, given, { budget }) {
    const [width = 4, first = false, blank = false] = argumentsOf(
      given,
      'indent',
      'width= first= blank=',
    );
    if (typeof width !== 'string') budget.letters(intOf(width, 'indent'));
    const indention = typeof width === 'string' ? width : ' '.repeat(Math.max(0, Number(width)));
    const all = lines(`${text(value, budget)}\n`);
    budget.letters(all.reduce((sum, line) => sum + line.length + indention.length, 0));
    const indented = isTrue(blank)
      ? all.join(`\n${indention}`)
      : all.map((line, i) => (i > 0 && line !== '' ? indention + line : line)).join('\n');
    return isTrue(first) ? indention + indented : indented;
  },
  join(value, given, { budget }) {
    const [separator = '', attribute = null] = argumentsOf(given, 'join', 'd= attribute=');
    const get = attributeGetter(attribute, budget);
    const items = iterated(value, budget);
    budget.step(items.length);
    const texts = items.map((item) => text(get(item), budget));
    return joined(texts, text(separator, budget), budget);
  },
  lower: changed((all) => all.toLowerCase()),
  replace(value, given, { budget }) {
    const [old = '', by = '', count = null] = argumentsOf(given, 'replace', 'old new count=');
    const most = count === null ? -1 : intOf(count, 'replace');
    const all = text(value, budget);
    budget.read(all);
    return replaced(all, text(old, budget), text(by, budget), most, budget);
  },
  safe: markup('safe', (all) => all),
  string: changed((all) => all),
  title: changed((all) =>
    all
      .split(/([-\s({[<]+)/)
      .map((word) => {
        const [initial = ''] = word;
        return initial.toUpperCase() + word.slice(initial.length).toLowerCase();
      })
      .join(''),
  ),
  tojson(value, given, { budget }) {
    const [ascii = false, indent = null, separators = null, sortKeys = false] = argumentsOf(
      given,
      'tojson',
      'ensure_ascii= indent= separators= sort_keys=',
    );
    if (typeof indent === 'number') budget.letters(indent);
    const level =
      typeof indent === 'number' ? ' '.repeat(Math.max(0, indent)) : (indent as string | null);
    const options: JsonOptions = {
      ensureAscii: isTrue(ascii),
      indent: level === null ? null : textOf(level, 'tojson'),
      separators: separatorsOf(separators, level !== null),
      sortKeys: isTrue(sortKeys),
    };
    return json(value, options, budget);
  },
  trim(value, given, { budget }) {
    const [chars = null] = argumentsOf(given, 'trim', 'chars=');
    const all = text(value, budget);
    budget.read(all);
    return stripped(all, 'both', chars === null ? undefined : textOf(chars, 'trim'));
  },
  truncate(value, given, { budget }) {
    const [length = 255, killWords = false, end = '...', leeway = 5] = argumentsOf(
      given,
      'truncate',
      'length= killwords= end= leeway=',
    );
    const all = letters(text(value, budget));
    const [most, ending] = [intOf(length, 'truncate'), textOf(end, 'truncate')];
    const first = (count: number) => Array.from(all).slice(0, Math.max(0, count)).join('');
    if (all.length <= most + intOf(leeway, 'truncate')) return first(all.length);
    const cut = first(most - letters(ending).length);
    if (isTrue(killWords)) return cut + ending;
    const blank = cut.lastIndexOf(' ');
    return (blank < 0 ? cut : cut.slice(0, blank)) + ending;
  },
  upper: changed((all) => all.toUpperCase()),
  urlencode: changed((all) =>
    encodeURIComponent(all)
      .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll('%2F', '/'),
  ),
  wordcount(value, given, { budget }) {
    argumentsOf(given, 'wordcount', '');
    return text(value, budget).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
  },
};

function separatorsOf(given: Value, isIndented: boolean): readonly [string, string] {
  if (given === null) return [isIndented ? ',' : ', ', ': '];
  if (!Array.isArray(given) || given.length !== 2) {
    throw new Error('separators are two texts: between items and behind a key');
  }
  const [between = '', behind = ''] = given;
  return [textOf(between, 'tojson'), textOf(behind, 'tojson')];
}
