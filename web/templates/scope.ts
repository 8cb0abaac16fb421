// SPDX-License-Identifier: MIT
import type { Value } from './values.js';

/** Names and what they stand for, within those around them. */
export class Scope {
  readonly values: Map<string, Value>;

  constructor(
    readonly outer?: Scope,
    values: Iterable<readonly [string, Value]> = [],
  ) {
    this.values = new Map(values);
  }

  get(name: string): Value | undefined {
    const found = this.values.get(name);
    return found === undefined ? this.outer?.get(name) : found;
  }
}
