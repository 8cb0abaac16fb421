// SPDX-License-Identifier: MIT
import { type Automaton, type Edge, tooLarge, trimmed } from './automaton.js';
import { ANY, type CodePoints, codePoints, complement, intersection } from './code-points.js';
import { intersect } from './intersect.js';

// Sets of states, and steps to find them: some tenths of a second. A pattern that remembers which of
// its last n characters were an a has 2^n.
const MOST_SETS = 20_000;
const MOST_STEPS = 2_000_000;

type Ranges = [number, number][];

/**
 * An automaton of the same language in which each character leads to one state at the most.
 *
 * @throws RangeError when it would be too large
 */
export function deterministic(language: Automaton): Automaton {
  if (language.start < 0) return language;
  const numbers = new Map<string, number>();
  const kept: number[][] = [];
  let steps = 0;
  const numberOf = (states: number[]) => {
    const key = states.join();
    let number = numbers.get(key);
    if (number === undefined) {
      number = kept.push(states) - 1;
      if (number >= MOST_SETS) throw tooLarge();
      numbers.set(key, number);
    }
    return number;
  };
  numberOf([language.start]);
  const edges: Edge[][] = [];
  const accepting: boolean[] = [];
  for (let i = 0; i < kept.length; i++) {
    const states = kept[i] as number[];
    accepting.push(states.some((state) => language.accepting[state]));
    const leading = new Map<number, Ranges>();
    const from = states.flatMap((state) => language.edges[state] as Edge[]);
    for (const [first, last, targets] of intervals(from)) {
      steps += targets.length + 1;
      if (steps > MOST_STEPS) throw tooLarge();
      const to = numberOf(targets);
      const ranges = leading.get(to);
      if (ranges) ranges.push([first, last]);
      else leading.set(to, [[first, last]]);
    }
    edges.push([...leading].map(([to, ranges]) => ({ set: codePoints(ranges), to })));
  }
  return { edges, accepting, start: 0 };
}

// The ranges within which all characters lead to the same states, ascending.
function* intervals(edges: Edge[]): Generator<[first: number, last: number, targets: number[]]> {
  const changes = new Map<number, [to: number, by: number][]>();
  const change = (point: number, to: number, by: number) => {
    const own = changes.get(point);
    if (own) own.push([to, by]);
    else changes.set(point, [[to, by]]);
  };
  for (const { set, to } of edges) {
    for (let i = 0; i < set.length; i += 2) {
      change(set[i] as number, to, 1);
      change((set[i + 1] as number) + 1, to, -1);
    }
  }
  const points = [...changes.keys()].sort((a, b) => a - b);
  const active = new Map<number, number>();
  for (const [i, point] of points.entries()) {
    for (const [to, by] of changes.get(point) as [number, number][]) {
      const count = (active.get(to) ?? 0) + by;
      if (count > 0) active.set(to, count);
      else active.delete(to);
    }
    if (active.size === 0) continue;
    const targets = [...active.keys()].sort((a, b) => a - b);
    yield [point, (points[i + 1] as number) - 1, targets];
  }
}

/**
 * Every text that the automaton does not accept.
 *
 * @throws RangeError when it would be too large
 */
export function inverse(language: Automaton, allowed: CodePoints = ANY): Automaton {
  const everything: Automaton = {
    edges: [[{ set: allowed, to: 0 }]],
    accepting: [true],
    start: 0,
  };
  if (language.start < 0) return everything;
  const { edges, accepting, start } = deterministic(language);
  const rest = edges.length;
  const all = edges.map((own) => {
    const known = codePoints(own.flatMap(({ set }) => rangesOf(set)));
    // No control tokens, which are not text.
    const others = intersection(complement(known), ANY);
    return others.length > 0 ? [...own, { set: others, to: rest }] : own;
  });
  all.push([{ set: ANY, to: rest }]);
  const inverted = trimmed({
    edges: all,
    accepting: [...accepting.map((accepts) => !accepts), true],
    start,
  });
  return allowed === ANY ? inverted : intersect(inverted, everything);
}

function rangesOf(set: CodePoints): Ranges {
  return Array.from({ length: set.length / 2 }, (_, i) => [
    set[2 * i] as number,
    set[2 * i + 1] as number,
  ]);
}
