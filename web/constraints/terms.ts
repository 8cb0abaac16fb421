// SPDX-License-Identifier: MIT
import { type Schema, tooMuch } from './keywords.js';
import { negation, type OwnKeywords } from './negation.js';
import type { Node, Nodes } from './nodes.js';
import { freeTerm, restrict, type Term } from './term.js';
import { hasUnevaluated, withoutUnevaluated } from './unevaluated.js';
import { type Judge, typeOf, Validity } from './validity.js';

/** A schema and those that asked for it, of the same value. */
interface Asked {
  node: Node;
  by: Asked | undefined;
  depth: number;
}

/** A way to hold that is being followed: what of it is still to be read. */
interface Branch {
  term: Term;
  waiting: Asked[];
  /** Choices to be made: one of several lists of schemas must hold. */
  choices: [alternatives: Node[][], by: Asked][];
  seen: Set<Node>;
}

// Ones that people write nest ten levels, and have some hundred ways.
export const MOST_DEPTH = 100;
const MOST_TERMS = 2000;
const MOST_STEPS = 200_000;
// How deep properties are looked into to find that two schemas exclude each other.
const MOST_LOOKS = 3;

/** Takes schemas that must hold together apart, into ways to hold of which one must. */
export class Terms {
  readonly #nodes: Nodes;
  readonly #validity: Validity;
  readonly #alternatives = new Map<Node, Node[][]>();
  readonly #negations = new Map<Node, Node[][]>();
  readonly #empty = new Map<string, boolean>();
  readonly #looking = new Set<Node>();
  #steps = 0;

  constructor(nodes: Nodes, judge: Omit<Judge, 'nodes' | 'ways'>) {
    this.#nodes = nodes;
    this.#validity = new Validity({ ...judge, nodes, ways: (node) => this.#ways(node) });
  }

  /** @throws TypeError or RangeError as what is read into shapes does */
  of(schemas: readonly Node[], above = 0): Term[] {
    const found: Term[] = [];
    const branches: Branch[] = [
      {
        term: freeTerm(),
        waiting: schemas.map((node) => ({ node, by: undefined, depth: above })),
        choices: [],
        seen: new Set(),
      },
    ];
    for (let branch = branches.pop(); branch; branch = branches.pop()) {
      this.#read(branch);
      const { term, choices } = branch;
      if (term.types === 0) continue;
      if (term.values) {
        // Values are valid or not: choices that are left do not matter.
        term.values = term.values.filter(
          (value) =>
            (typeOf(value) & term.types) !== 0 &&
            schemas.every((one) => this.#validity.holds(one, value)),
        );
        if (term.values.length > 0) found.push(term);
        continue;
      }
      const next = choices.shift();
      if (!next) {
        found.push(term);
        if (found.length > MOST_TERMS) {
          throw tooMuch(schemas[0]?.at ?? '#', `has more than ${MOST_TERMS} ways to hold`);
        }
        continue;
      }
      const [alternatives, by] = next;
      for (const nodes of [...alternatives].reverse()) {
        branches.push({
          term: { ...term },
          waiting: nodes.map((node) => ({ node, by, depth: by.depth + 1 })),
          choices: [...choices],
          seen: new Set(branch.seen),
        });
      }
    }
    return found;
  }

  #read(branch: Branch): void {
    const { term, waiting, choices, seen } = branch;
    for (let next = waiting.shift(); next && term.types !== 0; next = waiting.shift()) {
      const { node, depth } = next;
      // What holds only where it holds already is held by no value.
      if (isAskedBy(next, node)) term.types = 0;
      if (seen.has(node)) continue;
      seen.add(node);
      this.#steps += 1;
      if (this.#steps > MOST_STEPS) throw tooMuch(node.at, 'takes too many steps to read');
      if (depth > MOST_DEPTH) {
        throw tooMuch(node.at, `nests schemas and $refs deeper than ${MOST_DEPTH}`);
      }
      if (node.schema === false) term.types = 0;
      if (typeof node.schema === 'boolean') continue;
      const more: Node[] = [];
      for (const alternatives of this.#choices(node, node.schema)) {
        if (alternatives.length === 1) more.push(...(alternatives[0] as Node[]));
        else choices.push([alternatives, next]);
        if (alternatives.length === 0) term.types = 0;
      }
      const by = next;
      waiting.unshift(...more.map((one) => ({ node: one, by, depth: depth + 1 })));
      if (!hasUnevaluated(node.schema)) restrict(term, node, this.#nodes);
    }
  }

  // What must hold beside a schema's own keywords: of each, one of the lists of schemas.
  #choices(node: Node, schema: Schema & OwnKeywords): Node[][][] {
    const nodes = this.#nodes;
    if (hasUnevaluated(schema)) return [this.#ways(node).map((way) => [way])];
    const found: Node[][][] = [];
    const of = (one: unknown, step: string) => nodes.of(one, node, step);
    for (const keyword of ['$ref', '$dynamicRef'] as const) {
      const reference = schema[keyword];
      if (typeof reference === 'string') found.push([[nodes.target(keyword, reference, node)]]);
    }
    const { allOf, anyOf, oneOf, not, if: condition } = schema;
    if (allOf) found.push([(allOf as unknown[]).map((one, i) => of(one, `allOf/${i}`))]);
    if (anyOf) found.push((anyOf as unknown[]).map((one, i) => [of(one, `anyOf/${i}`)]));
    if (oneOf) found.push(this.#oneOf(node, oneOf as unknown[]));
    if (not !== undefined) found.push(this.#not(of(not, 'not')));
    if (condition !== undefined && (schema.then !== undefined || schema.else !== undefined)) {
      const holds = [of(condition, 'if'), of(schema.then ?? true, 'then')];
      const fails = [nodes.of(nodes.not(condition), node), of(schema.else ?? true, 'else')];
      found.push([holds, fails]);
    }
    for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
      if (schema[keyword] !== undefined) found.push(...this.#dependent(node, keyword));
    }
    return found;
  }

  // Exactly one: the others do not hold, which goes without saying where they exclude it.
  #oneOf(node: Node, list: unknown[]): Node[][] {
    const known = this.#alternatives.get(node);
    if (known) return known;
    const nodes = this.#nodes;
    const own = list.map((one, i) => nodes.of(one, node, `oneOf/${i}`));
    if (this.#looking.has(node)) return own.map((one) => [one]);
    this.#looking.add(node);
    const found = own.map((one, i) => [
      one,
      ...own.flatMap((other, j) =>
        i === j || this.isEmpty([one, other])
          ? []
          : [nodes.of(nodes.not(list[j]), node, `oneOf/${j}`)],
      ),
    ]);
    this.#looking.delete(node);
    this.#alternatives.set(node, found);
    return found;
  }

  #not(node: Node): Node[][] {
    let found = this.#negations.get(node);
    if (!found) {
      const nodes = this.#nodes;
      found =
        typeof node.schema !== 'boolean' && hasUnevaluated(node.schema)
          ? [this.#ways(node).map((way) => nodes.of(nodes.not(way.schema), node))]
          : negation(node, nodes).map((one) => [nodes.made(one, node)]);
      this.#negations.set(node, found);
    }
    return found;
  }

  #dependent(node: Node, keyword: string): Node[][][] {
    const nodes = this.#nodes;
    return Object.entries((node.schema as Schema)[keyword] as Schema).map(([name, one]) => {
      const has = { type: 'object', required: [name] };
      const then = Array.isArray(one) ? { required: one } : (one as Schema | boolean);
      return [
        [nodes.made({ properties: { [name]: false } }, node)],
        [nodes.made(has, node), nodes.of(then, node, `${keyword}/${name}`)],
      ];
    });
  }

  #ways(node: Node): Node[] {
    const known = this.#alternatives.get(node);
    if (known) return known.map((one) => one[0] as Node);
    const found = withoutUnevaluated(node, this.#nodes).map((one) => this.#nodes.made(one, node));
    this.#alternatives.set(
      node,
      found.map((one) => [one]),
    );
    return found;
  }

  /** Whether schemas surely hold of no value together, as far as is soon found. */
  isEmpty(schemas: readonly Node[], looks = MOST_LOOKS): boolean {
    if (looks === 0) return false;
    const key = `${looks}:${keyOf(schemas)}`;
    let empty = this.#empty.get(key);
    if (empty === undefined) {
      this.#empty.set(key, false);
      empty = this.of(schemas).every((term) =>
        isNever(term, (one) => this.isEmpty(one, looks - 1)),
      );
      this.#empty.set(key, empty);
    }
    return empty;
  }
}

function isAskedBy({ by }: Asked, node: Node): boolean {
  for (let one = by; one; one = one.by) if (one.node === node) return true;
  return false;
}

/** The same for the same schemas in any order. */
export function keyOf(schemas: readonly Node[]): string {
  return [...new Set(schemas.map(({ id }) => id))].sort((a, b) => a - b).join();
}

/** What a property of a name must be. */
export function schemasOf(
  term: Term,
  name: string,
  matches: (pattern: string, text: string) => boolean,
): Node[] {
  return term.properties.flatMap(({ properties, patterns, others }) => {
    const own = properties.get(name);
    const found = patterns.filter(([source]) => matches(source, name)).map(([, node]) => node);
    if (own) found.push(own);
    return found.length > 0 ? found : [others];
  });
}

function isNever(term: Term, isEmpty: (schemas: Node[]) => boolean): boolean {
  if (term.values) return false;
  let { types } = term;
  const lose = (type: number) => {
    types &= ~type;
  };
  if (term.low > term.high) lose(12);
  if (term.length[0] > term.length[1]) lose(16);
  if (term.count[0] > term.count[1]) lose(32);
  if (types & 64) {
    const never = term.required.some((name) => {
      const own = term.properties.flatMap(({ properties }) => properties.get(name) ?? []);
      return own.length > 0 && isEmpty(own);
    });
    if (never || term.size[0] > term.size[1]) lose(64);
  }
  return types === 0;
}
