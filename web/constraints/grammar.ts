// SPDX-License-Identifier: MIT
import { DEAD, type State, type Terminal } from './terminal.js';
import type { Frame, TokenTrie } from './trie.js';

/** One part of a text: bytes of a terminal, or one of several sequences of parts. */
export type Part = Terminal | Choice;

/** Alternatives, made when first needed: schemas may refer to themselves. */
export class Choice {
  static #count = 0;
  // Apart from the terminals' own numbers.
  readonly id = -1 - Choice.#count++;
  readonly #make: () => Part[][];
  #made: Part[][] | undefined;

  constructor(make: () => Part[][]) {
    this.#make = make;
  }

  get alternatives(): Part[][] {
    this.#made ??= this.#make();
    return this.#made;
  }
}

/** What is to follow, part by part; null is the end of the text. */
type Rest = Link | null;
interface Link {
  id: number;
  part: Part;
  rest: Rest;
  first: First | undefined;
}

/** A terminal under way and what follows it. */
interface Place {
  terminal: Terminal;
  state: State;
  rest: Rest;
}

/** Where a text may go on, and whether it may end. */
export interface First {
  places: Place[];
  complete: boolean;
}

interface Mask {
  bits: Int32Array;
  /** What all texts go on with, and the tokens that are beginnings of it. */
  decided: Uint8Array;
  beginnings: readonly number[];
}

// Masks of a large vocabulary are 31 kB; frames seldom reach that.
const MOST_FRAMES = 256;
const MOST_MASKS = 64;

// Of what is decided no more is looked at: names are shorter.
const MOST_DECIDED = 64;

// Ways in which what has been written may go on: texts that people write have a handful. Where each
// bracket may be one of several kinds, there are twice as many with each that is open.
const MOST_PLACES = 5000;

function tooAmbiguous(): RangeError {
  return new RangeError('constraint is too ambiguous: its text may go on in too many ways');
}

// The one that was asked for longest ago makes room.
function remember<V>(map: Map<string, V>, most: number, key: string, make: () => V): V {
  const value = map.get(key) ?? make();
  map.delete(key);
  if (map.size >= most) map.delete(map.keys().next().value as string);
  map.set(key, value);
  return value;
}

/** A language over bytes: a tree of parts over terminals, read with a stack. */
export class Grammar {
  readonly start: First;
  readonly #trie: TokenTrie;
  readonly #links = new Map<string, Link>();
  readonly #frames = new Map<string, Frame>();
  readonly #masks = new Map<string, Mask>();
  readonly #usual = new Map<string, Int32Array>();

  constructor(part: Part, trie: TokenTrie) {
    this.#trie = trie;
    this.start = this.#first(this.#link(part, null));
  }

  #link(part: Part, rest: Rest): Link {
    const key = `${part.id},${rest?.id ?? ''}`;
    let link = this.#links.get(key);
    if (!link) {
      link = { id: this.#links.size, part, rest, first: undefined };
      this.#links.set(key, link);
    }
    return link;
  }

  #first(rest: Rest): First {
    if (rest?.first) return rest.first;
    const found: First = { places: [], complete: false };
    this.#collect(rest, found, new Set());
    if (rest) rest.first = found;
    return found;
  }

  // A schema that refers to itself before anything is written comes by here again: nothing new.
  #collect(rest: Rest, into: First, seen: Set<Link>): void {
    if (rest === null) {
      into.complete = true;
      return;
    }
    if (seen.has(rest)) return;
    seen.add(rest);
    if (seen.size > 4 * MOST_PLACES) throw tooAmbiguous();
    const { part } = rest;
    if ('alternatives' in part) {
      for (const alternative of part.alternatives) {
        const link = alternative.reduceRight<Rest>((tail, one) => this.#link(one, tail), rest.rest);
        this.#collect(link, into, seen);
      }
      return;
    }
    const state = part.start;
    if (!state) return;
    const number = part.enter(state);
    if (part.goesOn(number)) into.places.push({ terminal: part, state, rest: rest.rest });
    if (part.accepts(number)) this.#collect(rest.rest, into, seen);
  }

  /** Where a text may go on after more bytes of it. */
  read(from: First, bytes: Uint8Array): First {
    let at = from;
    for (const { terminal } of at.places) terminal.trim();
    for (const byte of bytes) {
      const places = new Map<string, Place>();
      const next: First = { places: [], complete: false };
      const add = (place: Place) => places.set(keyOf(place), place);
      for (const { terminal, state, rest } of at.places) {
        const to = terminal.next(terminal.enter(state), byte);
        if (to === DEAD) continue;
        if (terminal.goesOn(to)) add({ terminal, state: terminal.state(to), rest });
        if (!terminal.accepts(to)) continue;
        const first = this.#first(rest);
        for (const place of first.places) add(place);
        next.complete ||= first.complete;
      }
      if (places.size > MOST_PLACES) throw tooAmbiguous();
      next.places = [...places.values()];
      at = next;
    }
    return at;
  }

  /** As if a terminal, wherever one is under way and may end, had come to its end. */
  left(at: First, terminal: Terminal): First {
    const within = at.places.filter(
      (place) => place.terminal === terminal && terminal.accepts(terminal.enter(place.state)),
    );
    if (within.length === 0) return at;
    const places = new Map<string, Place>();
    let complete = false;
    for (const { rest } of within) {
      const first = this.#first(rest);
      for (const place of first.places) places.set(keyOf(place), place);
      complete ||= first.complete;
    }
    return { places: [...places.values()], complete };
  }

  /**
   * A bit for each token that may follow, but for those that write what is decided in an unusual way: a model knows a
   * text by the tokens it usually falls into. One of 51 M parameters, held to JSON, took `"` and `:` where it had only
   * ever read `":`, and then a colon for the value.
   *
   * @param before the token that was read last
   * @returns the same array for the same places
   */
  mask(at: First, before?: number): Int32Array {
    const places = at.places.map(keyOf).join();
    const { bits, beginnings, decided } = remember(this.#masks, MOST_MASKS, places, () => {
      const bits = new Int32Array(this.#trie.words);
      for (const place of at.places) this.#add(place, bits);
      const decided = this.#decided(at);
      return { bits, decided, beginnings: this.#trie.beginnings(decided) };
    });
    if (beginnings.length < 2) return bits;
    return remember(this.#usual, MOST_MASKS, `${places} ${before ?? ''}`, () => {
      const usual = this.#trie.usual(decided, beginnings, before);
      const left = bits.slice();
      for (const id of beginnings) {
        if (id !== usual) left[id >> 5] = (left[id >> 5] as number) & ~(1 << (id & 31));
      }
      return left;
    });
  }

  // The bytes that all texts go on with.
  #decided(at: First): Uint8Array {
    const bytes: number[] = [];
    for (let next = at; bytes.length < MOST_DECIDED; ) {
      if (next.complete && next !== at) break;
      const [byte, ...others] = new Set(next.places.map((one) => one.terminal.only(one.state)));
      if (byte === undefined || others.length > 0) break;
      bytes.push(byte);
      next = this.read(next, Uint8Array.of(byte));
    }
    return Uint8Array.from(bytes);
  }

  // What stays within the terminal is the same whatever follows it; only tokens that go on beyond its
  // end are walked again.
  #add({ terminal, state, rest }: Place, bits: Int32Array): void {
    const frame = remember(this.#frames, MOST_FRAMES, `${terminal.id},${state.id}`, () =>
      this.#trie.frame(terminal, state),
    );
    const { bits: whole, ids, exits } = frame;
    if (whole)
      for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) | (whole[i] as number);
    const set = (id: number) => {
      bits[id >> 5] = (bits[id >> 5] as number) | (1 << (id & 31));
    };
    for (const id of ids) set(id);
    const leave = (node: number, next: Rest) => {
      const [from, to] = this.#trie.below(node);
      for (const place of this.#first(next).places) {
        const exit = (inner: number) => leave(inner, place.rest);
        this.#trie.walk(place.terminal, place.state, from, to, set, exit);
      }
    };
    if (rest) for (const node of exits) leave(node, rest);
  }
}

function keyOf({ terminal, state, rest }: Place): string {
  return `${terminal.id}:${state.id}:${rest?.id ?? ''}`;
}
