// SPDX-License-Identifier: MIT

import type { Tokenizer } from '../text/tokenizer.js';
import { type CodePoints, codePoints, controlBytes, controlPoint } from './code-points.js';
import { DEAD, type State, type Terminal } from './terminal.js';

/** What a terminal in some state makes of every token. */
export interface Frame {
  /** Tokens that stay within the terminal or end with it; bits, or ids where they are few. */
  bits: Int32Array | undefined;
  ids: Int32Array;
  /** Nodes where the terminal may end and tokens go on. */
  exits: Int32Array;
}

const NOTHING = new Uint8Array(0);

/** A token as languages know it: the bytes of its text, or those of a control token. */
export function bytesOf(tokenizer: Tokenizer, id: number): Uint8Array {
  if (!tokenizer.isControl(id)) return tokenizer.bytes(id);
  const point = controlPoint(id);
  return point === undefined ? NOTHING : controlBytes(point);
}

/**
 * The texts of a vocabulary as a tree over bytes, its nodes in the order of the texts. Tokens without
 * a text are not in it, nor those that end an answer.
 */
export class TokenTrie {
  readonly words: number;
  readonly #tokenizer: Tokenizer;
  /** Bytes that are tokens by themselves. */
  readonly bytes = new Set<number>();
  /** The control tokens among them. */
  readonly controls: CodePoints;
  #byte: Uint8Array;
  #depth: Uint16Array;
  /** The node after all that begin with this one. */
  #after: Int32Array;
  /** The first token that ends here, or -1; others by `#same`. */
  #token: Int32Array;
  #same: Map<number, number>;
  #deepest = 0;
  // Depth stacks of walks inside walks.
  #stacks: Int32Array[] = [];

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    const texts: { text: string; id: number }[] = [];
    const controls: [number, number][] = [];
    let total = 0;
    for (let id = 0; id < tokenizer.vocabSize; id++) {
      if (tokenizer.endTokens.has(id)) continue;
      const bytes = bytesOf(tokenizer, id);
      if (bytes.length === 0) continue;
      const point = tokenizer.isControl(id) ? controlPoint(id) : undefined;
      if (point !== undefined) controls.push([point, point]);
      // In no text: nothing but a control token begins with them.
      else if (bytes.some((byte) => byte > 0xf4)) continue;
      if (bytes.length === 1) this.bytes.add(bytes[0] as number);
      total += bytes.length;
      texts.push({ text: String.fromCharCode(...bytes), id });
    }
    this.controls = codePoints(controls);
    texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.id - b.id));
    this.words = (tokenizer.vocabSize + 31) >> 5;
    this.#byte = new Uint8Array(total);
    this.#depth = new Uint16Array(total + 1);
    this.#after = new Int32Array(total);
    this.#token = new Int32Array(total).fill(-1);
    this.#same = new Map();
    let count = 0;
    const path: number[] = [];
    const close = (depth: number) => {
      while (path.length > depth) this.#after[path.pop() as number] = count;
    };
    let before = '';
    for (const { text, id } of texts) {
      let common = 0;
      while (common < before.length && before[common] === text[common]) common++;
      close(common);
      for (let i = common; i < text.length; i++) {
        this.#byte[count] = text.charCodeAt(i);
        this.#depth[count] = i;
        path.push(count++);
      }
      this.#deepest = Math.max(this.#deepest, text.length);
      const node = path[path.length - 1] as number;
      const first = this.#token[node] as number;
      if (first >= 0) this.#same.set(id, first);
      this.#token[node] = id;
      before = text;
    }
    close(0);
    this.#byte = this.#byte.slice(0, count);
  }

  get nodes(): number {
    return this.#byte.length;
  }

  /** The tokens that some bytes begin with, the shortest first. */
  beginnings(bytes: Uint8Array): number[] {
    const found: number[] = [];
    let [at, to] = [0, this.nodes];
    for (const byte of bytes) {
      while (at < to && this.#byte[at] !== byte) at = this.#after[at] as number;
      if (at >= to) break;
      found.push(...this.#tokensAt(at));
      [at, to] = this.below(at);
    }
    return found;
  }

  /**
   * Which of them the tokenizer writes the bytes with, inside a text; where it does not say, the longest.
   *
   * @param before the token before the bytes
   */
  usual(bytes: Uint8Array, beginnings: readonly number[], before?: number): number | undefined {
    const led = before === undefined ? NOTHING : bytesOf(this.#tokenizer, before);
    const [lead, first] = this.#split(led, bytes);
    const found = led.length > 0 && lead === before ? first : this.#split(NOTHING, bytes)[0];
    return found !== undefined && beginnings.includes(found) ? found : beginnings.at(-1);
  }

  // Some bytes behind others as tokens, as inside a text; none where they are no text.
  #split(before: Uint8Array, bytes: Uint8Array): number[] {
    try {
      // A character that is only begun is left out.
      const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      const text = utf8.decode(Uint8Array.of(...before, ...bytes), { stream: true });
      const after = this.#token.find((id) => id >= 0);
      return this.#tokenizer.encode(text, { after, special: false, bos: false, eos: false });
    } catch {
      return [];
    }
  }

  #tokensAt(node: number): number[] {
    const found: number[] = [];
    let id: number | undefined = this.#token[node];
    for (; id !== undefined && id >= 0; id = this.#same.get(id)) found.unshift(id);
    return found;
  }

  /** The nodes that go on from one. */
  below(node: number): [from: number, to: number] {
    return [node + 1, this.#after[node] as number];
  }

  /**
   * Reads nodes `from` to before `to` with a terminal that is in `state` before them.
   *
   * @param token called for every token that the terminal takes
   * @param exit called for every node after which the terminal may end and tokens go on
   */
  walk(
    terminal: Terminal,
    state: State,
    from: number,
    to: number,
    token: (id: number) => void,
    exit: (node: number) => void,
  ): void {
    const states = this.#stacks.pop() ?? new Int32Array(this.#deepest + 1);
    const depths = this.#depth;
    const after = this.#after;
    states[from < to ? (depths[from] as number) : 0] = terminal.enter(state);
    for (let node = from; node < to; ) {
      const depth = depths[node] as number;
      const next = terminal.next(states[depth] as number, this.#byte[node] as number);
      if (next === DEAD) {
        node = after[node] as number;
        continue;
      }
      let id: number | undefined = this.#token[node];
      for (; id !== undefined && id >= 0; id = this.#same.get(id)) token(id);
      if ((after[node] as number) > node + 1 && terminal.accepts(next)) exit(node);
      states[depth + 1] = next;
      node++;
    }
    this.#stacks.push(states);
  }

  /** What a terminal in this state makes of the whole vocabulary. */
  frame(terminal: Terminal, state: State): Frame {
    const bits = new Int32Array(this.words);
    const ids: number[] = [];
    const exits: number[] = [];
    let count = 0;
    const few = this.words >> 2;
    const token = (id: number) => {
      if (count++ < few) ids.push(id);
      bits[id >> 5] = (bits[id >> 5] as number) | (1 << (id & 31));
    };
    this.walk(terminal, state, 0, this.nodes, token, (node) => exits.push(node));
    const sparse = count <= few;
    return {
      bits: sparse ? undefined : bits,
      ids: Int32Array.from(sparse ? ids : []),
      exits: Int32Array.from(exits),
    };
  }
}
