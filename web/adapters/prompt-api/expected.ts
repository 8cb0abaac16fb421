// SPDX-License-Identifier: MIT
import type { ContentType, CreateCoreOptions } from './types.js';
import { dictionary, list, oneOf, string } from './web-idl.js';

export const CONTENT_TYPES: readonly ContentType[] = [
  'text',
  'image',
  'audio',
  'tool-call',
  'tool-response',
];

/** What a session is to read and to write. */
export interface Expected {
  inputs: ReadonlySet<ContentType>;
  outputs: ReadonlySet<ContentType>;
  /** What of it no text model can do. */
  missing: string | undefined;
}

const READ: readonly ContentType[] = ['text', 'tool-call', 'tool-response'];
const WRITTEN: readonly ContentType[] = ['text', 'tool-call'];

/**
 * @throws TypeError for a type that does not exist; RangeError for what is no language tag
 */
export function readExpected(options: CreateCoreOptions): Expected {
  const inputs = readList(options.expectedInputs, 'expectedInputs', READ);
  const outputs = readList(options.expectedOutputs, 'expectedOutputs', WRITTEN);
  return {
    inputs: inputs.types,
    outputs: outputs.types,
    missing: inputs.missing ?? outputs.missing,
  };
}

function readList(given: unknown, name: string, can: readonly ContentType[]) {
  const types = new Set<ContentType>(['text']);
  let missing: string | undefined;
  for (const item of list(given, name)) {
    const { type: givenType, languages } = dictionary(item, `an item of ${name}`);
    const type = oneOf(givenType, CONTENT_TYPES, `a type of ${name}`);
    const tags = list(languages, `the languages of ${name}`).map((tag) =>
      string(tag, 'a language'),
    );
    const unknown = Intl.getCanonicalLocales(tags).find((tag) => !isNamed(tag));
    if (!can.includes(type)) missing ??= `${type} in ${name}`;
    if (unknown !== undefined) missing ??= `the language ${unknown} in ${name}`;
    types.add(type);
  }
  return { types, missing };
}

// A model's file does not say what languages it was made of: one that the browser itself has no name
// for is taken for one that no model has learnt.
function isNamed(tag: string): boolean {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return names.of(new Intl.Locale(tag).language) !== undefined;
}
