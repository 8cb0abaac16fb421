// SPDX-License-Identifier: MIT
// Options as their interfaces have them, and tables of their names that the compiler holds to them.
import type { Model, Session, SessionOptions } from '../../web/index.js';
import { checkNames, type NamesOf } from '../../web/option-names.js';

/** Whatever holds for one prompt can hold for all. */
export const session: SessionOptions = {
  maxTokens: 100,
  stop: ['\n'],
  logprobs: 2,
  ignoreEos: false,
  speculate: true,
  constraint: /yes|no/,
  thinking: false,
  checkpoints: 1,
  answerPlaces: true,
};

/** A grammar and a choice are constraints too. */
export const grammar: SessionOptions = { constraint: { type: 'grammar', grammar: 'root ::= "a"' } };
export const choice: SessionOptions = { constraint: { type: 'choice', options: ['a', 'b'] } };
// @ts-expect-error Options are texts.
export const numbers: SessionOptions = { constraint: { type: 'choice', options: [1] } };

interface Two {
  one?: number;
  two: string;
}

export const whole: NamesOf<Two> = { one: true, two: true };
// @ts-expect-error One is missing.
export const short: NamesOf<Two> = { one: true };
// @ts-expect-error There is no third.
export const long: NamesOf<Two> = { one: true, two: true, three: true };

export async function use(model: Model, two: Two) {
  checkNames(two, whole);
  // @ts-expect-error A table of one interface is none of another.
  checkNames(two, { three: true });
  await using talk: Session = await model.createSession(session);
  // @ts-expect-error There is no such option.
  await talk.prompt('Hi', { max_tokens: 5 });
}
