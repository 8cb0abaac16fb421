// SPDX-License-Identifier: MIT
// Where an answer changes from text to thought or to calls, models have tokens for it, or words.
import type { Expression } from '../constraints/automaton.js';
import { controlPoint } from '../constraints/code-points.js';
import type { Tokenizer } from '../text/tokenizer.js';

/** Stands before a control token's text in the text that an {@link AnswerReader} reads; no character. */
const CONTROL = '\ufdd1';

/** One that a tokenizer writes as a control token, or in letters where it has none. */
export class Marker {
  /** As it stands in the text that is read. */
  readonly text: string;
  /** The control token. */
  readonly token: number | undefined;
  /** As languages know it. */
  readonly points: readonly number[];

  constructor(tokenizer: Tokenizer, text: string) {
    const id = tokenizer.idOf(text);
    const point = id !== undefined && tokenizer.isControl(id) ? controlPoint(id) : undefined;
    this.token = point === undefined ? undefined : id;
    this.text = point === undefined ? text : CONTROL + text;
    this.points =
      point === undefined ? Array.from(text, (char) => char.codePointAt(0) as number) : [point];
  }

  get expression(): Expression {
    const parts = this.points.map((point) => ({
      kind: 'chars' as const,
      set: Int32Array.of(point, point),
    }));
    return { kind: 'sequence', parts };
  }
}
