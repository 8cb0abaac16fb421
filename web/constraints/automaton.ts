// SPDX-License-Identifier: MIT
import { ANY, type CodePoints, complement, countIn, intersection } from './code-points.js';

/** A regular language over code points, as a tree. */
export type Expression =
  | { kind: 'chars'; set: CodePoints }
  | { kind: 'sequence' | 'choice'; parts: Expression[] }
  | { kind: 'repeat'; part: Expression; min: number; max: number }
  /** What an automaton accepts. */
  | { kind: 'automaton'; automaton: Automaton }
  /** Hold where nothing of the text has been read, and where nothing follows. */
  | { kind: 'start' | 'end' };

export interface Edge {
  set: CodePoints;
  to: number;
}

/** A nondeterministic automaton without empty steps; an accepted text can follow from each state. */
export interface Automaton {
  edges: Edge[][];
  accepting: boolean[];
  /** -1: nothing is accepted. */
  start: number;
}

export const chars = (set: CodePoints): Expression => ({ kind: 'chars', set });
export const sequence = (...parts: Expression[]): Expression => ({ kind: 'sequence', parts });
export const choice = (...parts: Expression[]): Expression => ({ kind: 'choice', parts });
export const repeat = (part: Expression, min: number, max: number): Expression => ({
  kind: 'repeat',
  part,
  min,
  max,
});
export const optional = (part: Expression): Expression => repeat(part, 0, 1);

// Far above what schemas and patterns need, and reached in well under a second.
export const MOST_STATES = 200_000;

export function tooLarge(): RangeError {
  return new RangeError('constraint is too large: its counts or alternatives make too many states');
}

/** These characters and no others. */
export function literal(text: string): Expression {
  if (text.length > MOST_STATES) throw tooLarge();
  const points = Array.from(text, (char) => char.codePointAt(0) as number);
  return { kind: 'sequence', parts: points.map((point) => chars(Int32Array.of(point, point))) };
}

// Thompson's construction, then the empty steps are left out.
class Builder {
  edges: Edge[][] = [];
  empty: number[][] = [];
  atStart: number[][] = [];
  atEnd: number[][] = [];

  state(): number {
    if (this.edges.length >= MOST_STATES) throw tooLarge();
    this.empty.push([]);
    this.atStart.push([]);
    this.atEnd.push([]);
    return this.edges.push([]) - 1;
  }

  /** Adds what leads by `expression` from a state on; returns where it leads. */
  add(expression: Expression, from: number): number {
    switch (expression.kind) {
      case 'chars': {
        const to = this.state();
        if (expression.set.length > 0) this.edges[from]?.push({ set: expression.set, to });
        return to;
      }
      case 'sequence':
        return expression.parts.reduce((at, part) => this.add(part, at), from);
      case 'choice': {
        const to = this.state();
        for (const part of expression.parts) this.empty[this.add(part, from)]?.push(to);
        return to;
      }
      case 'repeat':
        return this.#repeat(expression.part, expression.min, expression.max, from);
      case 'automaton':
        return this.#copy(expression.automaton, from);
      default: {
        const to = this.state();
        (expression.kind === 'start' ? this.atStart : this.atEnd)[from]?.push(to);
        return to;
      }
    }
  }

  #repeat(part: Expression, min: number, max: number, from: number): number {
    let at = from;
    for (let i = 0; i < min; i++) at = this.add(part, at);
    const to = this.state();
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.state();
      this.empty[at]?.push(loop);
      // By a state of its own: an end that is also the beginning would let what precedes loop too.
      this.empty[this.add(part, loop)]?.push(loop);
      this.empty[loop]?.push(to);
      return to;
    }
    for (let i = min; i < max; i++) {
      this.empty[at]?.push(to);
      const next = this.state();
      this.empty[at]?.push(next);
      at = this.add(part, next);
    }
    this.empty[at]?.push(to);
    return to;
  }

  #copy({ edges, accepting, start }: Automaton, from: number): number {
    const states = edges.map(() => this.state());
    const end = this.state();
    if (start >= 0) this.empty[from]?.push(states[start] as number);
    for (const [i, own] of edges.entries()) {
      const state = states[i] as number;
      for (const { set, to } of own) this.edges[state]?.push({ set, to: states[to] as number });
      if (accepting[i]) this.empty[state]?.push(end);
    }
    return end;
  }

  reach(from: number, ...kinds: number[][][]): number[] {
    const found = new Set([from]);
    for (const state of found) {
      for (const kind of kinds) for (const next of kind[state] as number[]) found.add(next);
    }
    return [...found];
  }
}

/**
 * The automaton of an expression.
 *
 * @param allowed the characters that can be written at all
 * @throws RangeError when it would be too large
 */
export function automaton(expression: Expression, allowed: CodePoints = ANY): Automaton {
  const builder = new Builder();
  const start = builder.state();
  const end = builder.add(expression, start);
  const { empty, atStart, atEnd } = builder;
  // Only what an edge leads to is kept; all else is between.
  const numbers = new Map<number, number>();
  const kept: number[] = [];
  const numberOf = (state: number) => {
    let number = numbers.get(state);
    if (number === undefined) {
      number = kept.push(state);
      numbers.set(state, number);
    }
    return number;
  };
  const edges: Edge[][] = [];
  const accepting: boolean[] = [];
  const sets = new Map<CodePoints, CodePoints>();
  let total = 0;
  const close = (inside: number[], outside: number[]) => {
    const own: Edge[] = [];
    for (const state of inside) {
      for (const { set, to } of builder.edges[state] as Edge[]) {
        let narrowed = sets.get(set);
        if (!narrowed) {
          narrowed = intersection(set, allowed);
          sets.set(set, narrowed);
        }
        if (narrowed.length > 0) own.push({ set: narrowed, to: numberOf(to) });
      }
    }
    total += own.length;
    if (total > 5 * MOST_STATES) throw tooLarge();
    edges.push(own);
    accepting.push(outside.includes(end));
  };
  close(builder.reach(start, empty, atStart), builder.reach(start, empty, atStart, atEnd));
  for (let i = 0; i < kept.length; i++) {
    const state = kept[i] as number;
    close(builder.reach(state, empty), builder.reach(state, empty, atEnd));
  }
  return trimmed({ edges, accepting, start: 0 });
}

/** Without the states from which no end can be reached. */
export function trimmed({ edges, accepting, start }: Automaton): Automaton {
  const before: number[][] = edges.map(() => []);
  for (const [from, own] of edges.entries()) for (const { to } of own) before[to]?.push(from);
  const live = new Set<number>();
  for (const [state, accepts] of accepting.entries()) if (accepts) live.add(state);
  for (const state of live) for (const from of before[state] as number[]) live.add(from);
  return {
    edges: edges.map((own) => own.filter(({ to }) => live.has(to))),
    accepting,
    start: live.has(start) ? start : -1,
  };
}

/** Of the texts it accepts, those of `min` to `max` code points. */
export function ofLength(language: Automaton, min: number, max: number): Automaton {
  if (min === 0 && max === Number.POSITIVE_INFINITY) return language;
  if (language.start < 0) return language;
  // Beyond the largest count that matters, counts are one.
  const last = max === Number.POSITIVE_INFINITY ? min : max;
  const numbers = new Map<number, number>();
  const kept: [state: number, count: number][] = [];
  const numberOf = (state: number, count: number) => {
    const key = state * (last + 1) + count;
    let number = numbers.get(key);
    if (number === undefined) {
      number = kept.push([state, count]) - 1;
      if (number >= MOST_STATES) throw tooLarge();
      numbers.set(key, number);
    }
    return number;
  };
  numberOf(language.start, 0);
  const edges: Edge[][] = [];
  const accepting: boolean[] = [];
  for (let i = 0; i < kept.length; i++) {
    const [state, count] = kept[i] as [number, number];
    accepting.push(Boolean(language.accepting[state]) && count >= min);
    const next = count < last ? count + 1 : max === Number.POSITIVE_INFINITY ? count : -1;
    edges.push(
      next < 0
        ? []
        : (language.edges[state] as Edge[]).map(({ set, to }) => ({ set, to: numberOf(to, next) })),
    );
  }
  return trimmed({ edges, accepting, start: 0 });
}

/** Every text but these. */
export function allBut(words: readonly string[], allowed: CodePoints = ANY): Automaton {
  const edges: Edge[][] = [[{ set: allowed, to: 0 }]];
  const accepting = [true];
  const add = (rests: number[][]): number => {
    const state = edges.push([]) - 1;
    accepting.push(rests.every((rest) => rest.length > 0));
    const nexts = new Map<number, number[][]>();
    for (const [point, ...rest] of rests) {
      if (point === undefined) continue;
      const group = nexts.get(point);
      if (group) group.push(rest);
      else nexts.set(point, [rest]);
    }
    const own = edges[state] as Edge[];
    let others = allowed;
    for (const [point, group] of nexts) {
      const one = Int32Array.of(point, point);
      others = intersection(others, complement(one));
      if (countIn(allowed, point, point) > 0) own.push({ set: one, to: add(group) });
    }
    if (others.length > 0) own.push({ set: others, to: 0 });
    return state;
  };
  const start = add(words.map((word) => Array.from(word, (char) => char.codePointAt(0) as number)));
  return trimmed({ edges, accepting, start });
}
