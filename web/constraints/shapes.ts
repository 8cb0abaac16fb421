// SPDX-License-Identifier: MIT
import { arrayPart, arrayPossible } from './array-parts.js';
import {
  type Automaton,
  automaton,
  chars,
  type Expression,
  literal,
  ofLength,
  optional,
  repeat,
  sequence,
} from './automaton.js';
import { ANY, type CodePoints, countIn } from './code-points.js';
import { Choice, type Part } from './grammar.js';
import { objectPart, objectPossible } from './object-parts.js';
import type { ItemStates, Others, PartMaker, Property, Shape } from './shape.js';
import { DEAD, Terminal } from './terminal.js';
import { JSON_WORDS, type Words } from './words.js';

export type { Others, Property, Shape } from './shape.js';

/** Which characters the tokens can write, as themselves and within a JSON string. */
export interface Alphabet {
  plain: CodePoints;
  quoted: CodePoints;
  /** Control tokens, which no value has. */
  controls: CodePoints;
}

/** Properties by their names. */
export interface OtherProperties {
  names: Automaton;
  shape: Shape;
}

interface Size {
  min?: number;
  max?: number;
  last?: OtherProperties[] | undefined;
}

const SPACE = optional(literal(' '));

/** Makes shapes, and of shapes the parts of a grammar. */
export class Shapes {
  readonly #alphabet: Alphabet;
  readonly #words: Words;
  readonly #parts = new Map<Shape, Part>();
  readonly #literals = new Map<string, Terminal>();
  readonly #all: Shape[] = [];
  /** Whether arrays and objects can be written at all. */
  readonly #nests: boolean;
  /** Whether strings can be. */
  readonly #quotes: boolean;

  constructor(alphabet: Alphabet, words: Words = JSON_WORDS) {
    this.#alphabet = alphabet;
    this.#words = words;
    this.#nests = this.#writes('[]{}:,"');
    this.#quotes = this.#writes('"');
  }

  /** A shape whose kind is filled in later, for schemas that refer to themselves. */
  empty(): Shape {
    return this.#keep({ kind: 'choice', shapes: [] });
  }

  choice(shapes: Shape[]): Shape {
    return this.#keep({ kind: 'choice', shapes });
  }

  /** @param states which items may follow which, where not by their places alone */
  array(
    first: Shape[],
    others: Shape | undefined,
    min: number,
    max: number,
    states?: ItemStates,
  ): Shape {
    if (!this.#nests) return this.choice([]);
    return this.#keep({ kind: 'array', first, others, min, max, states });
  }

  /** @param others properties of other names; `last`: of which one stands behind all */
  object(
    properties: Property[],
    others: OtherProperties[],
    { min = 0, max = Number.POSITIVE_INFINITY, last }: Size = {},
  ): Shape {
    if (!this.#nests) return this.choice([]);
    return this.#keep({
      kind: 'object',
      properties: properties.map((property) =>
        this.#writes(JSON.stringify(property.name))
          ? property
          : { ...property, shape: this.choice([]) },
      ),
      others: others.map((other) => this.#others(other)),
      min,
      max,
      last: last?.map((other) => this.#others(other)),
    });
  }

  #others({ names, shape }: OtherProperties): Others {
    const own = automaton({ kind: 'automaton', automaton: names }, this.#alphabet.quoted);
    return { key: this.#quoted(own), names: own, shape };
  }

  /** This JSON value and no other. */
  value(value: unknown): Shape {
    if (typeof value === 'string' && !/\p{Surrogate}/u.test(value))
      return this.string(literal(value));
    return this.text(literal(this.#written(value)));
  }

  // As JSON.stringify, but for the words.
  #written(value: unknown): string {
    if (value === null) return this.#words.null;
    if (typeof value === 'boolean') return this.#words[`${value}`];
    if (typeof value !== 'object') return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map((one) => this.#written(one)).join()}]`;
    const members = Object.entries(value).map(
      ([name, one]) => `${JSON.stringify(name)}:${this.#written(one)}`,
    );
    return `{${members.join()}}`;
  }

  text(expression: Expression): Shape {
    return this.#keep({ kind: 'text', terminal: this.#terminal(expression) });
  }

  string(
    expression: Expression = repeat(chars(ANY), 0, Number.POSITIVE_INFINITY),
    min = 0,
    max = Number.POSITIVE_INFINITY,
  ): Shape {
    const language = ofLength(automaton(expression, this.#alphabet.quoted), min, max);
    return this.#keep({ kind: 'text', terminal: this.#quoted(language), language });
  }

  #keep(
    shape: { [K in Shape['kind']]: Omit<Extract<Shape, { kind: K }>, 'possible'> }[Shape['kind']],
  ): Shape {
    const kept = { possible: false, ...shape } as Shape;
    this.#all.push(kept);
    return kept;
  }

  #writes(text: string): boolean {
    const points = Array.from(text, (char) => char.codePointAt(0) as number);
    return points.every((point) => countIn(this.#alphabet.plain, point, point) > 0);
  }

  #terminal(expression: Expression): Terminal {
    return new Terminal(automaton(expression, this.#alphabet.plain));
  }

  #quoted(language: Automaton): Terminal {
    const own = this.#quotes ? language : { ...language, start: DEAD };
    return new Terminal(own, { quoted: true });
  }

  /** Finds out which shapes have a finite text at all; before {@link part}. */
  settle(): void {
    for (let changed = true; changed; ) {
      changed = false;
      for (const shape of this.#all) {
        if (shape.possible || !isPossible(shape)) continue;
        shape.possible = true;
        changed = true;
      }
    }
  }

  part(shape: Shape): Part {
    const known = this.#parts.get(shape);
    if (known) return known;
    const part = this.#make(shape);
    this.#parts.set(shape, part);
    return part;
  }

  #make(shape: Shape): Part {
    const maker: PartMaker<Part> = {
      mark: (text, space = false) => this.#mark(text, space),
      part: (one) => this.part(one),
      choice: (make) => new Choice(make),
    };
    switch (shape.kind) {
      case 'text':
        return shape.terminal;
      case 'choice':
        return new Choice(() =>
          shape.shapes.filter(({ possible }) => possible).map((one) => [this.part(one)]),
        );
      case 'array':
        return arrayPart(shape, maker);
      default:
        return objectPart(
          shape,
          maker,
          ({ key }) => key,
          (name, comma) => this.#head(name, comma),
        );
    }
  }

  #mark(text: string, space: boolean): Terminal {
    const key = space ? `${text} ` : text;
    let terminal = this.#literals.get(key);
    if (!terminal) {
      terminal = this.#terminal(space ? sequence(literal(text), SPACE) : literal(text));
      this.#literals.set(key, terminal);
    }
    return terminal;
  }

  #head(name: string, comma: boolean): Terminal {
    const before = comma ? [literal(','), SPACE] : [];
    return this.#terminal(sequence(...before, literal(JSON.stringify(name)), literal(':'), SPACE));
  }
}

function isPossible(shape: Shape): boolean {
  switch (shape.kind) {
    case 'text':
      return shape.terminal.start !== undefined;
    case 'choice':
      return shape.shapes.some(({ possible }) => possible);
    case 'array':
      return arrayPossible(shape);
    default:
      return objectPossible(shape);
  }
}
