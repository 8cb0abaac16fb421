// SPDX-License-Identifier: MIT
import { count } from '../count.js';
import { element } from '../element.js';
import { roomHere, tooLarge } from '../room.js';
import { sizeOf } from '../size.js';

/** @import { Inspection } from 'fastweights' */

// A conversation of some length, for models that keep something of every token.
const TOKENS = 4096;

/**
 * Shows what a model is and what it takes.
 *
 * @param {string} name
 * @param {Inspection} plan
 * @returns {boolean} whether it fits into this device
 */
export function showPlan(name, { architecture, metadata, tensors, memory }) {
  const title = metadata.get('general.name');
  const licence = metadata.get('general.license');
  const { weightsBytes, stateBytes, scratchBytes, kvBytesPerToken, contextLength } = memory;
  element('needs-title').textContent = typeof title === 'string' ? `${title} (${name})` : name;
  const file = tensors.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = [
    ['Architecture', architecture ?? 'unnamed'],
    ['Weights in the file', `${sizeOf(file)}, ${mainType(tensors)}`],
    ['Weights in memory', sizeOf(weightsBytes)],
    ['State of a conversation', `${sizeOf(stateBytes)}, however long it is`],
    [
      'Keys and values',
      kvBytesPerToken === 0
        ? 'none: every layer is linear'
        : `${sizeOf(kvBytesPerToken)} more with each token`,
    ],
    ['Working memory', sizeOf(scratchBytes)],
    ['Trained on texts of', `${count(contextLength)} tokens`],
    ['Vocabulary', `${count(memory.vocabSize)} tokens`],
    ['Licence, as the file says', typeof licence === 'string' ? licence : 'it does not say'],
  ];
  element('plan').replaceChildren(...rows.map(([term, text]) => cellOf(term, text)));
  const tokens = Math.min(TOKENS, contextLength);
  const need = weightsBytes + stateBytes + scratchBytes + tokens * kvBytesPerToken;
  const why = tooLarge(need, roomHere());
  const verdict = element('verdict');
  verdict.classList.toggle('bad', why !== undefined);
  verdict.textContent = why
    ? `This does not fit: it ${why}. Fewer bits a weight may help, below.`
    : `This fits: it takes ${sizeOf(need)}${kvBytesPerToken > 0 ? ` with ${count(tokens)} tokens` : ''}.`;
  element('needs').hidden = false;
  return why === undefined;
}

/** @type {(term: string, text: string) => HTMLElement} */
function cellOf(term, text) {
  const cell = document.createElement('div');
  const name = document.createElement('dt');
  const value = document.createElement('dd');
  name.textContent = term;
  value.textContent = text;
  cell.append(name, value);
  return cell;
}

/** The type of most of its bytes. @param {Inspection['tensors']} tensors */
function mainType(tensors) {
  /** @type {Map<string, number>} */
  const bytes = new Map();
  for (const { type, bytes: more } of tensors) bytes.set(type, (bytes.get(type) ?? 0) + more);
  const [[type] = ['empty']] = [...bytes].sort(([, a], [, b]) => b - a);
  return bytes.size > 1 ? `mostly ${type}` : type;
}
