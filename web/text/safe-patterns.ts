// SPDX-License-Identifier: MIT

/**
 * A pattern of a file as an expression that finds all. Engines try every way to match: where repeats
 * or alternatives stand within what repeats, those may double with each letter, so that is refused.
 * No published tokenizer has it.
 *
 * @throws SyntaxError for that, and for what is no pattern
 */
export function patternOfFile(source: string): RegExp {
  if (mayDouble(source)) {
    throw new SyntaxError('repeats and alternatives within repeats are not taken');
  }
  return new RegExp(source, 'gu');
}

// A class, an escape, a bracket, a bar or a quantifier, or another letter.
const TOKEN = /\[(?:\\.|[^\\\]])*\]|\\.|\{\d+(?:,\d*)?\}|./gsu;

function mayDouble(source: string): boolean {
  // Whether there are repeats or alternatives within each group that is open.
  const open = [false];
  let closed = false;
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === '(') {
      open.push(false);
      closed = false;
    } else if (token === ')') {
      closed = open.pop() ?? false;
      if (closed) open[open.length - 1] = true;
    } else if (token === '|') {
      open[open.length - 1] = true;
      closed = false;
    } else if (/^([*+]|\{\d)/.test(token) && !/^\{(\d+)(,\1)?\}$/.test(token)) {
      if (closed) return true;
      open[open.length - 1] = true;
    } else {
      closed = false;
    }
  }
  return false;
}
