// SPDX-License-Identifier: MIT
import { element } from '../element.js';

/** @import { TokenLogprob } from 'fastweights' */

/** @typedef {TokenLogprob['alternatives'][number]} Candidate */

/** A text whose breaks can be seen. @param {string} text */
export const visible = (text) => text.replaceAll('\n', '⏎').replaceAll('\t', '⇥');

const numbers = new Intl.NumberFormat('en');

/** @param {number} share */
function percent(share) {
  if (share > 0.9995) return '100 %';
  if (share >= 0.0995) return `${(100 * share).toFixed(0)} %`;
  if (share >= 0.00095) return `${(100 * share).toFixed(1)} %`;
  return share < 1e-7 ? '~ 0 %' : `${(100 * share).toPrecision(1)} %`;
}

/** What one token was chosen from. */
export class Step {
  #section = element('step');

  hide() {
    this.#section.hidden = true;
  }

  /** @type {(entry: TokenLogprob, index: number, vocabSize: number) => void} */
  show({ text, token, alternatives, allowed }, index, vocabSize) {
    this.#section.hidden = false;
    const title = document.createElement('code');
    title.textContent = visible(text);
    element('step-title').replaceChildren(`Token ${index + 1}: `, title);
    const likeliest = allowed?.likeliest ?? alternatives;
    const share = Math.exp(allowed?.logprob ?? 0);
    element('step-words').textContent = words(allowed?.count, vocabSize, share);
    fill('allowed', likeliest, token, (one) => Math.min(1, Math.exp(one.logprob) / share));
    // Both lists are by likelihood: of the free one, what is allowed is in the other.
    const isAllowed = (/** @type {Candidate} */ one) =>
      likeliest.some((other) => other.token === one.token);
    fill('free', alternatives, token, (one) => Math.exp(one.logprob), isAllowed);
  }
}

/** @type {(count: number | undefined, vocabSize: number, share: number) => string} */
function words(count, vocabSize, share) {
  const all = numbers.format(vocabSize);
  if (count === undefined) return `Nothing was ruled out: all ${all} tokens could have come.`;
  const wish = `The model by itself gives ${percent(share)} of its probability to`;
  if (count === 1) return `Forced: 1 of ${all} tokens was allowed. ${wish} it.`;
  return `${numbers.format(count)} of ${all} tokens were allowed. ${wish} all of them together.`;
}

/**
 * @param {string} id of the table
 * @param {Candidate[]} candidates
 * @param {number} drawn
 * @param {(one: Candidate) => number} shareOf
 * @param {(one: Candidate) => boolean} [isAllowed]
 */
function fill(id, candidates, drawn, shareOf, isAllowed = () => true) {
  const table = element(id, HTMLTableElement);
  const body = document.createElement('tbody');
  for (const one of candidates) {
    const row = body.insertRow();
    const name = document.createElement('th');
    name.scope = 'row';
    const code = document.createElement(isAllowed(one) ? 'code' : 'del');
    code.textContent = visible(one.text);
    name.append(code);
    row.append(name);
    row.classList.toggle('drawn', one.token === drawn);
    const share = shareOf(one);
    const cell = row.insertCell();
    cell.textContent = percent(share);
    cell.style.setProperty('--share', String(share));
    row.insertCell().textContent =
      one.token === drawn ? 'drawn' : isAllowed(one) ? '' : 'ruled out';
  }
  table.tBodies[0]?.remove();
  table.append(body);
}
