// SPDX-License-Identifier: MIT
import { number } from './card.js';
import { RULES } from './rules.js';

/** @import { Result, Trial } from './trial.js' */

/**
 * In a sentence or two what has just happened, and who recalls best.
 *
 * @param {Trial} trial
 * @param {Result[]} results
 */
export function summary(trial, results) {
  const { keyDim, pairs } = trial.settings;
  const count = trial.pictures.length;
  if (count === 0) return `Nothing is stored yet. There are ${pairs} pairs to write.`;
  const last = trial.writes.at(-1);
  if (last && last.version > 0) {
    const told = RULES.map(({ name }, i) => `${name} ${number(results[i].errors[last.pair])}`);
    return `Pair ${last.pair + 1} has a new picture under its old key. Error of it: ${told.join(', ')}.`;
  }
  const errors = trial.history[count];
  /** @param {number} error */
  const tell = (error) => `${RULES[errors.indexOf(error)].name} (${number(error)})`;
  const room =
    count <= keyDim
      ? `A matrix for keys of ${keyDim} numbers has room for ${keyDim}.`
      : `That is more than the ${keyDim} that a matrix for keys of ${keyDim} numbers has room for.`;
  return (
    `${count} of ${pairs} pairs stored. ${room} ` +
    `Least wrong on average: ${tell(Math.min(...errors))}; most: ${tell(Math.max(...errors))}.`
  );
}

/**
 * Which line is whose, and where it stands.
 * @param {number[] | undefined} errors
 */
export function legend(errors) {
  return RULES.map(({ rule, name }, i) => {
    const item = document.createElement('li');
    const swatch = document.createElement('span');
    const value = document.createElement('span');
    item.dataset.rule = rule;
    swatch.className = 'swatch';
    value.className = 'value';
    value.textContent = errors ? number(errors[i]) : '–';
    item.append(swatch, name, value);
    return item;
  });
}

/**
 * Rows of a table: mean errors by the number of pairs.
 * @param {number[][]} history
 */
export function errorTable(history) {
  /** @type {(cells: string[], tag: 'th' | 'td') => HTMLElement} */
  const row = (cells, tag) => {
    const element = document.createElement('tr');
    for (const [i, text] of cells.entries()) {
      const cell = document.createElement(i === 0 ? 'th' : tag);
      cell.scope = tag === 'th' ? 'col' : 'row';
      if (i > 0 && tag === 'td') cell.removeAttribute('scope');
      cell.textContent = text;
      element.append(cell);
    }
    return element;
  };
  const head = row(['Pairs', ...RULES.map(({ name }) => name)], 'th');
  return [
    head,
    ...history.flatMap((errors, pairs) => [row([String(pairs), ...errors.map(number)], 'td')]),
  ];
}
