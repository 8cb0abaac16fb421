// SPDX-License-Identifier: MIT

/** Every list with one of each list's entries, in their order. */
function* lists([first, ...rest]) {
  if (first === undefined) {
    yield [];
    return;
  }
  for (const one of first) for (const others of lists(rest)) yield [one, ...others];
}

function* permutations(list) {
  if (list.length === 0) yield [];
  for (const [i, one] of list.entries()) {
    for (const rest of permutations(list.toSpliced(i, 1))) yield [one, ...rest];
  }
}

/** A JSON value with the properties of its objects in every order: the same value, other texts. */
export function* orders(value) {
  if (typeof value !== 'object' || value === null) yield value;
  else if (Array.isArray(value)) yield* lists(value.map((item) => [...orders(item)]));
  else {
    for (const names of permutations(Object.keys(value))) {
      for (const values of lists(names.map((name) => [...orders(value[name])]))) {
        const object = Object.create(null);
        for (const [i, name] of names.entries()) object[name] = values[i];
        yield object;
      }
    }
  }
}
