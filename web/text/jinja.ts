// SPDX-License-Identifier: MIT
//
// Templates of files are programs: they run in this file, within limits.
import * as library from '@huggingface/jinja';

// Its own types for these cannot be resolved under `nodenext`.
type Node = { type: string } | undefined;
type Value = { value: unknown };
type Scope = { set(name: string, value: unknown): void };
interface Evaluates {
  run(program: Node): Value;
  evaluate(node: Node, scope: Scope): Value;
}
const { Template } = library;
const Environment = library.Environment as unknown as new () => Scope;
const Interpreter = library.Interpreter as unknown as new (global: Scope) => Evaluates;

// The longest of llama.cpp's 70 has 19 000 letters; those of the models that run here nest up to 60
// nodes and take up to 300 steps a message.
const MAX_SOURCE = 262_144;
const MAX_BLANKS = 1000;
const MAX_DEPTH = 400;
// Half a second to a second of work.
const STEPS = 400_000;
const STEPS_PER_MESSAGE = 4000;
// Texts that are made on the way count too: a letter that is put out has been in about six.
const LETTERS = 16_777_216;
const LETTERS_PER_LETTER = 64;
// Work on long values is more than a step: so much of a text, of a list that is read, or made, is one.
const LETTERS_PER_STEP = 1024;
const READ_PER_STEP = 64;
const MADE_PER_STEP = 4;

/** A template went beyond what one may use. */
class LimitError extends Error {}

/** A Jinja template as transformers sets it up, that ends in a moment whatever it says. */
export class Jinja {
  #template: library.Template;

  /** @throws Error when it is no template, or is longer or nests deeper than one may be */
  constructor(source: string) {
    if (source.length > MAX_SOURCE) throw new LimitError(`it is longer than ${MAX_SOURCE} letters`);
    // The library looks for a tag behind each run of them, from each of its letters.
    if (new RegExp(`\\s{${MAX_BLANKS}}`).test(source)) {
      throw new LimitError(`it has more than ${MAX_BLANKS} blanks in a row`);
    }
    this.#template = withoutOverflow(() => new Template(source));
  }

  /** @throws Error with the template's own words, or when it takes more than a template may */
  render(context: { messages: readonly { content: string }[] } & Record<string, unknown>): string {
    const { messages } = context;
    const letters = messages.reduce((sum, { content }) => sum + content.length, 0);
    const limits = {
      steps: STEPS + STEPS_PER_MESSAGE * messages.length + Math.floor(letters / 4),
      letters: LETTERS + LETTERS_PER_LETTER * letters,
    };
    const environment = new Environment();
    for (const [name, value] of Object.entries({ ...GLOBALS, ...context })) {
      environment.set(name, value);
    }
    const interpreter = new LimitedInterpreter(environment, limits);
    return withoutOverflow(() => String(interpreter.run(this.#template.parsed).value));
  }
}

/** Counts what it evaluates, and stops. */
class LimitedInterpreter extends Interpreter {
  #steps = 0;
  #letters = 0;
  #depth = 0;
  #iterated = new WeakSet<object>();
  #limits: { steps: number; letters: number };

  constructor(global: Scope, limits: { steps: number; letters: number }) {
    super(global);
    this.#limits = limits;
    global.set('range', (...args: [number, number?, number?]) =>
      range(args, limits.steps - this.#steps),
    );
  }

  override evaluate(node: Node, scope: Scope): Value {
    const depth = this.#depth;
    if (depth === MAX_DEPTH) throw new LimitError(`it nests deeper than ${MAX_DEPTH}`);
    if (node?.type === 'For') this.#iterated.add(iterableOf(node));
    this.#depth = depth + 1;
    try {
      const value = super.evaluate(node, scope);
      this.#count(node, value);
      return value;
    } finally {
      this.#depth = depth;
    }
  }

  #count(node: Node, { value }: Value) {
    const isMade = !READS.has(node?.type ?? '');
    this.#steps += 1;
    if (typeof value === 'string') {
      this.#steps += Math.floor(value.length / LETTERS_PER_STEP);
      if (isMade) this.#letters += value.length;
    } else if (Array.isArray(value) || value instanceof Map) {
      const items = Array.isArray(value) ? value.length : value.size;
      this.#steps += Math.floor(items / (isMade ? MADE_PER_STEP : READ_PER_STEP));
      if (node && this.#iterated.has(node)) this.#steps += items;
    }
    const { steps, letters } = this.#limits;
    if (this.#steps > steps) throw new LimitError(`it takes more than ${steps} steps`);
    if (this.#letters > letters) throw new LimitError(`it writes more than ${letters} letters`);
  }
}

// Nodes whose value was there before.
const READS = new Set(['Identifier', 'MemberExpression', 'StringLiteral']);

/** What a loop goes through; with a condition, what is before it. */
function iterableOf(loop: object): object {
  const { iterable } = loop as { iterable: { type: string; lhs?: object } };
  return iterable.type === 'SelectExpression' && iterable.lhs ? iterable.lhs : iterable;
}

/** Python's `range`, of at most `most` numbers. */
function range([first, second, step = 1]: [number, number?, number?], most: number): number[] {
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  if (step === 0) throw new Error('range() step must not be zero');
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (!(length <= most)) throw new LimitError(`it asks for a range of ${length} numbers`);
  return Array.from({ length }, (_, i) => start + i * step);
}

// What every template knows beside its context, as the library sets them for its own `render`.
const GLOBALS = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  raise_exception(words: string) {
    throw new Error(words);
  },
  strftime_now: (format: string) => DATE.render({ format }),
};
const DATE = new Template('{{ strftime_now(format) }}');

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
