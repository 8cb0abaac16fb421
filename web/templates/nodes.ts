// SPDX-License-Identifier: MIT
// What a template is made of.
import type { Value } from './values.js';

export type Expression =
  | { kind: 'constant'; value: Value }
  | { kind: 'name'; name: string }
  | { kind: 'list' | 'tuple' | 'concatenation'; items: Expression[] }
  | { kind: 'dict'; entries: [key: Expression, value: Expression][] }
  | { kind: 'member'; object: Expression; name: string }
  | { kind: 'item'; object: Expression; index: Expression }
  | { kind: 'slice'; object: Expression; bounds: (Expression | undefined)[] }
  | { kind: 'call'; callee: Expression; given: CallArguments }
  | { kind: 'filter'; value: Expression; name: string; given: CallArguments }
  | { kind: 'test'; value: Expression; name: string; given: CallArguments }
  | { kind: 'not'; value: Expression }
  | { kind: 'sign'; operator: string; value: Expression }
  | { kind: 'arithmetic'; operator: string; left: Expression; right: Expression }
  | { kind: 'comparison'; first: Expression; others: [operator: string, value: Expression][] }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'condition'; test: Expression; value: Expression; otherwise?: Expression };

export interface CallArguments {
  positional: { value: Expression; isSpread: boolean }[];
  named: [name: string, value: Expression][];
  /** What stands behind `**`. */
  spread?: Expression;
}

/** What is assigned to: a name, an attribute of a namespace, or several. */
export type Target =
  | { kind: 'name'; name: string }
  | { kind: 'attribute'; object: string; name: string }
  | { kind: 'targets'; items: Target[] };

/** A filter by itself, for what is not written before it. */
export interface BlockFilter {
  name: string;
  given: CallArguments;
}

/** What a macro, or what a call encloses, is called with. */
export interface Signature {
  parameters: { name: string; otherwise?: Expression }[];
  body: Statement[];
  /** Which of `caller`, `varargs` and `kwargs` are read in the body. */
  uses: ReadonlySet<string>;
}

export interface Loop {
  kind: 'for';
  target: Target;
  items: Expression;
  test: Expression | undefined;
  isRecursive: boolean;
  body: Statement[];
  otherwise: Statement[];
}

export type Statement =
  | { kind: 'text'; text: string }
  | { kind: 'output'; value: Expression }
  | { kind: 'if'; branches: [test: Expression, body: Statement[]][]; otherwise: Statement[] }
  | Loop
  | { kind: 'set'; target: Target; value: Expression }
  | { kind: 'set block'; target: Target; filters: BlockFilter[]; body: Statement[] }
  | { kind: 'filter block'; filters: BlockFilter[]; body: Statement[] }
  | { kind: 'macro'; name: string; signature: Signature }
  | { kind: 'call block'; call: Expression & { kind: 'call' }; signature: Signature }
  | { kind: 'with'; names: [target: Target, value: Expression][]; body: Statement[] }
  | { kind: 'break' | 'continue' };
