// SPDX-License-Identifier: MIT
import { type Automaton, type Edge, MOST_STATES, tooLarge, trimmed } from './automaton.js';
import { type CodePoints, intersection } from './code-points.js';

/** Intersections of the sets of two automata, each made once: they share few sets among many edges. */
function intersections(): (a: CodePoints, b: CodePoints) => CodePoints {
  const known = new Map<CodePoints, Map<CodePoints, CodePoints>>();
  return (a, b) => {
    let own = known.get(a);
    if (!own) {
      own = new Map();
      known.set(a, own);
    }
    let both = own.get(b);
    if (!both) {
      both = intersection(a, b);
      own.set(b, both);
    }
    return both;
  };
}

/**
 * What both automata accept: their product.
 *
 * @throws RangeError when it would be too large
 */
export function intersect(a: Automaton, b: Automaton): Automaton {
  if (a.start < 0) return a;
  if (b.start < 0) return b;
  const meet = intersections();
  const numbers = new Map<number, number>();
  const kept: [number, number][] = [];
  const numberOf = (one: number, other: number) => {
    const key = one * b.edges.length + other;
    let number = numbers.get(key);
    if (number === undefined) {
      number = kept.push([one, other]) - 1;
      if (number >= MOST_STATES) throw tooLarge();
      numbers.set(key, number);
    }
    return number;
  };
  numberOf(a.start, b.start);
  const edges: Edge[][] = [];
  const accepting: boolean[] = [];
  let total = 0;
  for (let i = 0; i < kept.length; i++) {
    const [one, other] = kept[i] as [number, number];
    const own: Edge[] = [];
    for (const left of a.edges[one] as Edge[]) {
      for (const right of b.edges[other] as Edge[]) {
        const set = meet(left.set, right.set);
        if (set.length > 0) own.push({ set, to: numberOf(left.to, right.to) });
      }
    }
    total += own.length;
    if (total > 5 * MOST_STATES) throw tooLarge();
    edges.push(own);
    accepting.push(Boolean(a.accepting[one] && b.accepting[other]));
  }
  return trimmed({ edges, accepting, start: 0 });
}
