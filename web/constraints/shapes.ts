// SPDX-License-Identifier: MIT
import {
  type Automaton,
  allBut,
  automaton,
  chars,
  type Expression,
  literal,
  ofLength,
  optional,
  repeat,
  sequence,
} from './automaton.js';
import { ANY, type CodePoints, charsOf, countIn } from './code-points.js';
import { Choice, type Part } from './grammar.js';
import { DEAD, Terminal } from './terminal.js';

/** What JSON texts a schema stands for. */
export type Shape = { possible: boolean } & (
  | { kind: 'text'; terminal: Terminal }
  | { kind: 'choice'; shapes: Shape[] }
  | { kind: 'array'; first: Shape[]; others: Shape | undefined; min: number; max: number }
  | { kind: 'object'; properties: Property[]; others: Others | undefined }
);

export interface Property {
  name: string;
  required: boolean;
  shape: Shape;
}

/** Properties beside those with a name of their own. */
export interface Others {
  key: Terminal;
  shape: Shape;
}

/** Which characters the tokens can write, as themselves and within a JSON string. */
export interface Alphabet {
  plain: CodePoints;
  quoted: CodePoints;
}

const SPACE = optional(literal(' '));

/** Makes shapes, and of shapes the parts of a grammar. */
export class Shapes {
  readonly #alphabet: Alphabet;
  readonly #parts = new Map<Shape, Part>();
  readonly #literals = new Map<string, Terminal>();
  readonly #all: Shape[] = [];
  /** Whether arrays and objects can be written at all. */
  readonly #nests: boolean;

  constructor(alphabet: Alphabet) {
    this.#alphabet = alphabet;
    this.#nests = this.#writes('[]{}:,"');
  }

  /** A shape whose kind is filled in later, for schemas that refer to themselves. */
  empty(): Shape {
    return this.#keep({ kind: 'choice', shapes: [] });
  }

  choice(shapes: Shape[]): Shape {
    return this.#keep({ kind: 'choice', shapes });
  }

  array(first: Shape[], others: Shape | undefined, min: number, max: number): Shape {
    if (!this.#nests) return this.choice([]);
    return this.#keep({ kind: 'array', first, others, min, max });
  }

  object(properties: Property[], others: Shape | undefined): Shape {
    if (!this.#nests) return this.choice([]);
    const names = properties.map(({ name }) => name);
    const key = others && this.#quoted(allBut(names, this.#alphabet.quoted));
    return this.#keep({
      kind: 'object',
      properties: properties.map((property) =>
        this.#writes(JSON.stringify(property.name))
          ? property
          : { ...property, shape: this.choice([]) },
      ),
      others: key && others && { key, shape: others },
    });
  }

  /** This text and no other. */
  literal(text: string): Shape {
    return this.text(literal(text));
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
    return this.#keep({ kind: 'text', terminal: this.#quoted(language) });
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
    const quote = this.#terminal(chars(charsOf('"'))).start;
    return new Terminal(quote ? language : { ...language, start: DEAD }, { quoted: true });
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
    switch (shape.kind) {
      case 'text':
        return shape.terminal;
      case 'choice':
        return new Choice(() =>
          shape.shapes.filter(({ possible }) => possible).map((one) => [this.part(one)]),
        );
      case 'array':
        return new Choice(() => [[this.#mark('['), this.#items(shape)(0)]]);
      default:
        return new Choice(() => [[this.#mark('{'), this.#members(shape)(0, false)]]);
    }
  }

  #mark(text: string): Terminal {
    let terminal = this.#literals.get(text);
    if (!terminal) {
      terminal = this.#terminal(literal(text));
      this.#literals.set(text, terminal);
    }
    return terminal;
  }

  #comma(): Terminal {
    let terminal = this.#literals.get(', ');
    if (!terminal) {
      terminal = this.#terminal(sequence(literal(','), SPACE));
      this.#literals.set(', ', terminal);
    }
    return terminal;
  }

  // What follows `count` items.
  #items({ first, others, min, max }: Extract<Shape, { kind: 'array' }>): (count: number) => Part {
    const known = new Map<number, Part>();
    const after = (count: number): Part => {
      // Beyond the last count that matters, all are one.
      const most = Math.max(first.length, max === Number.POSITIVE_INFINITY ? min : max, 1);
      const at = Math.min(count, most);
      const part =
        known.get(at) ??
        new Choice(() => {
          const next = first[at] ?? others;
          const alternatives: Part[][] = [];
          if (at >= min) alternatives.push([this.#mark(']')]);
          if (next?.possible && at < max && itemsPossible(first, others, at, min)) {
            const comma = at > 0 ? [this.#comma()] : [];
            alternatives.push([...comma, this.part(next), after(at + 1)]);
          }
          return alternatives;
        });
      known.set(at, part);
      return part;
    };
    return after;
  }

  // What follows once the properties before `index` are written or left out.
  #members({
    properties,
    others,
  }: Extract<Shape, { kind: 'object' }>): (index: number, any: boolean) => Part {
    const known = new Map<string, Part>();
    const after = (index: number, any: boolean): Part => {
      const key = `${index}${any}`;
      const part =
        known.get(key) ?? new Choice(() => this.#choices(properties, others, index, any, after));
      known.set(key, part);
      return part;
    };
    return after;
  }

  #choices(
    properties: Property[],
    others: Others | undefined,
    index: number,
    any: boolean,
    after: (index: number, any: boolean) => Part,
  ): Part[][] {
    const alternatives: Part[][] = [];
    for (let at = index; at < properties.length; at++) {
      const { name, required, shape } = properties[at] as Property;
      if (shape.possible) {
        const comma = any ? [literal(','), SPACE] : [];
        const key = [literal(JSON.stringify(name)), literal(':'), SPACE];
        const head = this.#terminal(sequence(...comma, ...key));
        alternatives.push([head, this.part(shape), after(at + 1, true)]);
      }
      if (required) return alternatives;
    }
    if (others?.shape.possible && others.key.start) {
      const comma = any ? [this.#comma()] : [];
      const colon = this.#colon();
      const tail = after(properties.length, true);
      alternatives.push([...comma, others.key, colon, this.part(others.shape), tail]);
    }
    alternatives.push([this.#mark('}')]);
    return alternatives;
  }

  #colon(): Terminal {
    let terminal = this.#literals.get(': ');
    if (!terminal) {
      terminal = this.#terminal(sequence(literal(':'), SPACE));
      this.#literals.set(': ', terminal);
    }
    return terminal;
  }
}

function isPossible(shape: Shape): boolean {
  switch (shape.kind) {
    case 'text':
      return shape.terminal.start !== undefined;
    case 'choice':
      return shape.shapes.some(({ possible }) => possible);
    case 'array':
      return shape.min <= shape.max && itemsPossible(shape.first, shape.others, 0, shape.min);
    default:
      return shape.properties.every((property) => !property.required || property.shape.possible);
  }
}

// Whether the items from `from` to before `min` can all be written.
function itemsPossible(
  first: Shape[],
  others: Shape | undefined,
  from: number,
  min: number,
): boolean {
  for (let at = from; at < Math.min(min, first.length); at++)
    if (!first[at]?.possible) return false;
  return min <= Math.max(first.length, from) || Boolean(others?.possible);
}
