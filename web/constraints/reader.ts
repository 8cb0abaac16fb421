// SPDX-License-Identifier: MIT
import type { Automaton } from './automaton.js';
import type { Node, Nodes } from './nodes.js';
import type { Patterns } from './patterns.js';
import type { Shape, Shapes } from './shapes.js';
import type { Terms } from './terms.js';

/** What reads the schemas within a schema. */
export interface Reader {
  readonly shapes: Shapes;
  readonly nodes: Nodes;
  readonly terms: Terms;
  readonly patterns: Patterns;
  /** The shape of what schemas allow together. */
  shape(schemas: readonly Node[]): Shape;
  /** The strings that schemas allow together. */
  language(schemas: readonly Node[]): Automaton;
}
