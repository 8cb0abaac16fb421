// SPDX-License-Identifier: MIT
// Jinja's expressions, from what binds least to what binds most.
import type { BlockFilter, CallArguments, Expression } from './nodes.js';
import type { TokenStream } from './token-stream.js';

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];
const CONSTANTS = new Map<string, boolean | null>([
  ...([
    ['true', true],
    ['True', true],
    ['false', false],
    ['False', false],
  ] as const),
  ...([
    ['none', null],
    ['None', null],
  ] as const),
]);
// Names that are of a macro where it is called.
const SPECIAL = ['caller', 'varargs', 'kwargs'];
const nothingGiven = (): CallArguments => ({ positional: [], named: [] });

export class ExpressionParser {
  /** Of each macro around what is read, which special names it reads. */
  readonly uses: Set<string>[] = [];

  constructor(readonly tokens: TokenStream) {}

  /** An expression, with `a if b else c`. */
  expression(): Expression {
    return this.tokens.within(() => this.#condition());
  }

  /** An expression, or several with commas between. @param isEnd what may follow the last comma */
  list(isEnd: () => boolean, read = () => this.expression()): Expression {
    const items = [read()];
    let isTuple = false;
    while (this.tokens.skipOperator(',')) {
      isTuple = true;
      if (isEnd()) break;
      items.push(read());
    }
    return isTuple ? { kind: 'tuple', items } : (items[0] as Expression);
  }

  /** Without `a if b else c`, as what a loop goes through. */
  withoutCondition(): Expression {
    return this.tokens.within(() => this.#or());
  }

  #condition(): Expression {
    let value = this.#or();
    while (this.tokens.skipName('if')) {
      const test = this.#or();
      const otherwise = this.tokens.skipName('else') ? this.expression() : undefined;
      value = { kind: 'condition', test, value, otherwise };
    }
    return value;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.tokens.skipName('or')) left = { kind: 'or', left, right: this.#and() };
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.tokens.skipName('and')) left = { kind: 'and', left, right: this.#not() };
    return left;
  }

  #not(): Expression {
    if (!this.tokens.skipName('not')) return this.#comparison();
    return { kind: 'not', value: this.tokens.within(() => this.#not()) };
  }

  #comparison(): Expression {
    const first = this.#sum();
    const others: [string, Expression][] = [];
    while (true) {
      const operator = this.#comparisonOperator();
      if (operator === undefined) break;
      others.push([operator, this.#sum()]);
    }
    return others.length > 0 ? { kind: 'comparison', first, others } : first;
  }

  #comparisonOperator(): string | undefined {
    const { tokens } = this;
    const found = COMPARISONS.find((operator) => tokens.skipOperator(operator));
    if (found) return found;
    if (tokens.skipName('in')) return 'in';
    const { next } = tokens;
    if (!tokens.isName('not') || next.kind !== 'name' || next.text !== 'in') return undefined;
    tokens.take();
    tokens.take();
    return 'not in';
  }

  #sum(): Expression {
    return this.#leftToRight(['+', '-'], () => this.#concatenation());
  }

  #concatenation(): Expression {
    const items = [this.#product()];
    while (this.tokens.skipOperator('~')) items.push(this.#product());
    return items.length > 1 ? { kind: 'concatenation', items } : (items[0] as Expression);
  }

  #product(): Expression {
    return this.#leftToRight(['*', '/', '//', '%'], () => this.#power());
  }

  #power(): Expression {
    return this.#leftToRight(['**'], () => this.#signed(true));
  }

  #leftToRight(operators: string[], part: () => Expression): Expression {
    let left = part();
    while (true) {
      const operator = operators.find((text) => this.tokens.skipOperator(text));
      if (operator === undefined) return left;
      left = { kind: 'arithmetic', operator, left, right: part() };
    }
  }

  #signed(hasFilters: boolean): Expression {
    const operator = ['-', '+'].find((text) => this.tokens.skipOperator(text));
    let value: Expression = operator
      ? { kind: 'sign', operator, value: this.tokens.within(() => this.#signed(false)) }
      : this.primary();
    value = this.#postfix(value);
    return hasFilters ? this.#filtersAndTests(value) : value;
  }

  /** A constant, a name, or what stands in brackets. */
  primary(): Expression {
    const { tokens } = this;
    const token = tokens.current;
    if (token.kind === 'name') {
      tokens.take();
      const constant = CONSTANTS.get(token.text);
      if (constant !== undefined) return { kind: 'constant', value: constant };
      if (SPECIAL.includes(token.text)) for (const uses of this.uses) uses.add(token.text);
      return { kind: 'name', name: token.text };
    }
    if (token.kind === 'constant') {
      tokens.take();
      let { value } = token;
      while (typeof value === 'string') {
        const next = tokens.current;
        if (next.kind !== 'constant' || typeof next.value !== 'string') break;
        value += next.value;
        tokens.take();
      }
      return { kind: 'constant', value };
    }
    if (tokens.skipOperator('(')) return this.#parenthesized();
    if (tokens.skipOperator('[')) {
      return { kind: 'list', items: this.#until(']', () => this.expression()) };
    }
    if (tokens.skipOperator('{')) {
      const entries = this.#until('}', (): [Expression, Expression] => {
        const key = this.expression();
        tokens.expectOperator(':');
        return [key, this.expression()];
      });
      return { kind: 'dict', entries };
    }
    return tokens.fail('an expression');
  }

  #parenthesized(): Expression {
    const { tokens } = this;
    if (tokens.skipOperator(')')) return { kind: 'tuple', items: [] };
    const inside = this.list(() => tokens.isOperator(')'));
    tokens.expectOperator(')');
    return inside;
  }

  /** What has commas between, up to a bracket. */
  #until<T>(bracket: string, read: () => T): T[] {
    const items: T[] = [];
    while (!this.tokens.skipOperator(bracket)) {
      if (items.length > 0) {
        this.tokens.expectOperator(',');
        if (this.tokens.skipOperator(bracket)) break;
      }
      items.push(read());
    }
    return items;
  }

  #postfix(value: Expression): Expression {
    const { tokens } = this;
    let object = value;
    while (true) {
      if (tokens.skipOperator('.')) object = this.#member(object);
      else if (tokens.skipOperator('[')) object = this.#item(object);
      else if (tokens.isOperator('(')) {
        object = { kind: 'call', callee: object, given: this.callArguments() };
      } else return object;
    }
  }

  #member(object: Expression): Expression {
    const token = this.tokens.take();
    if (token.kind === 'name') return { kind: 'member', object, name: token.text };
    if (token.kind === 'constant' && typeof token.value === 'number') {
      return { kind: 'item', object, index: { kind: 'constant', value: token.value } };
    }
    return this.tokens.fail('a name behind a point');
  }

  #item(object: Expression): Expression {
    const { tokens } = this;
    const bounds: (Expression | undefined)[] = [undefined];
    while (!tokens.isOperator(']', ',')) {
      if (tokens.skipOperator(':')) bounds.push(undefined);
      else if (bounds.at(-1) === undefined) bounds[bounds.length - 1] = this.expression();
      else break;
    }
    if (bounds.length > 3) tokens.fail("']'");
    if (bounds.length > 1) {
      tokens.expectOperator(']');
      return { kind: 'slice', object, bounds };
    }
    const [index] = bounds;
    if (index === undefined) return tokens.fail('an index');
    if (!tokens.skipOperator(',')) {
      tokens.expectOperator(']');
      return { kind: 'item', object, index };
    }
    const items = [index, ...this.#until(']', () => this.expression())];
    return { kind: 'item', object, index: { kind: 'tuple', items } };
  }

  #filtersAndTests(value: Expression): Expression {
    const { tokens } = this;
    let found = value;
    while (true) {
      if (tokens.skipOperator('|')) found = { kind: 'filter', value: found, ...this.filter() };
      else if (tokens.skipName('is')) found = this.#test(found);
      else if (tokens.isOperator('(')) {
        found = { kind: 'call', callee: found, given: this.callArguments() };
      } else return found;
    }
  }

  /** A filter's name and what it is given. */
  filter(): BlockFilter {
    const name = this.#dottedName();
    return { name, given: this.tokens.isOperator('(') ? this.callArguments() : nothingGiven() };
  }

  #dottedName(): string {
    let name = this.tokens.expectName();
    while (this.tokens.skipOperator('.')) name += `.${this.tokens.expectName()}`;
    return name;
  }

  #test(value: Expression): Expression {
    const { tokens } = this;
    const isNegated = tokens.skipName('not');
    const name = this.#dottedName();
    let given = nothingGiven();
    const { kind } = tokens.current;
    if (tokens.isOperator('(')) given = this.callArguments();
    else if (
      kind === 'constant' ||
      tokens.isOperator('[', '{') ||
      (kind === 'name' && !tokens.isName('else', 'or', 'and', 'is', 'if', 'in', 'not'))
    ) {
      const argument = this.#postfix(this.primary());
      given = { positional: [{ value: argument, isSpread: false }], named: [] };
    }
    const test: Expression = { kind: 'test', value, name, given };
    return isNegated ? { kind: 'not', value: test } : test;
  }

  /** What stands in the brackets of a call. */
  callArguments(): CallArguments {
    const { tokens } = this;
    const given = nothingGiven();
    tokens.expectOperator('(');
    this.#until(')', () => {
      if (given.spread) tokens.fail("')'");
      if (tokens.skipOperator('**')) given.spread = this.expression();
      else if (tokens.skipOperator('*')) {
        given.positional.push({ value: this.expression(), isSpread: true });
      } else if (
        tokens.current.kind === 'name' &&
        tokens.next.kind === 'operator' &&
        tokens.next.text === '='
      ) {
        const name = tokens.expectName();
        tokens.expectOperator('=');
        if (given.named.some(([known]) => known === name)) tokens.fail('another name');
        given.named.push([name, this.expression()]);
      } else {
        if (given.named.length > 0) tokens.fail('an argument by its name');
        given.positional.push({ value: this.expression(), isSpread: false });
      }
    });
    return given;
  }
}
