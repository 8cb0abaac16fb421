// SPDX-License-Identifier: MIT

/**
 * Every name of an interface of options: the compiler refuses a table that lacks one of them, or has
 * one more.
 */
export type NamesOf<Options> = { readonly [Name in keyof Options]-?: true };

/**
 * Refuses a name that nobody looks at, as it would be taken for a default.
 *
 * @param within what comes before the names in messages, of options inside an option: `wasm.`
 * @throws TypeError naming the option and the one that it is nearest to
 */
export function checkNames<Options extends object>(
  options: Options,
  names: NamesOf<NoInfer<Options>>,
  within = '',
): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${within.slice(0, -1) || 'options'} must be an object`);
  }
  for (const [name, value] of Object.entries(options)) {
    // An option set to undefined is an option not given.
    if (value === undefined || Object.hasOwn(names, name)) continue;
    const near = nearest(name, Object.keys(names));
    throw new TypeError(`${within}${name} is not an option; the nearest is ${within}${near}`);
  }
}

/** Of several names the one that has the most in common with a name, whatever their case. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  // No name is longer, and one out of a file may be of any length.
  const start = plain(name.slice(0, 64));
  const likeness = names.map((other) => alike(start, plain(other)));
  return names[likeness.indexOf(Math.max(...likeness))];
}

const plain = (name: string) => name.toLowerCase().replaceAll('_', '');

// Dice's coefficient of the pairs of neighbours in both, the last letter being one by itself.
function alike(one: string, two: string): number {
  const pairs = Array.from(one, (_, i) => one.slice(i, i + 2));
  return pairs.filter((pair) => two.includes(pair)).length / (one.length + two.length);
}
