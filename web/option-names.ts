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

/** Of several names the one that takes the fewest edits, whatever their case and underscores. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const edits = names.map((other) => distance(plain(name), plain(other)));
  return names[edits.indexOf(Math.min(...edits))];
}

const plain = (name: string) => name.toLowerCase().replaceAll('_', '');

// Levenshtein's, row by row.
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const letter of a) {
    const next = [(row[0] as number) + 1];
    for (const [column, above] of row.slice(1).entries()) {
      const replaced = (row[column] as number) + Number(letter !== b[column]);
      next.push(Math.min(replaced, above + 1, (next[column] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
