// SPDX-License-Identifier: MIT
import type { Automaton } from './automaton.js';
import type { Terminal } from './terminal.js';

/** What JSON texts a schema stands for. */
export type Shape = {
  possible: boolean;
} /** `language`: of strings, what stands between the quotes, before it is escaped. */ & (
  | { kind: 'text'; terminal: Terminal; language?: Automaton }
  | { kind: 'choice'; shapes: Shape[] }
  | ArrayShape
  | ObjectShape
);

export interface ArrayShape {
  kind: 'array';
  first: Shape[];
  others: Shape | undefined;
  min: number;
  max: number;
  /** Which items may follow which, in place of all above. */
  states: ItemStates | undefined;
}

/** Where in an array of items that depend on each other one is. */
export interface ItemState {
  /** Whether the array may end. */
  ends: boolean;
  next: { shape: Shape; to: string }[];
}

/** The states of such an array, made when asked for. No two lead to each other. */
export interface ItemStates {
  start: string;
  at(state: string): ItemState;
}

export interface ObjectShape {
  kind: 'object';
  properties: Property[];
  /** Properties beside those with a name of their own, by their names. */
  others: Others[];
  min: number;
  max: number;
  /** One of these there must be, behind all others. */
  last: Others[] | undefined;
}

export interface Property {
  name: string;
  required: boolean;
  shape: Shape;
}

export interface Others {
  key: Terminal;
  /** The names, before they are escaped. */
  names: Automaton;
  shape: Shape;
}

/** What makes parts of texts. */
export interface PartMaker<Part> {
  /** This text, with one space behind it if `space`. */
  mark(text: string, space?: boolean): Part;
  part(shape: Shape): Part;
  choice(make: () => Part[][]): Part;
}
