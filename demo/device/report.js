// SPDX-License-Identifier: MIT
import { element } from '../element.js';

/**
 * @import { Measured, Protocol, Rates } from './measure.js'
 * @import { Device } from './probes.js'
 */

/** @param {number} rate */
const perSecond = (rate) => (rate >= 100 ? rate.toFixed(0) : rate.toPrecision(3));
/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** What has been measured: as a table, and as JSON to take along. */
export class Report {
  #rows = /** @type {HTMLTableSectionElement} */ (element('table', HTMLTableElement).tBodies[0]);
  #device;
  /** @type {Protocol | undefined} */
  #protocol;
  /** @type {Measured[]} */
  #results = [];

  /** @param {Device} device */
  constructor(device) {
    this.#device = device;
    element('copy').addEventListener('click', () => this.#copy());
  }

  /** @param {Protocol} protocol of the measurements that follow */
  begin(protocol) {
    this.#protocol = protocol;
    this.#results = [];
    this.#rows.replaceChildren();
    element('results').hidden = true;
    element('copied').textContent = '';
  }

  /** @param {Measured} measured */
  add(measured) {
    this.#results.push(measured);
    const { model, weights, build, threads, loadMs, read, written, heapBytes } = measured;
    const row = this.#rows.insertRow();
    const name = document.createElement('th');
    name.scope = 'row';
    name.textContent = model;
    if (measured.wasHidden) name.append(' ', small('the tab was hidden meanwhile'));
    row.append(name);
    row.insertCell().textContent = weights;
    row.insertCell().textContent = `${build}, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
    for (const rates of [read, written]) number(row, perSecond(rates.median), spread(rates));
    number(row, `${(loadMs / 1000).toFixed(1)} s`);
    number(row, megabytes(heapBytes));
    element('results').hidden = false;
    element('json').textContent = this.#json();
  }

  #json() {
    const { read, written, repeats } = /** @type {Protocol} */ (this.#protocol);
    const protocol = { tokensRead: read, tokensWritten: written, countedRuns: repeats };
    const date = new Date().toISOString();
    const report = { date, device: this.#device, protocol, results: this.#results };
    return JSON.stringify(report, null, 2);
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#json());
      element('copied').textContent = 'Copied.';
    } catch {
      // Refused, or a page without https: it can still be selected.
      element('results').querySelector('details')?.setAttribute('open', '');
      getSelection()?.selectAllChildren(element('json'));
      element('copied').textContent =
        'This browser does not let the page copy; the JSON is selected below.';
    }
  }
}

/** @param {string} text */
function small(text) {
  const note = document.createElement('small');
  note.textContent = text;
  return note;
}

/** @type {(row: HTMLTableRowElement, text: string, beneath?: string) => void} */
function number(row, text, beneath) {
  const cell = row.insertCell();
  cell.className = 'number';
  cell.textContent = text;
  if (beneath) cell.append(small(beneath));
}

/** @param {Rates} rates */
const spread = ({ least, most, runs }) =>
  runs.length > 1 ? `${perSecond(least)} to ${perSecond(most)}` : 'one run';
