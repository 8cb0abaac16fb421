// SPDX-License-Identifier: MIT

import { ArrayReader } from './array-schema.js';
import { type Automaton, automaton, type Expression, literal, ofLength } from './automaton.js';
import { inverse } from './determinise.js';
import { intersect } from './intersect.js';
import { FRACTION, TYPES, tooMuch } from './keywords.js';
import { NOTHING, union } from './languages.js';
import { isMultiple, multiples } from './multiples.js';
import { type Node, Nodes } from './nodes.js';
import { anyNumber, boundedNumber, exponents, plainNumber } from './numbers.js';
import { ObjectReader } from './object-schema.js';
import { type PatternModules, Patterns } from './patterns.js';
import type { Reader } from './reader.js';
import type { Shape, Shapes } from './shapes.js';
import type { Term } from './term.js';
import { keyOf, MOST_DEPTH, Terms } from './terms.js';

const NUMBER = TYPES.number as number;
// In the order in which a value that may be of any type is tried.
const ORDER = ['object', 'array', 'string', 'number', 'boolean', 'null'];

// Of a number that no double rounds to another one, its sign and point among them.
const MOST_DIGITS = 15;

/** Reads schemas of one document into shapes. */
export class SchemaReader implements Reader {
  readonly shapes: Shapes;
  readonly nodes: Nodes;
  readonly terms: Terms;
  readonly patterns: Patterns;
  readonly #root: unknown;
  readonly #known = new Map<string, Shape>();
  readonly #objects = new ObjectReader(this);
  readonly #arrays = new ArrayReader(this);
  #depth = 0;
  #string: Shape | undefined;

  constructor(root: unknown, shapes: Shapes, modules: PatternModules) {
    this.#root = root;
    this.shapes = shapes;
    this.nodes = new Nodes(root);
    this.patterns = new Patterns(modules);
    this.terms = new Terms(this.nodes, this.patterns);
  }

  /**
   * The shape of the whole document.
   *
   * @throws TypeError naming a keyword that is not supported or wrong, and where it is; RangeError
   * where schemas, `$ref`s among them, nest too deeply or are too many
   */
  read(): Shape {
    return this.shape([this.nodes.of(this.#root, { base: '', at: '#' })]);
  }

  /** The shape of what schemas allow together: the same one for the same schemas. */
  shape(schemas: readonly Node[]): Shape {
    const meant = schemas.filter(({ schema }) => schema !== true);
    const key = keyOf(meant);
    const known = this.#known.get(key);
    if (known) return known;
    const at = meant[0]?.at ?? '#';
    if (this.#depth === MOST_DEPTH) {
      throw tooMuch(at, `nests schemas and $refs deeper than ${MOST_DEPTH}`);
    }
    this.#depth += 1;
    const shape = this.shapes.empty();
    this.#known.set(key, shape);
    const shapes = this.terms
      .of(meant, this.#depth)
      .flatMap((term) => this.#ofTerm(term, at))
      .filter((one) => one.kind !== 'choice' || one.shapes.length > 0);
    this.#depth -= 1;
    return Object.assign(shape, { shapes });
  }

  #ofTerm(term: Term, at: string): Shape[] {
    if (term.values) return term.values.map((value) => this.shapes.value(value));
    return ORDER.filter((type) => term.types & (TYPES[type] as number)).flatMap((type) =>
      this.#ofType(type, term, at),
    );
  }

  #ofType(type: string, term: Term, at: string): Shape[] {
    switch (type) {
      case 'object':
        return this.#objects.read(term, at);
      case 'array':
        return this.#arrays.read(term, at);
      case 'string':
        return [this.#text(term)];
      case 'number':
        return [this.shapes.text(this.#number(term))];
      case 'boolean':
        return [true, false].flatMap((value) =>
          term.except.includes(value) ? [] : this.shapes.value(value),
        );
      default:
        return term.except.includes(null) ? [] : [this.shapes.value(null)];
    }
  }

  #text(term: Term): Shape {
    const [min, max] = term.length;
    if (min > max) return this.shapes.choice([]);
    const free = term.texts.length === 0 && exceptTexts(term).length === 0;
    if (free && min === 0 && max === Number.POSITIVE_INFINITY) {
      this.#string ??= this.shapes.string();
      return this.#string;
    }
    return this.shapes.string({ kind: 'automaton', automaton: this.#language(term) }, min, max);
  }

  // But for its lengths.
  #language(term: Term): Automaton {
    const language = this.patterns.all(term.texts);
    const except = exceptTexts(term);
    if (except.length === 0) return language;
    return intersect(language, inverse(union(except.map((text) => automaton(literal(text))))));
  }

  /** The strings that schemas allow together. */
  language(schemas: readonly Node[]): Automaton {
    const found = this.terms.of(schemas).flatMap((term) => {
      if (term.values) {
        const texts = term.values.filter((value) => typeof value === 'string');
        return texts.map((text) => automaton(literal(text)));
      }
      if (!(term.types & (TYPES.string as number)) || term.length[0] > term.length[1]) return [];
      return [ofLength(this.#language(term), ...term.length)];
    });
    return found.length === 0 ? NOTHING : union(found);
  }

  #number(term: Term): Expression {
    const whole = !(term.types & FRACTION);
    const onlyFractions = (term.types & NUMBER) === FRACTION;
    const { low, high, multiple, notMultiples } = term;
    const except = term.except.filter((value) => typeof value === 'number');
    const plain = !multiple && notMultiples.length === 0 && except.length === 0 && !onlyFractions;
    const range = { low: Math.max(low, -Number.MAX_VALUE), high: Math.min(high, Number.MAX_VALUE) };
    if (low > high) return { kind: 'automaton', automaton: NOTHING };
    if (plain) {
      const free = low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY;
      return free ? anyNumber(whole) : boundedNumber(whole, range);
    }
    // What is left are digits: beyond 1e21 all numbers are multiples of 10^4 and whole.
    const large = { units: 10_000n, decimals: 0 };
    const ofLarge = (of: NonNullable<typeof multiple>) => isMultiple(large, of);
    let language = automaton(plainNumber(whole, range));
    if (multiple) language = intersect(language, multiples(multiple, true));
    for (const one of notMultiples) language = intersect(language, multiples(one, false));
    const one = { units: 1n, decimals: 0 };
    // What has more digits may be read as a double beside it, which is no multiple, or whole.
    if (multiple || notMultiples.length > 0 || onlyFractions) {
      language = ofLength(language, 0, MOST_DIGITS);
    }
    if (onlyFractions) language = intersect(language, multiples(one, false));
    const keeps = (!multiple || ofLarge(multiple)) && !notMultiples.some(ofLarge) && !onlyFractions;
    // And below 1e-6 none is a multiple of what is more than that.
    const tiny = !multiple && !whole;
    const sizes = [
      ...(keeps ? [beyond(range, 1e21, Number.MAX_VALUE)] : []),
      ...(tiny ? [beyond(range, Number.MIN_VALUE, 1e-6)] : []),
    ].flat();
    language = union([language, ...sizes.map((size) => automaton(exponents(whole, size)))]);
    for (const value of except) {
      const same = automaton(boundedNumber(false, { low: value, high: value }));
      language = intersect(language, inverse(same));
    }
    return { kind: 'automaton', automaton: language };
  }
}

// The parts of a range, below and above zero, whose sizes lie between two.
function beyond({ low, high }: { low: number; high: number }, from: number, to: number) {
  return [
    { low: Math.max(low, from), high: Math.min(high, to) },
    { low: Math.max(low, -to), high: Math.min(high, -from) },
  ].filter((part) => part.low <= part.high);
}

const exceptTexts = (term: Term): string[] =>
  term.except.filter((value) => typeof value === 'string');
