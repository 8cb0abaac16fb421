// SPDX-License-Identifier: MIT
//
// Templates of files are programs: they run in an interpreter of ours (`web/templates`), within limits.
import { Budget, LimitError, MAX_SOURCE } from '../templates/budget.js';
import { Context } from '../templates/context.js';
import { globals } from '../templates/globals.js';
import { Interpreter } from '../templates/interpreter.js';
import type { Statement } from '../templates/nodes.js';
import { Scope } from '../templates/scope.js';
import { parsed } from '../templates/statement-parser.js';
import type { Value } from '../templates/values.js';

/** What a template is rendered with, beside the messages whatever it asks for. */
export type JinjaContext = {
  messages: readonly object[];
} & Record<string, unknown>;

/**
 * A Jinja template as transformers sets it up, which writes what Python's jinja2 writes and ends in a
 * moment whatever it says.
 */
export class Jinja {
  #statements: Statement[];

  /** @throws Error when it is no template, or is longer or nests deeper than one may be */
  constructor(source: string) {
    if (source.length > MAX_SOURCE) throw new LimitError(`it is longer than ${MAX_SOURCE} letters`);
    this.#statements = withoutOverflow(() => parsed(source));
  }

  /**
   * @param given values as JSON has them; a whole number is Python's `int`, as JavaScript does not tell
   * 1.0 from 1; what is undefined is not there
   * @throws Error with the template's own words, or when it takes more than a template may
   */
  render(given: JinjaContext): string {
    return withoutOverflow(() => {
      const context = new Context();
      const values = context.value(given) as Map<string, Value>;
      const budget = new Budget({ messages: given.messages.length, ...context });
      const scope = new Scope(new Scope(undefined, globals(budget)), values);
      return new Interpreter(budget).written(this.#statements, new Scope(scope));
    });
  }
}

/** What recursion of a parser or a value that holds itself ends in, in words. */
function withoutOverflow<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    // "Maximum call stack size exceeded", "Invalid string length"
    if (!(cause instanceof RangeError)) throw cause;
    throw new LimitError('it nests too deeply, or a text in it becomes too long');
  }
}
