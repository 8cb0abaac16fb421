// SPDX-License-Identifier: MIT
// What models think stands between these, which templates look for in answers.

export const THINK = '<think>';
export const THOUGHT_END = '</think>';

/** Whether an answer begins within a thought, may begin with one, or has none. */
export type Thought = 'open' | 'may' | 'none';

/** What an answer that begins so has said: what comes behind a thought. */
export function saidIn(begun: string): string {
  const end = begun.lastIndexOf(THOUGHT_END);
  return end < 0 ? begun : begun.slice(end + THOUGHT_END.length).trimStart();
}
