// SPDX-License-Identifier: MIT
// Small languages and questions about them.
import {
  type Automaton,
  automaton,
  chars,
  choice,
  type Expression,
  repeat,
  sequence,
} from './automaton.js';
import { ANY, type CodePoints, countIn } from './code-points.js';
import { inverse } from './determinise.js';
import { intersect } from './intersect.js';

/** Every text of these characters. */
export function anything(allowed: CodePoints = ANY): Automaton {
  return { edges: [[{ set: allowed, to: 0 }]], accepting: [true], start: 0 };
}

export const NOTHING: Automaton = { edges: [[]], accepting: [false], start: -1 };

/** What any of the automata accepts. */
export function union(automata: Automaton[]): Automaton {
  if (automata.length === 1) return automata[0] as Automaton;
  const parts = automata.map((one): Expression => ({ kind: 'automaton', automaton: one }));
  return automaton(choice(...parts));
}

/** Whether the automaton accepts a text. */
export function accepts(language: Automaton, text: string): boolean {
  if (language.start < 0) return false;
  let states = new Set([language.start]);
  for (const char of text) {
    const point = char.codePointAt(0) as number;
    const next = new Set<number>();
    for (const state of states) {
      for (const { set, to } of language.edges[state] ?? []) {
        if (countIn(set, point, point) > 0) next.add(to);
      }
    }
    states = next;
  }
  return [...states].some((state) => language.accepting[state]);
}

/** Every text, as an expression. */
export const ANYTHING: Expression = repeat(chars(ANY), 0, Number.POSITIVE_INFINITY);

/** The texts of an expression that begin, or do not begin, as another says. */
export function beginning(part: Expression, as: Expression, holds: boolean): Expression {
  const asked = automaton(sequence(as, ANYTHING));
  const both = intersect(automaton(part), holds ? asked : inverse(asked));
  return { kind: 'automaton', automaton: both };
}
