// SPDX-License-Identifier: MIT
import { type Automaton, automaton, type Expression, ofLength, sequence } from './automaton.js';
import { codePoints } from './code-points.js';
import { inverse } from './determinise.js';
import { intersect } from './intersect.js';
import { ANYTHING, anything, beginning } from './languages.js';
import type { TextRule } from './term.js';

/** What is fetched where a schema has patterns, or formats. */
export interface PatternModules {
  regexExpression?: (
    source: string,
    flags: string,
    makeSet: (ranges: [number, number][]) => Int32Array,
    lookahead?: { rest: Expression; beginning: typeof beginning },
  ) => Expression;
  formats?: Readonly<Record<string, { source: string; most?: number }>>;
}

/** The languages of a schema's patterns and formats, each made once. */
export class Patterns {
  readonly #modules: PatternModules;
  readonly #languages = new Map<string, Automaton>();
  readonly #expressions = new Map<string, RegExp>();

  constructor(modules: PatternModules) {
    this.#modules = modules;
  }

  /** Strings that hold by a rule; undefined where all do. */
  language(rule: TextRule): Automaton | undefined {
    const { kind, source, holds } = rule;
    if (kind === 'format' && this.#format(source) === undefined) {
      // What no format here asks for holds of every text.
      return holds ? undefined : { edges: [[]], accepting: [false], start: -1 };
    }
    const key = `${holds} ${kind} ${source}`;
    let language = this.#languages.get(key);
    if (!language) {
      language = holds
        ? this.#make(kind, source)
        : inverse(this.language({ kind, source, holds: true }) as Automaton);
      this.#languages.set(key, language);
    }
    return language;
  }

  /** Strings that hold by all of the rules. */
  all(rules: readonly TextRule[]): Automaton {
    const found = rules.flatMap((rule) => this.language(rule) ?? []);
    return found.length === 0 ? anything() : found.reduce(intersect);
  }

  #format(name: string): { source: string; most?: number } | undefined {
    const { formats = {} } = this.#modules;
    return Object.hasOwn(formats, name) ? formats[name] : undefined;
  }

  #make(kind: TextRule['kind'], source: string): Automaton {
    const { regexExpression } = this.#modules;
    if (!regexExpression) return anything();
    const format = kind === 'format' ? this.#format(source) : undefined;
    if (!format) {
      const look = { rest: ANYTHING, beginning };
      const own = regexExpression(inUnicode(source), 'u', codePoints, look);
      return automaton(sequence(ANYTHING, own));
    }
    const own = regexExpression(format.source, 'u', codePoints);
    return ofLength(automaton(own), 0, format.most ?? Number.POSITIVE_INFINITY);
  }

  readonly matches = (pattern: string, text: string): boolean =>
    this.#expression(inUnicode(pattern)).test(text);

  readonly isFormat = (format: string, text: string): boolean => {
    const known = this.#format(format);
    if (!known) return true;
    if (Array.from(text).length > (known.most ?? Number.POSITIVE_INFINITY)) return false;
    return this.#expression(`^(?:${known.source})$`).test(text);
  };

  #expression(source: string): RegExp {
    let expression = this.#expressions.get(source);
    if (!expression) {
      try {
        expression = new RegExp(source, 'u');
      } catch (cause) {
        // The engine's own words.
        throw new TypeError(`constraint: ${(cause as Error).message}`);
      }
      this.#expressions.set(source, expression);
    }
    return expression;
  }
}

/**
 * A pattern as the flag u reads it. Patterns are read so, but many are written without it in mind, with
 * a backslash before what needs none: where only that is wrong, it is left out.
 */
function inUnicode(source: string): string {
  if (isExpression(source)) return source;
  let inClass = false;
  const plain = source.replace(/\\?[\s\S]/g, (part) => {
    if (part === '[') inClass = true;
    if (part === ']') inClass = false;
    const needless = /^\\[^\p{L}\p{N}_^$\\.*+?()[\]{}|/]$/u.test(part);
    return needless && !(inClass && part === '\\-') ? part.slice(1) : part;
  });
  return isExpression(plain) ? plain : source;
}

function isExpression(source: string): boolean {
  try {
    return Boolean(new RegExp(source, 'u'));
  } catch {
    return false;
  }
}
