// SPDX-License-Identifier: MIT
import { decodedUri } from '../uri.js';
import {
  isObject,
  LISTED_SCHEMAS,
  NAMED_SCHEMAS,
  ONE_SCHEMA,
  type Schema,
  wrong,
} from './keywords.js';

/** Where a schema stands: the address of its resource, and the way there. */
export interface Location {
  base: string;
  at: string;
}

/** What a reference leads to. */
export interface Target extends Location {
  schema: unknown;
}

// The address of a document that has none.
const NO_ADDRESS = 'schema:///';

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Which schemas of a document references mean: resources by `$id`, places in them by `$anchor`. */
export class References {
  readonly #locations = new Map<object, Location>();
  readonly #resources = new Map<string, unknown>();
  readonly #anchors = new Map<string, Target>();
  readonly #dynamic = new Map<string, number>();

  constructor(root: unknown) {
    this.#resources.set(NO_ADDRESS, root);
    this.#scan(root, { base: NO_ADDRESS, at: '#' });
  }

  location(schema: object): Location | undefined {
    return this.#locations.get(schema);
  }

  // Only where schemas stand: an `$id` in a value or under an unknown keyword is none.
  #scan(from: unknown, where: Location): void {
    const waiting: [unknown, Location][] = [[from, where]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [schema, { base: outer, at }] = next;
      if (!isObject(schema) || this.#locations.has(schema)) continue;
      const base = this.#named(schema, { base: outer, at });
      this.#locations.set(schema, { base, at });
      const push = (path: string, inner: unknown) =>
        waiting.push([inner, { base, at: `${at}/${path}` }]);
      for (const key of ONE_SCHEMA) push(key, schema[key]);
      for (const key of LISTED_SCHEMAS) {
        const list = schema[key];
        if (Array.isArray(list)) for (const [i, one] of list.entries()) push(`${key}/${i}`, one);
      }
      for (const key of NAMED_SCHEMAS) {
        const named = schema[key];
        if (!isObject(named)) continue;
        for (const [name, one] of Object.entries(named)) push(`${key}/${escaped(name)}`, one);
      }
    }
  }

  // Enters what a schema is called; returns its base.
  #named(schema: Schema, { base: outer, at }: Location): string {
    let base = outer;
    const { $id } = schema;
    // Drafts 6 and 7 write anchors so.
    const old = typeof $id === 'string' && $id.startsWith('#') ? $id.slice(1) : '';
    if (typeof $id === 'string' && !$id.startsWith('#')) {
      base = resolved($id.replace(/#.*$/s, ''), outer) ?? outer;
      if (!this.#resources.has(base)) this.#resources.set(base, schema);
    }
    for (const name of [schema.$anchor, schema.$dynamicAnchor, old]) {
      if (typeof name === 'string' && name !== '') {
        this.#anchors.set(`${base}#${name}`, { schema, base, at });
      }
    }
    const { $dynamicAnchor } = schema;
    if (typeof $dynamicAnchor === 'string') {
      this.#dynamic.set($dynamicAnchor, (this.#dynamic.get($dynamicAnchor) ?? 0) + 1);
    }
    return base;
  }

  /** @throws TypeError where it leads out of the document, or nowhere in it */
  find(keyword: string, reference: string, from: Location): Target {
    const named = `has the ${keyword} ${JSON.stringify(reference)}`;
    const nowhere = () => wrong(from.at, `${named}, which leads nowhere`);
    const hash = reference.indexOf('#');
    const path = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = decodedUri(hash < 0 ? '' : reference.slice(hash + 1));
    const address = path === '' ? from.base : resolved(path, from.base);
    if (address === undefined || !this.#resources.has(address)) {
      throw wrong(from.at, `${named}, which is not part of the schema`);
    }
    if (fragment !== '' && !fragment.startsWith('/')) {
      const target = this.#anchors.get(`${address}#${fragment}`);
      if (!target) throw nowhere();
      return target;
    }
    let found: unknown = this.#resources.get(address);
    let where = { base: address, at: (isObject(found) && this.location(found)?.at) || '#' };
    for (const step of fragment.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const inside = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
      if (!inside) throw nowhere();
      found = (found as Schema)[name];
      const known = isObject(found) ? this.location(found) : undefined;
      where = known ?? { base: where.base, at: `${where.at}/${step}` };
    }
    // Schemas may stand under keywords that have none for us.
    this.#scan(found, where);
    return { schema: found, ...where };
  }

  /**
   * As {@link find}, for `$dynamicRef`: where only one place has the name, the outermost is that one.
   *
   * @throws TypeError where it depends on the way there
   */
  findDynamic(reference: string, from: Location): Target {
    const target = this.find('$dynamicRef', reference, from);
    const name = isObject(target.schema) ? target.schema.$dynamicAnchor : undefined;
    const isDynamic = typeof name === 'string' && reference.endsWith(`#${name}`);
    if (isDynamic && (this.#dynamic.get(name) ?? 0) > 1) {
      throw wrong(
        from.at,
        `has the keyword '$dynamicRef' to one of several '$dynamicAnchor's, which is not supported`,
      );
    }
    return target;
  }
}

function resolved(path: string, base: string): string | undefined {
  try {
    return new URL(path, base).href;
  } catch {
    return undefined;
  }
}
