// SPDX-License-Identifier: MIT
import { checkKeywords, isObject, type Schema, tooMuch, wrong } from './keywords.js';
import { type Location, References } from './references.js';

// Ones that people write have some hundred.
const MOST_PARTS = 10_000;

/** A schema, known by its number: the same one wherever it is met. */
export interface Node extends Location {
  id: number;
  schema: Schema | boolean;
}

/** The schemas of a document, and ones that are made of them. */
export class Nodes {
  readonly #references: References;
  readonly #known = new Map<object, Node>();
  readonly #negated = new Map<object, Schema>();
  readonly always: Node;
  readonly never: Node;
  #count = 0;
  #parts = 0;

  constructor(root: unknown) {
    this.#references = new References(root);
    this.always = this.#add(true, { base: '', at: '#' });
    this.never = this.#add(false, { base: '', at: '#' });
  }

  #add(schema: Schema | boolean, { base, at }: Location): Node {
    return { id: this.#count++, schema, base, at };
  }

  /**
   * A schema of the document.
   *
   * @param step where it stands, seen from `from`
   * @throws TypeError where it is none
   */
  of(schema: unknown, from: Location, step = ''): Node {
    if (typeof schema === 'boolean') return schema ? this.always : this.never;
    const at = step === '' ? from.at : `${from.at}/${step}`;
    if (!isObject(schema)) throw wrong(at, 'must be a schema: an object, true or false');
    const known = this.#known.get(schema);
    if (known) return known;
    const node = this.#add(schema, this.#references.location(schema) ?? { base: from.base, at });
    const { enum: values, properties } = schema;
    this.#parts += 1 + (Array.isArray(values) ? values.length : 0);
    this.#parts += isObject(properties) ? Object.keys(properties).length : 0;
    if (this.#parts > MOST_PARTS) {
      throw tooMuch(node.at, `is one of more than ${MOST_PARTS} schemas and values`);
    }
    checkKeywords(schema, node.at);
    this.#known.set(schema, node);
    return node;
  }

  /** A schema that is made of others, which may have keywords of ours. */
  made(schema: Schema | boolean, from: Location): Node {
    if (typeof schema === 'boolean') return schema ? this.always : this.never;
    let node = this.#known.get(schema);
    if (!node) {
      node = this.#add(schema, from);
      this.#known.set(schema, node);
    }
    return node;
  }

  /** What a schema does not allow, as a schema: the same one each time. */
  not(schema: unknown): Schema | boolean {
    if (typeof schema === 'boolean') return !schema;
    if (!isObject(schema)) return { not: schema };
    let negated = this.#negated.get(schema);
    if (!negated) {
      negated = { not: schema };
      this.#negated.set(schema, negated);
    }
    return negated;
  }

  target(keyword: '$ref' | '$dynamicRef', reference: string, from: Location): Node {
    const { schema, ...where } =
      keyword === '$ref'
        ? this.#references.find(keyword, reference, from)
        : this.#references.findDynamic(reference, from);
    return this.of(schema, where);
  }
}
