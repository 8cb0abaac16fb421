// SPDX-License-Identifier: MIT
// What statements write.
import type { Budget } from './budget.js';
import { Evaluation } from './evaluation.js';
import { LoopContext } from './loop-context.js';
import type { Loop, Signature, Statement, Target } from './nodes.js';
import { Scope } from './scope.js';
import {
  Callable,
  type Given,
  isTrue,
  iterated,
  Namespace,
  Tuple,
  Undefined,
  type Value,
} from './values.js';
import { text } from './writing.js';

/** How the statements of a loop ended before their end. */
type Leaving = 'break' | 'continue' | undefined;

/** What has been written so far. */
interface Output {
  text: string;
}

/** Runs a template within a budget. */
export class Interpreter {
  #evaluation: Evaluation;

  constructor(readonly budget: Budget) {
    this.#evaluation = new Evaluation(budget);
  }

  /** What statements write in a scope. */
  written(body: readonly Statement[], scope: Scope): string {
    const output = { text: '' };
    this.#run(body, scope, output);
    this.budget.letters(output.text.length);
    return output.text;
  }

  #run(body: readonly Statement[], scope: Scope, output: Output): Leaving {
    for (const statement of body) {
      const leaving = this.budget.within(() => this.#statement(statement, scope, output));
      if (leaving) return leaving;
    }
    return undefined;
  }

  #write(written: string, output: Output) {
    this.budget.letters(written.length);
    output.text += written;
  }

  #statement(node: Statement, scope: Scope, output: Output): Leaving {
    this.budget.step();
    const evaluation = this.#evaluation;
    switch (node.kind) {
      case 'text':
        this.#write(node.text, output);
        break;
      case 'output':
        this.#write(text(evaluation.value(node.value, scope), this.budget), output);
        break;
      case 'if': {
        const branch = node.branches.find(([test]) => isTrue(evaluation.value(test, scope)));
        return this.#run(branch ? branch[1] : node.otherwise, scope, output);
      }
      case 'for':
        this.#loop(node, evaluation.value(node.items, scope), 0, scope, output);
        break;
      case 'set':
        this.#assign(node.target, evaluation.value(node.value, scope), scope);
        break;
      case 'set block': {
        const made = this.written(node.body, new Scope(scope));
        this.#assign(node.target, evaluation.filtered(made, node.filters, scope), scope);
        break;
      }
      case 'filter block': {
        const made = this.written(node.body, new Scope(scope));
        const filtered = evaluation.filtered(made, node.filters, scope);
        this.#write(text(filtered, this.budget), output);
        break;
      }
      case 'macro':
        scope.values.set(node.name, this.#macro(node.name, node.signature, scope));
        break;
      case 'call block': {
        const caller = this.#macro('caller', node.signature, scope);
        const callee = evaluation.value(node.call.callee, scope);
        const given = evaluation.given(node.call.given, scope);
        given.named.set('caller', caller);
        this.#write(text(evaluation.call(callee, given), this.budget), output);
        break;
      }
      case 'with': {
        const inner = new Scope(scope);
        for (const [target, value] of node.names) {
          this.#assign(target, evaluation.value(value, scope), inner);
        }
        return this.#run(node.body, inner, output);
      }
      default:
        return node.kind;
    }
    return undefined;
  }

  #loop(node: Loop, value: Value, depth: number, scope: Scope, output: Output): void {
    const { budget } = this;
    const all = iterated(value, budget);
    budget.step(all.length);
    const { test } = node;
    const items = test
      ? all.filter((item) => {
          const inner = new Scope(scope);
          this.#assign(node.target, item, inner);
          return isTrue(this.#evaluation.value(test, inner));
        })
      : all;
    const again = (others: Value, level: number) => {
      const written = { text: '' };
      budget.within(() => this.#loop(node, others, level, scope, written));
      return written.text;
    };
    const context = new LoopContext(items, depth, budget, node.isRecursive ? again : undefined);
    let isDone = false;
    for (const [index, item] of items.entries()) {
      context.index0 = index;
      const inner = new Scope(scope, [['loop', context]]);
      this.#assign(node.target, item, inner);
      const leaving = this.#run(node.body, inner, output);
      if (leaving === 'break') break;
      // As in Python, an item that was left early does not count.
      if (leaving === undefined) isDone = true;
    }
    if (!isDone) this.#run(node.otherwise, new Scope(scope), output);
  }

  #assign(target: Target, value: Value, scope: Scope): void {
    if (target.kind === 'name') scope.values.set(target.name, value);
    else if (target.kind === 'attribute') {
      const space = scope.get(target.object);
      if (!(space instanceof Namespace)) {
        throw new Error('cannot assign attribute on non-namespace object');
      }
      space.values.set(target.name, value);
    } else {
      const parts = iterated(value, this.budget);
      if (parts.length !== target.items.length) {
        throw new Error(`${target.items.length} names are assigned ${parts.length} values`);
      }
      for (const [i, part] of target.items.entries()) this.#assign(part, parts[i] as Value, scope);
    }
  }

  /** A macro sees the names around it as they are when it is called. */
  #macro(name: string, signature: Signature, scope: Scope): Callable {
    return new Callable(name, (given) => {
      const inner = new Scope(scope);
      this.#bind(name, signature, given, inner);
      return this.written(signature.body, inner);
    });
  }

  #bind(name: string, { parameters, uses }: Signature, given: Given, scope: Scope): void {
    const named = new Map(given.named);
    const { positional } = given;
    const missing = parameters.filter((parameter, i) => {
      const value = i < positional.length ? positional[i] : named.get(parameter.name);
      if (i >= positional.length) named.delete(parameter.name);
      if (value !== undefined) scope.values.set(parameter.name, value);
      else {
        const why = `parameter '${parameter.name}' was not provided`;
        scope.values.set(parameter.name, new Undefined(why));
      }
      return value === undefined;
    });
    if (uses.has('caller') && !parameters.some((parameter) => parameter.name === 'caller')) {
      scope.values.set('caller', named.get('caller') ?? new Undefined('No caller defined'));
      named.delete('caller');
    }
    if (uses.has('kwargs')) scope.values.set('kwargs', new Map(named));
    else if (named.size > 0) {
      throw new Error(`macro '${name}' takes no keyword argument '${[...named.keys()][0]}'`);
    }
    if (uses.has('varargs'))
      scope.values.set('varargs', Tuple.holding(positional.slice(parameters.length)));
    else if (positional.length > parameters.length) {
      throw new Error(`macro '${name}' takes not more than ${parameters.length} argument(s)`);
    }
    for (const { name: parameter, otherwise } of missing) {
      if (otherwise) scope.values.set(parameter, this.#evaluation.value(otherwise, scope));
    }
  }
}
