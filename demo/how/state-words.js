// SPDX-License-Identifier: MIT
// A state in numbers and words, and what is worked out of it.
import { outer } from './heat.js';

/** @import { LayerState, SessionState } from 'fastweights' */

/**
 * A number in three digits, as both large and small ones are to be read.
 * @param {number | undefined} value
 */
export function amount(value) {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (value !== 0 && Math.abs(value) < 0.001) return value.toExponential(1);
  return value.toPrecision(3);
}

/**
 * What is kept of a head's state; the mean, where each key channel has a decay of its own.
 * @type {(layer: LayerState, row: number) => number | undefined}
 */
export function decayOf({ last, keyDim, norms }, row) {
  const decay = last?.decay;
  if (!decay || decay.length === norms.length) return decay?.[row];
  const channels = decay.subarray(row * keyDim, (row + 1) * keyDim);
  return channels.reduce((sum, one) => sum + one, 0) / keyDim;
}

/**
 * What there is to say of the last token, where the mixer has it.
 * @type {[string, (layer: LayerState, row: number) => number | undefined][]}
 */
export const LAST_PARTS = [
  ['added', ({ last }, row) => last?.writeNorms[row]],
  ['decay', decayOf],
  ['beta', ({ last }, row) => last?.beta?.[row]],
];

/**
 * What the last token added to a head's state, [keyDim, valueDim].
 * @type {(layer: LayerState, row: number) => Float32Array | undefined}
 */
export function lastWrite({ last, keyDim, valueDim }, row) {
  if (!last?.keys || !last.writes) return undefined;
  /** @type {(all: Float32Array, size: number) => Float32Array} */
  const of = (all, size) => all.subarray(row * size, (row + 1) * size);
  const written = outer(of(last.keys, keyDim), of(last.writes, valueDim));
  if (!last.eraseKeys || !last.erases) return written;
  const erased = outer(of(last.eraseKeys, keyDim), of(last.erases, valueDim));
  return written.map((cell, i) => cell + erased[i]);
}

/** Means of a layer's heads, layer by layer: the map for whoever does not see it. */
export class StateTable {
  #table;

  /** @param {HTMLElement} table */
  constructor(table) {
    this.#table = table;
  }

  /** @param {SessionState} state */
  show({ layers }) {
    const heads = ['Layer', 'Mixer', 'Heads', 'Mean norm', ...LAST_PARTS.map(([name]) => name)];
    const rows = layers.map((layer) => {
      /** @param {(row: number) => number | undefined} of */
      const mean = (of) => {
        const values = [...layer.norms.keys()].map((row) => of(row) ?? Number.NaN);
        return amount(values.reduce((sum, value) => sum + value, 0) / values.length);
      };
      const parts = LAST_PARTS.map(([, of]) => mean((row) => of(layer, row)));
      return [layer.layer, layer.mixer, layer.heads, mean((row) => layer.norms[row]), ...parts];
    });
    this.#table.replaceChildren(line('th', heads), ...rows.map((row) => line('td', row)));
  }
}

/** @type {(kind: 'th' | 'td', cells: (string | number)[]) => HTMLElement} */
function line(kind, cells) {
  const row = document.createElement('tr');
  for (const cell of cells) {
    const made = document.createElement(kind);
    made.textContent = String(cell);
    row.append(made);
  }
  return row;
}
