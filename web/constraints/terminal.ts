// SPDX-License-Identifier: MIT
import type { Automaton, Edge } from './automaton.js';
import { countIn } from './code-points.js';

const UNKNOWN = -2;
/** Where no text of the language goes on. */
export const DEAD = -1;

// No byte, or several.
const NONE = -1;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// JSON.stringify's own: one form for each character that cannot stand for itself.
const SHORT = new Map(
  Array.from('"\\bfnrt', (char, i) => [char.charCodeAt(0), '"\\\b\f\n\r\t'.charCodeAt(i)]),
);
const CONTROLS = Array.from({ length: 0x20 }, (_, point) => point).filter(
  (point) => ![...SHORT.values()].includes(point),
);
const HEX = '0123456789abcdef';

// What of a character has been read: bytes of UTF-8, or of an escape.
type Pending =
  /** From `base` on, with `left` bytes to come; below `least` it would be an overlong form. */
  | { kind: 'utf8'; base: number; left: number; least: number }
  /** Whatever follows leads to `states`. */
  | { kind: 'any'; left: number }
  /** A backslash and this. */
  | { kind: 'escape'; read: string };

interface Read {
  /** Where in the automaton it may be, ascending. */
  states: number[];
  pending: Pending | undefined;
  /** Before the opening quote, or after the closing one. */
  outside: 'before' | 'after' | undefined;
}

/** How far a text of a terminal has come: what outlives the numbers. */
export interface State extends Read {
  /** No other state has it. */
  id: number;
  number: number;
  table: Table;
}

/** States that have been met, by number. */
class Table {
  readonly states: State[] = [];
  readonly rows: Int32Array[] = [];
  readonly whole: boolean[] = [];
  /** The only byte that may follow, as far as that was asked; NONE where there is no such byte. */
  readonly only: number[] = [];
  readonly numbers = new Map<string, number>();
}

// A kilobyte each. One token's walk over the vocabulary may go beyond it.
const MOST_STATES = 4096;

/**
 * A language over bytes, its states numbered as they are met: the UTF-8 of what an automaton accepts,
 * or, as JSON strings, that in quotes with escapes as `JSON.stringify` writes them.
 */
export class Terminal {
  static #count = 0;
  static #states = 0;
  readonly id = Terminal.#count++;
  /** Undefined where there is no such text. */
  readonly start: State | undefined;
  readonly #automaton: Automaton;
  readonly #quoted: boolean;
  #table = new Table();

  constructor(automaton: Automaton, { quoted = false } = {}) {
    this.#automaton = automaton;
    this.#quoted = quoted;
    const outside = quoted ? 'before' : undefined;
    if (automaton.start < 0) return;
    this.start = this.state(
      this.#number({ states: [automaton.start], pending: undefined, outside }),
    );
  }

  /** States that are known now. */
  get size(): number {
    return this.#table.states.length;
  }

  /** The state of a number: what to keep, as numbers last until {@link trim}. */
  state(number: number): State {
    return this.#table.states[number] as State;
  }

  /** The number of a state. */
  enter(state: State): number {
    if (state.table !== this.#table) {
      state.number = this.#number(state, state);
      state.table = this.#table;
    }
    return state.number;
  }

  /** Forgets what has been found out where that is much; not during a walk. */
  trim(): void {
    if (this.size > MOST_STATES) this.#table = new Table();
  }

  /** Where a byte leads. */
  next(state: number, byte: number): number {
    const row = this.#table.rows[state] as Int32Array;
    let to = row[byte] as number;
    if (to === UNKNOWN) {
      const found = this.#step(this.state(state), byte);
      to = found ? this.#number(found) : DEAD;
      row[byte] = to;
    }
    return to;
  }

  /** The byte that every text goes on with; undefined where there are several, or none. */
  only(state: State): number | undefined {
    const number = this.enter(state);
    const { only } = this.#table;
    only[number] ??= this.#findOnly(number);
    return only[number] === NONE ? undefined : only[number];
  }

  #findOnly(state: number): number {
    let found = NONE;
    for (let byte = 0; byte < 256; byte++) {
      if (this.next(state, byte) === DEAD) continue;
      if (found !== NONE) return NONE;
      found = byte;
    }
    return found;
  }

  /** Whether what has been read is a whole text of the language. */
  accepts(state: number): boolean {
    return this.#table.whole[state] as boolean;
  }

  /** Whether more may follow. */
  goesOn(state: number): boolean {
    const { states, pending, outside } = this.state(state);
    if (this.#quoted) return outside !== 'after';
    return pending !== undefined || states.some((one) => this.#edges(one).length > 0);
  }

  #isWhole({ states, pending, outside }: Read): boolean {
    if (this.#quoted) return outside === 'after';
    return !pending && states.some((one) => this.#automaton.accepting[one]);
  }

  #edges(state: number): Edge[] {
    return this.#automaton.edges[state] as Edge[];
  }

  #number(read: Read, known?: State): number {
    const { states, pending, outside } = read;
    const { states: all, rows, whole, numbers } = this.#table;
    const key = `${states.join()}${outside ?? ''}${pending ? Object.values(pending).join() : ''}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = all.length;
      const own = { number, table: this.#table };
      all.push(Object.assign(known ?? { ...read, id: Terminal.#states++ }, own));
      rows.push(new Int32Array(256).fill(UNKNOWN));
      whole.push(this.#isWhole(read));
      numbers.set(key, number);
    }
    return number;
  }

  #step(state: Read, byte: number): Read | undefined {
    const { states, pending, outside } = state;
    if (outside === 'after') return undefined;
    if (outside === 'before') {
      return byte === QUOTE ? { states, pending, outside: undefined } : undefined;
    }
    if (pending?.kind === 'escape')
      return this.#escape(states, pending.read + String.fromCharCode(byte));
    if (pending) return byte >> 6 === 2 ? this.#continued(states, pending, byte & 0x3f) : undefined;
    if (byte < 0x80) {
      if (this.#quoted && byte === QUOTE) {
        const whole = states.some((one) => this.#automaton.accepting[one]);
        return whole ? { states: [], pending: undefined, outside: 'after' } : undefined;
      }
      if (this.#quoted && byte === BACKSLASH) return this.#escape(states, '');
      return this.#quoted && byte < 0x20 ? undefined : this.#after(states, byte);
    }
    if (byte < 0xc2 || byte > 0xf7) return undefined;
    const left = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    const base = (byte & (0x3f >> left)) << (6 * left);
    return this.#partly(states, base, left, [0, 0x80, 0x800, 0x10000][left] as number);
  }

  // After a whole character.
  #after(states: number[], point: number): Read | undefined {
    const next = this.#targets(states, point, point);
    return next.length > 0 ? { states: next, pending: undefined, outside: undefined } : undefined;
  }

  // Where the characters first..last lead, some or all of them.
  #targets(states: number[], first: number, last: number): number[] {
    const found = new Set<number>();
    for (const state of states) {
      for (const { set, to } of this.#edges(state))
        if (countIn(set, first, last) > 0) found.add(to);
    }
    return [...found].sort((a, b) => a - b);
  }

  #partly(states: number[], base: number, left: number, least: number): Read | undefined {
    const first = Math.max(base, least);
    const last = base + 64 ** left - 1;
    if (first > last) return undefined;
    const targets = this.#targets(states, first, last);
    if (targets.length === 0) return undefined;
    // Most sets hold all of such a block or nothing: then which block it is does not matter, and the
    // states of a string's inside are a handful.
    const whole = first === base && this.#allOrNothing(states, first, last);
    return whole
      ? { states: targets, pending: { kind: 'any', left }, outside: undefined }
      : { states, pending: { kind: 'utf8', base, left, least }, outside: undefined };
  }

  #allOrNothing(states: number[], first: number, last: number): boolean {
    return states.every((state) =>
      this.#edges(state).every(({ set }) => {
        const count = countIn(set, first, last);
        return count === 0 || count === last - first + 1;
      }),
    );
  }

  #continued(states: number[], pending: Pending, bits: number): Read | undefined {
    if (pending.kind === 'escape') return undefined;
    const left = pending.left - 1;
    if (pending.kind === 'any') {
      return { states, pending: left > 0 ? { kind: 'any', left } : undefined, outside: undefined };
    }
    const base = pending.base + bits * 64 ** left;
    if (left > 0) return this.#partly(states, base, left, pending.least);
    return base >= pending.least ? this.#after(states, base) : undefined;
  }

  #escape(states: number[], read: string): Read | undefined {
    const short = read.length === 1 ? SHORT.get(read.charCodeAt(0)) : undefined;
    if (short !== undefined) return this.#after(states, short);
    if (read.length === 5) {
      const point = CONTROLS.find((control) => escaped(control) === read);
      return point === undefined ? undefined : this.#after(states, point);
    }
    const possible = [
      ...(read === '' ? SHORT.values() : []),
      ...CONTROLS.filter((point) => escaped(point).startsWith(read)),
    ];
    const some = possible.some((point) => this.#targets(states, point, point).length > 0);
    return some ? { states, pending: { kind: 'escape', read }, outside: undefined } : undefined;
  }
}

// What follows the backslash.
function escaped(point: number): string {
  return `u00${HEX[point >> 4]}${HEX[point & 15]}`;
}
