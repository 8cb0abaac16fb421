// SPDX-License-Identifier: MIT
//
// Source maps without the files that only a build saw on its way.

const kDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * @param {string} text of a source map
 * @param {(source: string) => boolean} isOwn whether a source stays
 * @returns {string} what is left of it
 */
export function ownSources(text, isOwn) {
  const map = JSON.parse(text);
  /** @type {number[]} */
  const places = [];
  let kept = 0;
  for (const source of map.sources) places.push(isOwn(source) ? kept++ : -1);
  if (kept === places.length) return text;
  const own = (/** @type {unknown[]} */ list) => list.filter((_, i) => Number(places[i]) >= 0);
  return JSON.stringify({
    ...map,
    sources: own(map.sources),
    sourcesContent: own(map.sourcesContent),
    mappings: renumbered(map.mappings, places),
  });
}

// Each number is the difference from the one before of its kind; only the column begins anew in a line.
/** @type {(mappings: string, places: number[]) => string} */
function renumbered(mappings, places) {
  const last = { source: 0, line: 0, column: 0, name: 0 };
  const written = { ...last };
  return mappings
    .split(';')
    .map((line) => {
      let [at, writtenAt] = [0, 0];
      const segments = [];
      for (const segment of line.split(',').filter(Boolean)) {
        const [step = 0, source, from = 0, column = 0, name] = numbersOf(segment);
        at += step;
        const numbers = [at - writtenAt];
        writtenAt = at;
        segments.push(numbers);
        if (source === undefined) continue;
        last.source += source;
        last.line += from;
        last.column += column;
        last.name += name ?? 0;
        const place = places[last.source] ?? -1;
        if (place < 0) continue;
        const { line: atLine, column: atColumn } = last;
        numbers.push(place - written.source, atLine - written.line, atColumn - written.column);
        if (name !== undefined) {
          numbers.push(last.name - written.name);
          written.name = last.name;
        }
        Object.assign(written, { source: place, line: atLine, column: atColumn });
      }
      return segments.map((numbers) => numbers.map(textOf).join('')).join();
    })
    .join(';');
}

/** @type {(text: string) => number[]} */
function numbersOf(text) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of text) {
    const bits = kDigits.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

/** @type {(number: number) => string} */
function textOf(number) {
  let text = '';
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  do {
    text += kDigits[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>>= 5;
  } while (rest > 0);
  return text;
}
