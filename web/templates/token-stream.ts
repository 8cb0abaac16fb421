// SPDX-License-Identifier: MIT
import { LimitError, MAX_DEPTH } from './budget.js';
import type { Token } from './lexer.js';

/** Tokens, one after the other. */
export class TokenStream {
  #at = 0;
  #depth = 0;

  constructor(readonly tokens: readonly Token[]) {}

  get current(): Token {
    return this.tokens[Math.min(this.#at, this.tokens.length - 1)] as Token;
  }

  get next(): Token {
    return this.tokens[Math.min(this.#at + 1, this.tokens.length - 1)] as Token;
  }

  take(): Token {
    const { current } = this;
    this.#at++;
    return current;
  }

  isName(...names: string[]): boolean {
    const { current } = this;
    return current.kind === 'name' && names.includes(current.text);
  }

  isOperator(...operators: string[]): boolean {
    const { current } = this;
    return current.kind === 'operator' && operators.includes(current.text);
  }

  skipName(name: string): boolean {
    const isIt = this.isName(name);
    if (isIt) this.#at++;
    return isIt;
  }

  skipOperator(operator: string): boolean {
    const isIt = this.isOperator(operator);
    if (isIt) this.#at++;
    return isIt;
  }

  expectOperator(operator: string): void {
    if (!this.skipOperator(operator)) this.fail(`'${operator}'`);
  }

  expectName(): string {
    const token = this.take();
    if (token.kind !== 'name') this.fail('a name');
    return (token as Token & { kind: 'name' }).text;
  }

  expect(kind: '}}' | '%}'): void {
    if (this.current.kind !== kind) this.fail(`'${kind}'`);
    this.#at++;
  }

  fail(wanted: string): never {
    const { current } = this;
    const found =
      current.kind === 'end'
        ? 'its end'
        : `'${'text' in current ? current.text : current.kind === 'constant' ? String(current.value) : current.kind}'`;
    throw new Error(`it has ${found} where ${wanted} should be`);
  }

  /** Reads what lies within something else. */
  within<T>(read: () => T): T {
    if (this.#depth === MAX_DEPTH) throw new LimitError(`it nests deeper than ${MAX_DEPTH}`);
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}
