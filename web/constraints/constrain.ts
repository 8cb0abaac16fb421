// SPDX-License-Identifier: MIT
// Fetched only where a text is constrained. It imports nothing that pages download anyway, which
// would cut that into more chunks.

import type { Tokenizer } from '../text/tokenizer.js';
import { ANY, type CodePoints, codePoints } from './code-points.js';
import { partOf } from './compile.js';
import type { ConstraintSettings } from './constraint.js';
import { type First, Grammar, type Part } from './grammar.js';
import { withoutSpace } from './json-space.js';
import type { Alphabet } from './shapes.js';
import type { Terminal } from './terminal.js';
import { bytesOf, TokenTrie } from './trie.js';

/** A stretch of a text that is left after so many tokens: a thought. */
export interface Stretch {
  terminal: Terminal;
  tokens: number;
}

// What is there of a text is read in one go, 64 ki letters in some 0.1 s.
const MOST_BEGUN = 65_536;

/** One text that is being held to a constraint. */
export class ConstrainedText {
  readonly #grammar: Grammar;
  readonly #tokenizer: Tokenizer;
  readonly #ends: number[];
  readonly #stretch: Stretch | undefined;
  #at: First;
  #mask: Int32Array | undefined;
  #before: number | undefined;
  #tokens = 0;

  /** @param ends tokens that may end the text where it is complete */
  constructor(grammar: Grammar, tokenizer: Tokenizer, ends: Iterable<number>, stretch?: Stretch) {
    this.#grammar = grammar;
    this.#tokenizer = tokenizer;
    this.#ends = [...ends];
    this.#stretch = stretch;
    this.#at = grammar.start;
    this.#leave();
  }

  /** The same text, to go on with in another way. */
  fork(): ConstrainedText {
    const fork = new ConstrainedText(this.#grammar, this.#tokenizer, this.#ends, this.#stretch);
    fork.#at = this.#at;
    fork.#before = this.#before;
    fork.#tokens = this.#tokens;
    return fork;
  }

  /** Whether the text may end here. */
  get complete(): boolean {
    return this.#at.complete;
  }

  /** Whether nothing may follow. */
  get over(): boolean {
    return this.#at.places.length === 0;
  }

  /** Writes a bit for each token that may follow, unless they are still those of the last call. */
  write(to: Int32Array): void {
    const mask = this.#grammar.mask(this.#at, this.#before);
    if (mask !== this.#mask) to.set(mask);
    this.#mask = mask;
    this.#writeEnds(to);
  }

  /** A bit for each token that may follow, 32 to a word, lowest first, in an array of its own. */
  allowed(): Int32Array {
    const mask = this.#grammar.mask(this.#at, this.#before).slice();
    this.#writeEnds(mask);
    return mask;
  }

  #writeEnds(to: Int32Array): void {
    for (const id of this.#ends) {
      const [word, bit] = [id >> 5, 1 << (id & 31)];
      to[word] = this.#at.complete ? (to[word] as number) | bit : (to[word] as number) & ~bit;
    }
  }

  /** Takes the token that was drawn. */
  read(token: number): void {
    this.#at = this.#grammar.read(this.#at, bytesOf(this.#tokenizer, token));
    this.#before = token;
    this.#tokens++;
    this.#leave();
  }

  // Once the stretch has had its tokens, and no character is half written, what follows it begins.
  #leave(): void {
    if (!this.#stretch || this.#tokens < this.#stretch.tokens) return;
    this.#at = this.#grammar.left(this.#at, this.#stretch.terminal);
  }

  /**
   * Takes what is there of the text; JSON may have white space in it that is never written.
   *
   * @throws RangeError where no text begins so, or it is too long
   */
  begin(begun: string, { type }: ConstraintSettings): void {
    if (begun === '') return;
    if (begun.length > MOST_BEGUN) {
      throw new RangeError(
        `constraint: ${begun.length} letters are there; ${MOST_BEGUN} is the most`,
      );
    }
    const text = type === 'json_schema' ? withoutSpace(begun) : begun;
    this.#at = this.#grammar.read(this.#at, new TextEncoder().encode(text));
    if (this.complete || !this.over) return;
    const shown = begun.length > 40 ? `${begun.slice(0, 40)}...` : begun;
    throw new RangeError(`constraint allows no text that begins with ${JSON.stringify(shown)}`);
  }
}

interface Known {
  trie: TokenTrie;
  alphabet: Alphabet;
  grammars: Map<string, Held>;
}

// A vocabulary's tree takes longest to make; the grammars keep what they have found out.
const known = new WeakMap<Tokenizer, Known>();
const MOST_GRAMMARS = 4;

/** What texts are held to: its grammar's part, and what else whoever made it knows of it. */
export interface Compiled {
  part: Part;
}

type Held<T extends Compiled = Compiled> = { grammar: Grammar; compiled: T };

/**
 * Gets ready to hold a text to a constraint.
 *
 * @param ends tokens that may end the text
 * @param begun what is there of the text
 * @returns undefined when the tokens can write no such text
 * @throws TypeError for what is not supported, RangeError where no text at all, or none that begins
 * so, is allowed or the constraint is too large
 */
export async function constrain(
  tokenizer: Tokenizer,
  settings: ConstraintSettings,
  ends: Iterable<number>,
  begun = '',
): Promise<ConstrainedText | undefined> {
  const compiled = async (alphabet: Alphabet) => {
    const part = await partOf(settings, alphabet);
    return part && { part };
  };
  const held = await hold(tokenizer, JSON.stringify(settings), compiled);
  if (!held) return undefined;
  const text = new ConstrainedText(held.grammar, tokenizer, ends);
  text.begin(begun, settings);
  return text;
}

/**
 * The grammar that texts are held to, made anew or known by its key.
 *
 * @param compile undefined when the characters of the alphabet can write no such text
 * @returns undefined when the tokens can write no such text
 * @throws what `compile` does; RangeError where no text at all is allowed
 */
export async function hold<T extends Compiled>(
  tokenizer: Tokenizer,
  key: string,
  compile: (alphabet: Alphabet) => Promise<T | undefined>,
): Promise<Held<T> | undefined> {
  let own = known.get(tokenizer);
  if (!own) {
    const trie = new TokenTrie(tokenizer);
    own = { trie, alphabet: alphabetOf(trie), grammars: new Map() };
    known.set(tokenizer, own);
  }
  let held = own.grammars.get(key) as Held<T> | undefined;
  if (!held) {
    const compiled = await compile(own.alphabet);
    if (!compiled) {
      if (await compile({ ...own.alphabet, plain: ANY, quoted: ANY })) return undefined;
      throw new RangeError('constraint allows no text at all');
    }
    held = { grammar: new Grammar(compiled.part, own.trie), compiled };
    if (own.grammars.size >= MOST_GRAMMARS) {
      own.grammars.delete(own.grammars.keys().next().value as string);
    }
    own.grammars.set(key, held);
  }
  return held;
}

// Restricted to bytes that are tokens by themselves, every text that has begun can go on.
function alphabetOf({ bytes, controls }: TokenTrie): Alphabet {
  const has = (first: number, last: number) => {
    for (let byte = first; byte <= last; byte++) if (!bytes.has(byte)) return false;
    return true;
  };
  const beyond = has(0x80, 0xbf) && has(0xc2, 0xf4);
  const ranges: [number, number][] = beyond ? [[0x80, 0x10ffff]] : [];
  const quoted = [...ranges];
  for (let point = 0; point < 0x80; point++) {
    const range: [number, number] = [point, point];
    if (bytes.has(point)) ranges.push(range);
    const written = JSON.stringify(String.fromCharCode(point));
    if (Array.from(written).every((char) => bytes.has(char.charCodeAt(0)))) quoted.push(range);
  }
  const all = (set: CodePoints) => (set.length === ANY.length ? ANY : set);
  return { plain: all(codePoints(ranges)), quoted: all(codePoints(quoted)), controls };
}
