// SPDX-License-Identifier: MIT
import { cut } from './splits.js';

/** What becomes of the matches of a split: the names of Hugging Face's tokenizers. */
export type SplitBehavior =
  | 'isolated'
  | 'removed'
  | 'contiguous'
  | 'merged_with_previous'
  | 'merged_with_next';

/** How a tokenizer.json cuts texts. */
export interface Split {
  /** Global and by code points. Matches count, and what lies between them. */
  readonly pattern: RegExp;
  readonly behavior: SplitBehavior;
  /** Whether what lies between takes the part of the matches. */
  readonly invert: boolean;
}

/** The words of a text. */
export function split(text: string, { pattern, behavior, invert }: Split): string[] {
  if (behavior === 'isolated') return cut(text, [pattern]);
  const kept: string[] = [];
  // Whether the last was a match, and, going backwards, the one after it.
  let last = false;
  const parts = partsOf(text, pattern);
  if (behavior === 'merged_with_next') parts.reverse();
  for (const [part, matches] of parts) {
    const match = matches !== invert;
    const previous = kept.length - 1;
    if (behavior === 'removed') {
      if (!match) kept.push(part);
    } else if (behavior === 'contiguous') {
      if (previous >= 0 && match === last) kept[previous] += part;
      else kept.push(part);
    } else if (match && !last && previous >= 0) {
      const other = kept[previous] as string;
      kept[previous] = behavior === 'merged_with_next' ? part + other : other + part;
    } else kept.push(part);
    last = match;
  }
  return behavior === 'merged_with_next' ? kept.reverse() : kept;
}

function partsOf(text: string, pattern: RegExp): [part: string, matches: boolean][] {
  const parts: [string, boolean][] = [];
  let done = 0;
  for (const { 0: word, index } of text.matchAll(pattern)) {
    if (index > done) parts.push([text.slice(done, index), false]);
    if (word !== '') parts.push([word, true]);
    done = index + word.length;
  }
  if (done < text.length) parts.push([text.slice(done), false]);
  return parts;
}
