// SPDX-License-Identifier: MIT
import { type Automaton, allBut } from './automaton.js';
import { inverse } from './determinise.js';
import { intersect } from './intersect.js';
import { tooMuch, wrong } from './keywords.js';
import { accepts } from './languages.js';
import type { Node } from './nodes.js';
import type { Reader } from './reader.js';
import type { Shape } from './shapes.js';
import type { SomeRule, Term } from './term.js';
import { schemasOf } from './terms.js';

/** Names that no schema lists, and what properties of such a name must be. */
interface OtherNames {
  language: Automaton;
  schemas: Node[];
}

// Each pattern may double them.
const MOST_KINDS = 64;

/** Reads what is asked of objects into shapes. */
export class ObjectReader {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Shapes of which one must hold. */
  read(term: Term, at: string): Shape[] {
    const { shapes } = this.#reader;
    const [min, max] = term.size;
    if (min > max) return [];
    const keys = term.keys.length === 0 ? undefined : this.#reader.language(term.keys);
    const listed = term.properties.flatMap(({ properties }) => [...properties.keys()]);
    const names = [...new Set([...listed, ...term.required])];
    const schemas = names.map((name) =>
      keys && !accepts(keys, name)
        ? [this.#reader.nodes.never]
        : schemasOf(term, name, this.#reader.patterns.matches),
    );
    const others = this.#others(term, names, keys, at);
    if (others.length > 0 && min > names.length + others.length) {
      throw wrong(at, "has 'minProperties' above 1 more than it lists, which is not supported");
    }
    const object = (required: readonly string[], own: Node[][], last?: OtherNames[]) =>
      shapes.object(
        names.map((name, i) => ({
          name,
          required: required.includes(name),
          shape: this.#reader.shape(own[i] as Node[]),
        })),
        others.map((other) => this.#withShape(other)),
        { min, max, last: last?.map((other) => this.#withShape(other)) },
      );
    if (term.some.length === 0) return [object(term.required, schemas)];
    if (term.some.length > 1) {
      throw wrong(
        at,
        "has several properties that must not all hold ('not'), which is not supported",
      );
    }
    const rule = term.some[0] as SomeRule;
    const found = names.flatMap((name, i) => {
      if (!this.#isMeant(rule, name)) return [];
      const own = schemas.map((list, j) => (i === j ? [...list, rule.node] : list));
      return [object([...term.required, name], own)];
    });
    const last = others.flatMap((other) => this.#meant(rule, other));
    return last.length > 0 ? [...found, object(term.required, schemas, last)] : found;
  }

  #withShape({ language, schemas }: OtherNames): { names: Automaton; shape: Shape } {
    return { names: language, shape: this.#reader.shape(schemas) };
  }

  // By which patterns they are matched and which not: of each kind the schemas are the same.
  #others(term: Term, names: string[], keys: Automaton | undefined, at: string): OtherNames[] {
    const { patterns, nodes } = this.#reader;
    const every = allBut(names);
    const sources = new Set(
      term.properties.flatMap((rule) => rule.patterns.map(([source]) => source)),
    );
    let kinds = [{ language: keys ? intersect(every, keys) : every, matched: new Set<string>() }];
    for (const source of sources) {
      const inside = patterns.language({ kind: 'pattern', source, holds: true }) as Automaton;
      const outside = patterns.language({ kind: 'pattern', source, holds: false }) as Automaton;
      kinds = kinds
        .flatMap(({ language, matched }) => [
          { language: intersect(language, inside), matched: new Set(matched).add(source) },
          { language: intersect(language, outside), matched },
        ])
        .filter(({ language }) => language.start >= 0);
      if (kinds.length > MOST_KINDS) {
        throw tooMuch(at, `has more than ${MOST_KINDS} kinds of names by 'patternProperties'`);
      }
    }
    return kinds.flatMap(({ language, matched }) => {
      const schemas = term.properties.flatMap((rule) => {
        const own = rule.patterns.filter(([source]) => matched.has(source));
        return own.length > 0 ? own.map(([, node]) => node) : [rule.others];
      });
      const none = language.start < 0 || schemas.includes(nodes.never);
      return none ? [] : [{ language, schemas }];
    });
  }

  #isMeant({ names, pattern, others, key }: SomeRule, name: string): boolean {
    const { matches } = this.#reader.patterns;
    if (names.includes(name)) return false;
    if (pattern !== undefined && !matches(pattern, name)) return false;
    if (others.some((other) => matches(other, name))) return false;
    return !key || !accepts(this.#reader.language([key]), name);
  }

  #meant({ names, pattern, others, key, node }: SomeRule, from: OtherNames): OtherNames[] {
    const { patterns } = this.#reader;
    const parts = [from.language, allBut(names)];
    const add = (source: string, holds: boolean) =>
      parts.push(patterns.language({ kind: 'pattern', source, holds }) as Automaton);
    if (pattern !== undefined) add(pattern, true);
    for (const other of others) add(other, false);
    if (key) parts.push(inverse(this.#reader.language([key])));
    const language = parts.reduce(intersect);
    return language.start < 0 ? [] : [{ language, schemas: [...from.schemas, node] }];
  }
}
