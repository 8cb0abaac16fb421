// SPDX-License-Identifier: MIT

/**
 * A pattern of a file as an expression that finds all. Engines try every way to match: what stands
 * within a repeat may double the ways with each letter, and what stands in a row multiplies them, so
 * both are refused. No published tokenizer has them.
 *
 * @throws SyntaxError for that, and for what is no pattern
 */
export function patternOfFile(source: string): RegExp {
  // A line's end in both spellings matches in one way, though it has a choice.
  if (!(waysOf(source.replaceAll('\\r?\\n', '\\n')) <= MOST_WAYS)) {
    throw new SyntaxError('so many choices in a row, or choices within repeats, are not taken');
  }
  return new RegExp(source, 'gu');
}

// A repeat has as many ways as there are letters: it counts as this many, so that four may follow
// each other. Those of published tokenizers come to 2300.
const REPEAT_WAYS = 8;
const MOST_WAYS = 8192;

// A group's beginning, a class, an escape, a quantifier, or another letter.
const TOKEN =
  /\((?:\?(?:<?[=!]|<\w+>|[\w-]*:))?|\[(?:\\.|[^\\\]])*\]|\\.|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gsu;

/** How many ways there are to match at one place, or Infinity where they may double. */
function waysOf(source: string): number {
  // Of each group that is open: the alternatives before, and the one that goes on but its last atom.
  const open = [{ before: 0, ways: 1 }];
  let last = 1;
  for (const [token] of source.matchAll(TOKEN)) {
    const group = open[open.length - 1] as { before: number; ways: number };
    if (/^([*+?]|\{\d)/.test(token)) {
      last = repeated(last, token);
      continue;
    }
    group.ways *= last;
    last = 1;
    if (token.startsWith('(')) open.push({ before: 0, ways: 1 });
    else if (token === '|') {
      group.before += group.ways;
      group.ways = 1;
    } else if (token === ')' && open.length > 1) {
      open.pop();
      last = group.before + group.ways;
    }
  }
  const { before, ways } = open[0] as { before: number; ways: number };
  return before + ways * last;
}

function repeated(ways: number, quantifier: string): number {
  if (quantifier.startsWith('?')) return ways + 1;
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)/.exec(quantifier) ?? [];
  if (least !== undefined && (!comma || most === least)) return ways ** Number(least);
  if (ways > 1) return Infinity;
  return most ? Math.min(Number(most) - Number(least) + 1, REPEAT_WAYS) : REPEAT_WAYS;
}
