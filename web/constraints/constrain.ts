// SPDX-License-Identifier: MIT
// Fetched only where a text is constrained. It imports nothing that pages download anyway, which
// would cut that into more chunks.

import type { Tokenizer } from '../text/tokenizer.js';
import { automaton, chars, type Expression, repeat, sequence } from './automaton.js';
import { ANY, type CodePoints, codePoints } from './code-points.js';
import type { ConstraintSettings } from './constraint.js';
import { type First, Grammar, type Part } from './grammar.js';
import { SchemaReader } from './schema.js';
import { type Alphabet, Shapes } from './shapes.js';
import { Terminal } from './terminal.js';
import { TokenTrie } from './trie.js';

/** One text that is being held to a constraint. */
export class ConstrainedText {
  readonly #grammar: Grammar;
  readonly #tokenizer: Tokenizer;
  readonly #ends: number[];
  #at: First;
  #mask: Int32Array | undefined;

  /** @param ends tokens that may end the text where it is complete */
  constructor(grammar: Grammar, tokenizer: Tokenizer, ends: Iterable<number>) {
    this.#grammar = grammar;
    this.#tokenizer = tokenizer;
    this.#ends = [...ends];
    this.#at = grammar.start;
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
    const mask = this.#grammar.mask(this.#at);
    if (mask !== this.#mask) to.set(mask);
    this.#mask = mask;
    for (const id of this.#ends) {
      const [word, bit] = [id >> 5, 1 << (id & 31)];
      to[word] = this.#at.complete ? (to[word] as number) | bit : (to[word] as number) & ~bit;
    }
  }

  /** Takes the token that was drawn. */
  read(token: number): void {
    this.#at = this.#grammar.read(this.#at, this.#tokenizer.bytes(token));
  }
}

interface Known {
  trie: TokenTrie;
  alphabet: Alphabet;
  grammars: Map<string, Grammar>;
}

// A vocabulary's tree takes longest to make; the grammars keep what they have found out.
const known = new WeakMap<Tokenizer, Known>();
const MOST_GRAMMARS = 4;

/**
 * Gets ready to hold a text to a constraint.
 *
 * @param ends tokens that may end the text
 * @returns undefined when the tokens can write no such text
 * @throws TypeError for what is not supported, RangeError where no text at all is allowed or the
 * constraint is too large
 */
export async function constrain(
  tokenizer: Tokenizer,
  settings: ConstraintSettings,
  ends: Iterable<number>,
): Promise<ConstrainedText | undefined> {
  let own = known.get(tokenizer);
  if (!own) {
    const trie = new TokenTrie(tokenizer);
    own = { trie, alphabet: alphabetOf(trie.bytes), grammars: new Map() };
    known.set(tokenizer, own);
  }
  const key = JSON.stringify(settings);
  let grammar = own.grammars.get(key);
  if (!grammar) {
    const part = await partOf(settings, own.alphabet);
    if (!part) {
      if (await partOf(settings, { plain: ANY, quoted: ANY })) return undefined;
      throw new RangeError('constraint allows no text at all');
    }
    grammar = new Grammar(part, own.trie);
    if (own.grammars.size >= MOST_GRAMMARS) {
      own.grammars.delete(own.grammars.keys().next().value as string);
    }
    own.grammars.set(key, grammar);
  }
  return new ConstrainedText(grammar, tokenizer, ends);
}

/** Undefined when there is no such text. */
async function partOf(settings: ConstraintSettings, alphabet: Alphabet): Promise<Part | undefined> {
  const shapes = new Shapes(alphabet);
  if (settings.type === 'regex') {
    const { regexExpression } = await import('./regex.js');
    const { source, flags } = settings;
    const terminal = new Terminal(
      automaton(regexExpression(source, flags, codePoints), alphabet.plain),
    );
    return terminal.start && terminal;
  }
  const { schema } = settings;
  // By the text: a property of that name costs a download, no more.
  const regex = schema.includes('"pattern":') ? await import('./regex.js') : undefined;
  const anything = repeat(chars(ANY), 0, Number.POSITIVE_INFINITY);
  const pattern = (source: string): Expression => {
    if (!regex) return anything;
    return sequence(anything, regex.regexExpression(source, 'u', codePoints), anything);
  };
  const root: unknown = JSON.parse(schema);
  const shape = new SchemaReader(root, shapes, pattern).read(root, '#');
  shapes.settle();
  return shape.possible ? shapes.part(shape) : undefined;
}

// Restricted to bytes that are tokens by themselves, every text that has begun can go on.
function alphabetOf(bytes: ReadonlySet<number>): Alphabet {
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
  return { plain: all(codePoints(ranges)), quoted: all(codePoints(quoted)) };
}
