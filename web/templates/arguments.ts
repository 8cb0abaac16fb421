// SPDX-License-Identifier: MIT
import type { Given, Value } from './values.js';

/**
 * What was given for each parameter, by place or by name; undefined where nothing was.
 *
 * @param parameters their names with blanks between; those that may be left out end in `=`
 * @throws Error when one is missing, given twice or not known
 */
export function argumentsOf(given: Given, what: string, parameters: string): (Value | undefined)[] {
  const { positional, named } = given;
  const declared = parameters === '' ? [] : parameters.split(' ');
  if (positional.length > declared.length) {
    throw new Error(`${what}() takes ${declared.length} arguments, not ${positional.length}`);
  }
  let taken = 0;
  const values = declared.map((text, i) => {
    const name = text.replace('=', '');
    if (named.has(name)) {
      if (i < positional.length) throw new Error(`${what}() got two values for '${name}'`);
      taken++;
      return named.get(name);
    }
    if (i >= positional.length && !text.endsWith('=')) {
      throw new Error(`${what}() misses the argument '${name}'`);
    }
    return positional[i];
  });
  if (taken < named.size) {
    const unknown = [...named.keys()].find(
      (name) => !declared.some((d) => d.replace('=', '') === name),
    );
    throw new Error(`${what}() got an argument '${unknown}' that it does not know`);
  }
  return values;
}
