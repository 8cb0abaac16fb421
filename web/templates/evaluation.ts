// SPDX-License-Identifier: MIT
// What expressions are worth.
import { item, member, slice } from './access.js';
import type { Budget } from './budget.js';
import { LIST_FILTERS } from './list-filters.js';
import type { BlockFilter, CallArguments, Expression } from './nodes.js';
import { NUMBER_FILTERS } from './number-filters.js';
import { arithmetic, holds, signed } from './operators.js';
import type { Filter, Runtime, Test } from './runtime.js';
import type { Scope } from './scope.js';
import { SELECTING_FILTERS } from './selecting-filters.js';
import { TESTS } from './tests.js';
import { TEXT_FILTERS } from './text-filters.js';
import {
  type Given,
  Instance,
  isTrue,
  iterated,
  keyOf,
  Markup,
  Tuple,
  typeOf,
  Undefined,
  type Value,
} from './values.js';
import { text } from './writing.js';

const FILTERS: ReadonlyMap<string, Filter> = new Map(
  [TEXT_FILTERS, NUMBER_FILTERS, LIST_FILTERS, SELECTING_FILTERS].flatMap((filters) =>
    Object.entries(filters),
  ),
);
const ALL_TESTS: ReadonlyMap<string, Test> = new Map([
  ...Object.entries(TESTS),
  ['filter', (name: Value) => FILTERS.has(name as string)],
  ['test', (name: Value) => ALL_TESTS.has(name as string)],
]);

/** Works out expressions; what takes long is counted. */
export class Evaluation implements Runtime {
  constructor(readonly budget: Budget) {}

  value(node: Expression, scope: Scope): Value {
    const found = this.#operand(node, scope);
    return found instanceof Markup ? found.text : found;
  }

  #operand(node: Expression, scope: Scope): Value {
    this.budget.step();
    if (node.kind === 'constant') return node.value;
    if (node.kind !== 'name') return this.budget.within(() => this.#made(node, scope));
    const found = scope.get(node.name);
    return found === undefined ? new Undefined(`'${node.name}' is undefined`) : found;
  }

  #made(node: Expression, scope: Scope): Value {
    const { budget } = this;
    const of = (part: Expression) => this.value(part, scope);
    switch (node.kind) {
      case 'list':
        return node.items.map(of);
      case 'tuple':
        return Tuple.holding(node.items.map(of));
      case 'dict':
        return new Map(node.entries.map(([key, value]) => [keyOf(of(key)), of(value)]));
      case 'member':
        return member(of(node.object), node.name, budget);
      case 'item':
        return item(of(node.object), of(node.index), budget);
      case 'slice':
        return this.#counted(
          slice(
            of(node.object),
            node.bounds.map((bound) => (bound ? of(bound) : null)),
            budget,
          ),
        );
      case 'call':
        return this.call(of(node.callee), this.given(node.given, scope));
      case 'filter':
        return this.filter(node.name, of(node.value), this.given(node.given, scope));
      case 'test':
        return this.test(node.name, of(node.value), this.given(node.given, scope));
      case 'concatenation': {
        const parts = node.items.map((part) => text(of(part), budget));
        return this.#counted(parts.join(''));
      }
      case 'not':
        return !isTrue(of(node.value));
      case 'sign':
        return signed(node.operator, of(node.value));
      case 'arithmetic':
        return this.#arithmetic(node, scope);
      case 'comparison':
        return this.#holds(node, scope);
      case 'and': {
        const left = of(node.left);
        return isTrue(left) ? of(node.right) : left;
      }
      case 'or': {
        const left = of(node.left);
        return isTrue(left) ? left : of(node.right);
      }
      case 'condition':
        if (isTrue(of(node.test))) return of(node.value);
        return node.otherwise
          ? of(node.otherwise)
          : new Undefined('an if without else was false, and its value is undefined');
      default:
        throw new Error(`there is nothing of the kind ${node.kind}`);
    }
  }

  #arithmetic(node: Expression & { kind: 'arithmetic' }, scope: Scope): Value {
    const isSum = node.operator === '+';
    const [left = null, right = null] = [node.left, node.right].map((part) =>
      isSum ? this.#operand(part, scope) : this.value(part, scope),
    );
    return arithmetic(node.operator, left, right, this.budget);
  }

  /** `a < b < c`: each is worked out once, and none behind one that does not hold. */
  #holds(node: Expression & { kind: 'comparison' }, scope: Scope): boolean {
    let left = this.value(node.first, scope);
    for (const [operator, other] of node.others) {
      const right = this.value(other, scope);
      if (!holds(operator, left, right, this.budget)) return false;
      left = right;
    }
    return true;
  }

  /** What something is called with. */
  given({ positional, named, spread }: CallArguments, scope: Scope): Given {
    const given: Given = { positional: [], named: new Map() };
    for (const { value, isSpread } of positional) {
      const found = this.value(value, scope);
      if (isSpread) for (const part of iterated(found, this.budget)) given.positional.push(part);
      else given.positional.push(found);
    }
    for (const [name, value] of named) given.named.set(name, this.value(value, scope));
    if (!spread) return given;
    const others = this.value(spread, scope);
    if (!(others instanceof Map)) throw new Error(`what stands behind ** is no dict`);
    this.budget.items(others.size);
    for (const [name, value] of others) {
      if (typeof name !== 'string' || given.named.has(name)) {
        throw new Error(`'${text(name, this.budget)}' cannot be the name of another argument`);
      }
      given.named.set(name, value);
    }
    return given;
  }

  /** @throws Error for what cannot be called */
  call(callee: Value, given: Given): Value {
    if (callee instanceof Undefined) callee.fail();
    if (!(callee instanceof Instance) || !callee.call) {
      throw new Error(`'${typeOf(callee)}' object is not callable`);
    }
    return this.#counted(callee.call(given));
  }

  filter(name: string, value: Value, given: Given): Value {
    const filter = FILTERS.get(name);
    if (!filter) throw new Error(`No filter named '${name}'.`);
    return this.#counted(filter(value instanceof Markup ? value.text : value, given, this));
  }

  test(name: string, value: Value, given: Given): boolean {
    const test = ALL_TESTS.get(name);
    if (!test) throw new Error(`No test named '${name}'.`);
    return test(value, given, this);
  }

  /** A text through the filters of a block. */
  filtered(made: string, filters: readonly BlockFilter[], scope: Scope): Value {
    return filters.reduce<Value>(
      (value, { name, given }) => this.filter(name, value, this.given(given, scope)),
      made,
    );
  }

  /** What was made, be it a text or a list, takes as much as it is long. */
  #counted(value: Value): Value {
    if (typeof value === 'string') this.budget.letters(value.length);
    else if (Array.isArray(value)) this.budget.items(value.length);
    return value;
  }
}
