// SPDX-License-Identifier: MIT
import { ByteFallback, byteOf } from './byte-fallback.js';
import { RankQueue } from './rank-queue.js';
import { TokenIndex } from './token-index.js';
import { TokenKind, type Vocabulary } from './vocabulary.js';
import { WordCache, type WordEncoder } from './word-cache.js';

/** What stands for a space in tokens. */
export const SPACE = '\u2581';

const utf8 = new TextEncoder();

/** A text as tokens have it. */
export const toSpaced = (text: string): string => text.replaceAll(' ', SPACE);

/** The bytes of a token that is text, or `<0x0A>` for one. */
export function spacedBytes(token: string, isByte: boolean): Uint8Array {
  const byte = isByte ? byteOf(token) : undefined;
  return byte === undefined ? utf8.encode(token.replaceAll(SPACE, ' ')) : Uint8Array.of(byte);
}

const INNER_SPACE = new RegExp(`[^${SPACE}]${SPACE}`);

/**
 * SentencePiece's BPE (Kudo and Richardson 2018): of all neighbouring symbols whose joined text is a
 * token, those that make the one of the highest score (leftmost first) become one, until there are
 * none. Symbols are characters at first. Time grows with n log n.
 *
 * Control, unknown, byte and unused tokens are never made of text, as in SentencePiece itself.
 */
export class ScoreEncoder implements WordEncoder {
  #tokens: TokenIndex;
  // 0 for the highest score, equal for equal ones; -1 for tokens that are not made of text.
  #ranks: Int32Array;
  #longest = 0;
  #fallback: ByteFallback;
  #cache = new WordCache((word) => this.#encodeNew(word));
  /** Where texts can be cut without changing a token. */
  readonly words: RegExp;

  constructor({ tokens, kinds, scores, unknownToken }: Vocabulary) {
    this.#tokens = new TokenIndex(tokens);
    this.#ranks = ranksOf(kinds, scores);
    let crosses = false;
    for (let id = 0; id < tokens.length; id++) {
      if ((this.#ranks[id] as number) < 0) continue;
      const text = tokens.at(id) as string;
      this.#longest = Math.max(this.#longest, text.length);
      crosses ||= INNER_SPACE.test(text);
    }
    // No token has a space behind something else in most vocabularies: words can be kept then.
    this.words = crosses ? /[\s\S]+/g : new RegExp(`${SPACE}*[^${SPACE}]+|${SPACE}+`, 'g');
    this.#fallback = new ByteFallback(this.#tokens, {
      bytes: true,
      unknown: unknownToken,
      fuse: true,
    });
  }

  encode(word: string, out: number[]): void {
    this.#cache.encode(word, out);
  }

  #encodeNew(word: string): number[] {
    const { starts, next } = this.#merge(word);
    const ids: number[] = [];
    let follows = false;
    const count = next.length;
    for (let at = 0; at < count; at = next[at] as number) {
      const start = starts[at] as number;
      const end = starts[next[at] as number] as number;
      const id = this.#find(word, start, end);
      if (id >= 0) ids.push(id);
      else this.#fallback.add(word.slice(start, end), ids, follows);
      follows = id < 0;
    }
    return ids;
  }

  // Symbol i starts at starts[i] and ends where next[i] starts; next leads from the first to the rest.
  #merge(word: string): { starts: Int32Array; next: Int32Array } {
    const count = Array.from(word).length;
    const starts = new Int32Array(count + 1);
    const next = new Int32Array(count);
    const before = new Int32Array(count);
    const isGone = new Uint8Array(count);
    let start = 0;
    for (let i = 0; i < count; i++) {
      starts[i] = start;
      next[i] = i + 1;
      before[i] = i - 1;
      start += (word.codePointAt(start) as number) > 0xffff ? 2 : 1;
    }
    starts[count] = start;
    const queue = new RankQueue();
    const rankAt = (at: number): number => {
      const right = next[at] as number;
      if (right >= count) return -1;
      const end = starts[next[right] as number] as number;
      const id = this.#find(word, starts[at] as number, end);
      return id < 0 ? -1 : (this.#ranks[id] as number);
    };
    const offer = (at: number): void => {
      const rank = rankAt(at);
      if (rank >= 0) queue.push(rank, at);
    };
    for (let i = 0; i < count; i++) offer(i);
    while (queue.size > 0) {
      const rank = queue.minRank;
      const at = queue.popPosition();
      // Stale when its pair has changed since; another entry of this rank means the same pair.
      if (isGone[at] || rankAt(at) !== rank) continue;
      const right = next[at] as number;
      const after = next[right] as number;
      isGone[right] = 1;
      next[at] = after;
      if (after < count) before[after] = at;
      offer(at);
      const left = before[at] as number;
      if (left >= 0) offer(left);
    }
    return { starts, next };
  }

  // The token that text makes, or -1.
  #find(text: string, start: number, end: number): number {
    if (end - start > this.#longest) return -1;
    const id = this.#tokens.findPart(text, start, end);
    return id >= 0 && (this.#ranks[id] as number) >= 0 ? id : -1;
  }
}

function ranksOf(kinds: Uint8Array, scores: readonly number[] | undefined): Int32Array {
  const isText = (kind: number) => kind === TokenKind.Normal || kind === TokenKind.UserDefined;
  const score = (id: number) => scores?.[id] ?? 0;
  const sorted = Array.from(kinds.keys()).sort((a, b) => score(b) - score(a));
  const ranks = new Int32Array(kinds.length);
  let rank = -1;
  let last: number | undefined;
  for (const id of sorted) {
    if (score(id) !== last) rank++;
    last = score(id);
    ranks[id] = isText(kinds[id] as number) ? rank : -1;
  }
  return ranks;
}
