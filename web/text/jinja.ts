// SPDX-License-Identifier: MIT
//
// Templates of files are programs: they run in this file, within limits.
import * as library from '@huggingface/jinja';

// Its own types for these cannot be resolved under `nodenext`.
type Node = { type: string } | undefined;
type Value = { type: string; value: unknown };
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
// Work on long values is more than a step: so much of a text, of a list that is read, made, or
// whose size is taken, is one.
const LETTERS_PER_STEP = 1024;
const READ_PER_STEP = 64;
const MADE_PER_STEP = 4;
const SIZED_PER_STEP = 16;
// What a value takes in a text of all that holds it, beside its own letters: brackets, and time.
const LETTERS_PER_VALUE = 16;

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
  #seen = new WeakSet<object>();
  #iterated = new WeakSet<object>();
  #written = new WeakSet<object>();
  #sizes = new WeakMap<object, number>();
  #changes = false;
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
    if (node && !this.#seen.has(node)) this.#see(node);
    this.#depth = depth + 1;
    try {
      const value = super.evaluate(node, scope);
      this.#count(node, value);
      return value;
    } finally {
      this.#depth = depth;
    }
  }

  /** Notes what becomes of the values of a node's parts. */
  #see(node: object) {
    this.#seen.add(node);
    const part = node as Parts;
    if (part.type === 'For') this.#iterated.add(iterableOf(node));
    const { body = [], alternate = [], defaultBlock = [], left, right, operand } = part;
    const operator = part.operator?.value;
    const filter = part.filter?.callee?.value ?? part.filter?.value ?? '';
    const isCompared = operator === '==' || operator === '!=';
    for (const written of [
      ...[...body, ...alternate, ...defaultBlock],
      ...(isCompared ? [left, right] : []),
      ...(COMPARING_FILTERS.has(filter) ? [operand] : []),
    ]) {
      if (written) this.#written.add(written);
    }
  }

  #count(node: Node, given: Value) {
    const { value } = given;
    const isMade = !READS.has(node?.type ?? '');
    this.#steps += 1;
    if (typeof value === 'string') {
      this.#steps += Math.floor(value.length / LETTERS_PER_STEP);
      if (isMade) this.#letters += value.length;
    } else if (Array.isArray(value) || value instanceof Map) {
      const items = Array.isArray(value) ? value.length : value.size;
      this.#steps += Math.floor(items / (isMade ? MADE_PER_STEP : READ_PER_STEP));
      if (node && this.#iterated.has(node)) this.#steps += items;
      const size = this.#size(given);
      if (node && this.#written.has(node)) this.#letters += size;
    }
    this.#limit(this.#letters);
  }

  /**
   * About the letters of a value when it is written out, and what it shares as often as it holds it:
   * a few steps make one that no memory could take.
   */
  #size({ type, value }: Value): number {
    if (typeof value === 'string') return LETTERS_PER_VALUE + value.length;
    if (!Array.isArray(value) && !(value instanceof Map)) return LETTERS_PER_VALUE;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    // Of all values only namespaces change, and with them what holds one.
    const changes = this.#changes;
    this.#changes = type === 'NamespaceValue';
    let size = LETTERS_PER_VALUE;
    if (value instanceof Map) for (const name of value.keys()) size += name.length;
    for (const item of value.values()) {
      size += this.#size(item);
      this.#steps += 1 / SIZED_PER_STEP;
      this.#limit(size);
    }
    if (!this.#changes) this.#sizes.set(value, size);
    this.#changes ||= changes;
    return size;
  }

  #limit(written: number) {
    const { steps, letters } = this.#limits;
    if (this.#steps > steps) throw new LimitError(`it takes more than ${steps} steps`);
    if (written > letters) throw new LimitError(`it writes more than ${letters} letters`);
  }
}

/** What nodes of all kinds have, as far as it counts here. */
interface Parts {
  type: string;
  body?: object[];
  alternate?: object[];
  defaultBlock?: object[];
  left?: object;
  right?: object;
  operator?: { value: string };
  operand?: object;
  filter?: { value?: string; callee?: { value: string } };
}

// Filters whose work is in the whole of a list, and not in what they make.
const COMPARING_FILTERS = new Set(['sort', 'unique', 'dictsort']);

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
  // Their text would be read as a number.
  if ([first, second, step].some((n) => typeof n === 'object')) {
    throw new Error('range() takes numbers');
  }
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
  strftime_now(format: unknown) {
    if (typeof format !== 'string') throw new Error('strftime_now() takes a text');
    return DATE.render({ format });
  },
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
