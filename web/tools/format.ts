// SPDX-License-Identifier: MIT
import type { Expression } from '../constraints/automaton.js';
import type { Part } from '../constraints/grammar.js';
import type { ObjectShape, Property } from '../constraints/shape.js';
import type { Words } from '../constraints/words.js';
import type { CallWriter } from '../text/template-messages.js';
import type { ToolFormatName } from './format-names.js';

/** A tool whose arguments' schema is read. */
export interface HeldTool {
  name: string;
  /** What its arguments may be: one of several objects, or any JSON object by `whole`. */
  objects: readonly ObjectShape[];
  whole: Part;
}

/** Makes the parts of a grammar; what cannot be written has no text. */
export interface CallMaker {
  text(expression: Expression): Part;
  /** A value as JSON, or in the format's own words. */
  value(property: Property): Part;
  /** The characters of a value that is always a string, without `end` in it; else undefined. */
  string(property: Property, end: string): Part | undefined;
  sequence(...parts: Part[]): Part;
  choice(make: () => Part[][]): Part;
}

/** What is found of a call. Its deltas, one after the other, are its arguments as JSON. */
export type CallEvent = { type: 'call'; name: string } | { type: 'delta'; json: string };

/** Takes the text of calls as it comes, from the first letter of one to its last. */
export interface CallReader {
  /** @returns what was found, and once a call is over what follows it */
  push(text: string): { events: CallEvent[]; rest?: string };
}

/** How calls are written: one way a file in formats/. */
export interface ToolFormat extends CallWriter {
  readonly name: ToolFormatName;
  /** What a template says that wants calls written so. */
  readonly template: RegExp;
  /** Before and behind a stretch of calls; `end` may be the end of the answer. */
  readonly begin: string;
  readonly end: string;
  /** Whether each call has a stretch of its own. */
  readonly single: boolean;
  /** How true, false and null are written, where not as in JSON. */
  readonly words?: Words;
  /**
   * What stands between `begin` and `end`.
   *
   * @param many whether it may be more than one call
   * @throws TypeError for a name that cannot be written so
   */
  grammar(make: CallMaker, tools: readonly HeldTool[], many: boolean): Part;
  /** @param isString whether an argument's text is a string's, by the names of its tool and itself */
  reader(isString: (tool: string, argument: string) => boolean): CallReader;
}
