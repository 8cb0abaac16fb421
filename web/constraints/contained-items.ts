// SPDX-License-Identifier: MIT
import type { Node } from './nodes.js';
import type { Reader } from './reader.js';
import type { ItemState, ItemStates, Shape } from './shape.js';
import type { ContainsRule, Term } from './term.js';

// What an item is to a rule: counted, surely not counted, or not asked about.
type Part = 'in' | 'out' | 'free';

/** Items of which so many are of a kind: a state is how many there have been, and how many of each kind. */
export class ContainedItems implements ItemStates {
  readonly start: string;
  readonly #rules: ContainsRule[];
  readonly #min: number;
  readonly #max: number;
  /** Beyond this, items are all alike. */
  readonly #last: number;
  readonly #most: number;
  readonly #shapes = new Map<string, Shape>();
  readonly #known = new Map<string, ItemState>();

  /** @param schemas of items, one by one; the last is for all that follow */
  constructor(reader: Reader, term: Term, schemas: Node[][]) {
    this.#rules = term.contains;
    [this.#min, this.#max] = term.count;
    this.#last = Math.max(schemas.length - 1, ...this.#rules.map(({ from }) => from));
    const counted = this.#max === Number.POSITIVE_INFINITY ? this.#min : this.#max;
    this.#most = Math.max(this.#last, counted, 1);
    this.start = [0, ...this.#rules.map(() => 0)].join();
    // Before any is asked for: shapes are settled together.
    for (let index = 0; index <= this.#last; index++) {
      const own = schemas[Math.min(index, schemas.length - 1)] as Node[];
      for (const parts of this.#parts(index)) {
        const more = parts.flatMap((part, i): Node[] => {
          const { node } = this.#rules[i] as ContainsRule;
          if (part === 'free') return [];
          return [part === 'in' ? node : reader.nodes.of(reader.nodes.not(node.schema), node)];
        });
        this.#shapes.set(`${index} ${parts}`, reader.shape([...own, ...more]));
      }
    }
  }

  #parts(index: number): Part[][] {
    let found: Part[][] = [[]];
    for (const { from, max } of this.#rules) {
      const rest: Part = max === Number.POSITIVE_INFINITY ? 'free' : 'out';
      const own: Part[] = index < from ? ['free'] : ['in', rest];
      found = found.flatMap((parts) => own.map((part) => [...parts, part]));
    }
    return found;
  }

  at(state: string): ItemState {
    let found = this.#known.get(state);
    if (!found) {
      found = this.#make(state);
      this.#known.set(state, found);
    }
    return found;
  }

  #make(state: string): ItemState {
    const [index, ...counts] = state.split(',').map(Number) as [number, ...number[]];
    const ends =
      index >= this.#min && this.#rules.every(({ min }, i) => (counts[i] as number) >= min);
    const next: ItemState['next'] = [];
    if (index >= this.#max) return { ends, next };
    const at = Math.min(index, this.#last);
    for (const parts of this.#parts(at)) {
      const after = counts.map((count, i) => count + (parts[i] === 'in' ? 1 : 0));
      const wanted = this.#rules.every(({ min, max }, i) => {
        const count = after[i] as number;
        // Once there are enough, what is not asked about says all.
        return count <= (max === Number.POSITIVE_INFINITY ? min : max);
      });
      if (!wanted) continue;
      const shape = this.#shapes.get(`${at} ${parts}`) as Shape;
      next.push({ shape, to: [Math.min(index + 1, this.#most), ...after].join() });
    }
    return { ends, next };
  }
}
