// SPDX-License-Identifier: MIT
import type { Budget } from './budget.js';
import type { Given, Value } from './values.js';

/** What filters and tests see of the rendering that they are part of. */
export interface Runtime {
  readonly budget: Budget;
  /** @throws Error when there is no filter of that name */
  filter(name: string, value: Value, given: Given): Value;
  /** @throws Error when there is no test of that name */
  test(name: string, value: Value, given: Given): boolean;
}

export type Filter = (value: Value, given: Given, runtime: Runtime) => Value;

export type Test = (value: Value, given: Given, runtime: Runtime) => boolean;
