// SPDX-License-Identifier: MIT
import { automaton, sequence } from './automaton.js';
import { choiceTerminal } from './choice.js';
import { codePoints } from './code-points.js';
import type { ConstraintSettings } from './constraint.js';
import type { Part } from './grammar.js';
import { beginning } from './languages.js';
import { type Alphabet, type Shape, Shapes } from './shapes.js';
import { Terminal } from './terminal.js';

/**
 * The texts of a constraint as a part of a grammar; undefined when there is no such text.
 *
 * @throws TypeError for what is not supported, RangeError where the constraint is too large
 */
export async function partOf(
  settings: ConstraintSettings,
  alphabet: Alphabet,
): Promise<Part | undefined> {
  if (settings.type === 'regex') {
    const { regexExpression } = await import('./regex.js');
    const { source, flags } = settings;
    const terminal = new Terminal(
      automaton(
        regexExpression(source, flags, codePoints, { rest: sequence(), beginning }),
        alphabet.plain,
      ),
    );
    return terminal.start && terminal;
  }
  if (settings.type === 'grammar') {
    const { grammarPart } = await import('./grammar-rules.js');
    return grammarPart(settings.grammar, alphabet.plain);
  }
  if (settings.type === 'choice') return choiceTerminal(settings.options, alphabet.plain);
  const shapes = new Shapes(alphabet);
  const shape = await shapeOf(settings.schema, shapes);
  shapes.settle();
  return shape.possible ? shapes.part(shape) : undefined;
}

/**
 * The shape of a schema, which may come to be possible once `shapes` settle.
 *
 * @param schema its JSON
 * @throws as {@link partOf}
 */
export async function shapeOf(schema: string, shapes: Shapes): Promise<Shape> {
  // By the text: a property of that name costs a download, no more.
  const [hasPattern, hasFormat] = [
    /"pattern(Properties)?":/.test(schema),
    /"format":/.test(schema),
  ];
  const regex = hasPattern || hasFormat ? await import('./regex.js') : undefined;
  const formats = hasFormat ? (await import('./formats.js')).FORMATS : undefined;
  const { SchemaReader } = await import('./schema.js');
  const root: unknown = JSON.parse(schema);
  return new SchemaReader(root, shapes, { ...regex, ...(formats && { formats }) }).read();
}
