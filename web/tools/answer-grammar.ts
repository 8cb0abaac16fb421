// SPDX-License-Identifier: MIT
// Fetched only where an answer may call tools, or thinks within a budget.
import { type Automaton, automaton, chars, repeat } from '../constraints/automaton.js';
import { charsOf, codePoints, pairs } from '../constraints/code-points.js';
import { partOf, shapeOf } from '../constraints/compile.js';
import type { ConstraintSettings } from '../constraints/constraint.js';
import { without } from '../constraints/free-text.js';
import { Choice, type Part } from '../constraints/grammar.js';
import { intersect } from '../constraints/intersect.js';
import type { ObjectShape, Property, Shape } from '../constraints/shape.js';
import { type Alphabet, Shapes } from '../constraints/shapes.js';
import { Terminal } from '../constraints/terminal.js';
import type { Thought } from '../text/thought.js';
import type { Tool } from '../text/tool.js';
import { closed } from './closed-schema.js';
import type { CallMaker, HeldTool, ToolFormat } from './format.js';
import type { Marker } from './marker.js';
import type { ToolChoice } from './tool-choice.js';

/** What an answer may be. */
export interface AnswerForm {
  format: ToolFormat;
  tools: readonly Tool[];
  choice: ToolChoice;
  parallel: boolean;
  thought: Thought;
  /** Of what is no call. */
  constraint: ConstraintSettings | undefined;
  markers: AnswerMarkers;
}

export interface AnswerMarkers {
  /** Around calls; `end` may be nothing. */
  begin: Marker;
  end: Marker;
  /** Around a thought. */
  think: Marker;
  thought: Marker;
}

/** The grammar of answers, and what else is to be known of it. */
export interface CompiledAnswer {
  part: Part;
  /** What is thought, which a budget ends. */
  thought: Terminal | undefined;
  /** Whether an argument's text is a string's. */
  isString(tool: string, argument: string): boolean;
}

const GAP = repeat(chars(charsOf('\n ')), 0, 2);

/**
 * Undefined when there is no such answer in these characters.
 *
 * @throws TypeError for a schema or a name that cannot be held, or is wrong; RangeError where they
 * are too large, or no tool can be called
 */
export async function answerGrammar(
  form: AnswerForm,
  alphabet: Alphabet,
): Promise<CompiledAnswer | undefined> {
  const maker = new Maker(form, alphabet);
  const { tools, choice, constraint } = form;
  const calls = choice === 'none' || tools.length === 0 ? undefined : await maker.calls();
  const held = constraint && (await partOf(constraint, alphabet));
  if (constraint && !held) return undefined;
  const part = maker.answer(calls, held);
  return maker.isPossible ? { part, thought: maker.thought, isString: maker.isString } : undefined;
}

class Maker implements CallMaker {
  readonly #form: AnswerForm;
  readonly #shapes: Shapes;
  readonly #alphabet: Alphabet;
  /** Characters, and control tokens. */
  readonly #everything: Int32Array;
  readonly #strings = new Set<string>();
  thought: Terminal | undefined;
  isPossible = true;

  constructor(form: AnswerForm, alphabet: Alphabet) {
    this.#form = form;
    this.#alphabet = alphabet;
    this.#shapes = new Shapes(alphabet, form.format.words);
    this.#everything = codePoints([...pairs(alphabet.plain), ...pairs(alphabet.controls)]);
  }

  readonly isString = (tool: string, argument: string): boolean =>
    this.#strings.has(`${tool} ${argument}`);

  /** One stretch of calls, or several. */
  async calls(): Promise<Part> {
    const { format, tools, choice, parallel, markers } = this.#form;
    const named = typeof choice === 'object' ? choice.name : undefined;
    const wanted = tools.filter(({ name }) => named === undefined || name === named);
    const read: [Tool, Shape][] = [];
    for (const tool of wanted) {
      read.push([tool, await this.#shape(tool)]);
    }
    this.#shapes.settle();
    const held = read
      .filter(([, shape]) => shape.possible)
      .map(([tool, shape]) => this.#held(tool, shape));
    if (held.length === 0)
      throw new RangeError('tools: none can be called: their arguments allow nothing');
    const many = parallel && named === undefined;
    const stretch = this.sequence(
      this.#language(markers.begin),
      format.grammar(this, held, many && !format.single),
      ...(format.end ? [this.#language(markers.end)] : []),
    );
    if (!many || !format.single) return stretch;
    const more: Part = this.choice(() => [[], [this.text(GAP), stretch, more]]);
    return this.sequence(stretch, more);
  }

  async #shape({ name, parameters = NO_ARGUMENTS }: Tool): Promise<Shape> {
    const isOpen = !['type', '$ref', 'anyOf', 'oneOf', 'allOf'].some((key) => key in parameters);
    const schema = isOpen ? { ...parameters, type: 'object' } : parameters;
    try {
      return await shapeOf(JSON.stringify(closed(schema)), this.#shapes);
    } catch (error) {
      const { message } = error as Error;
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      error.message = `the tool ${name}: ${message}`;
      throw error;
    }
  }

  #held({ name }: Tool, shape: Shape): HeldTool {
    const objects: ObjectShape[] = [];
    for (const one of alternatives(shape)) {
      if (one.kind !== 'object') {
        throw new TypeError(`the tool ${name}: its parameters must be a schema of an object`);
      }
      objects.push(one);
    }
    for (const property of objects.flatMap(({ properties }) => properties)) {
      if (stringsOf(property.shape)) this.#strings.add(`${name} ${property.name}`);
    }
    return { name, objects, whole: this.#shapes.part(shape) };
  }

  answer(calls: Part | undefined, held: Part | undefined): Part {
    const { choice, thought, markers } = this.#form;
    const none = thought === 'none' ? [] : [markers.think.points];
    const free = () =>
      this.#free([...(calls || choice === 'none' ? [markers.begin.points] : []), ...none]);
    const answer: Part[][] = [];
    if (!calls) answer.push([held ?? free()]);
    else if (choice !== 'auto') answer.push([calls]);
    else if (held) answer.push([held], [calls]);
    else answer.push([free(), this.choice(() => [[], [calls]])]);
    const all = this.choice(() => answer);
    if (thought === 'none') return all;
    this.thought = this.#free([markers.thought.points]);
    const gap = this.text(GAP);
    const thinking = [this.thought, this.#language(markers.thought), gap, all];
    if (thought === 'open') return this.sequence(...thinking);
    const think = this.#language(markers.think);
    return this.choice(() => [[think, ...thinking], [all]]);
  }

  text(expression: Parameters<typeof automaton>[0]): Part {
    return this.#terminal(automaton(expression, this.#alphabet.plain));
  }

  value({ shape }: Property): Part {
    return this.#shapes.part(shape);
  }

  string({ shape }: Property, end: string): Part | undefined {
    const languages = stringsOf(shape);
    if (!languages) return undefined;
    const rest = without(
      [Array.from(end, (char) => char.codePointAt(0) as number)],
      this.#alphabet.plain,
    );
    const parts = languages.map((language) => this.#terminal(intersect(language, rest)));
    return this.choice(() => parts.map((part) => [part]));
  }

  sequence(...parts: Part[]): Part {
    return new Choice(() => [parts]);
  }

  choice(make: () => Part[][]): Part {
    return new Choice(make);
  }

  #language({ expression }: Marker): Part {
    return this.#terminal(automaton(expression, this.#everything));
  }

  #free(words: (readonly number[])[]): Terminal {
    return this.#terminal(without(words, this.#everything));
  }

  #terminal(language: Automaton): Terminal {
    const terminal = new Terminal(language);
    if (!terminal.start) this.isPossible = false;
    return terminal;
  }
}

const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false };

// What a shape may be, one or the other; schemas may refer to themselves.
function alternatives(shape: Shape, seen = new Set<Shape>()): Shape[] {
  if (!shape.possible || seen.has(shape)) return [];
  seen.add(shape);
  return shape.kind === 'choice' ? shape.shapes.flatMap((one) => alternatives(one, seen)) : [shape];
}

/** The languages of a shape that is always a string. */
function stringsOf(shape: Shape): Automaton[] | undefined {
  const languages: Automaton[] = [];
  for (const one of alternatives(shape)) {
    if (one.kind !== 'text' || !one.language) return undefined;
    languages.push(one.language);
  }
  return languages;
}
