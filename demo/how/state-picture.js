// SPDX-License-Identifier: MIT

import { count } from '../count.js';
import { HeadsMap } from './heads-map.js';
import { drawHeat, largest } from './heat.js';
import { amount, LAST_PARTS, lastWrite, StateTable } from './state-words.js';

/**
 * @import { LayerState, SessionState } from 'fastweights'
 *
 * Which head is shown cell by cell.
 * @typedef {{ layer: number, head: number }} Focus
 */

// Numbers beside the pictures follow the text at this pace, at which they can be read; what a screen
// reader, and whoever opens the table, is told at this.
const FIGURES_MS = 200;
const WORDS_MS = 1000;
// A look lasts as long for whoever wants no motion.
const STILL_MS = 1000;

const MARKUP = `
  <p class="state-line" data-part="line">Nothing has been read yet.</p>
  <canvas class="state-map" data-part="map" role="img"></canvas>
  <p class="state-legend">
    <span><span class="state-key norm"></span> how much a head holds</span>
    <span><span class="state-key write"></span> written by this token</span>
    <span><span class="state-key decay"></span> kept of what was there</span>
  </p>
  <div class="state-choice">
    <label>Layer <select data-part="layer"></select></label>
    <label>Head <select data-part="head"></select></label>
  </div>
  <div class="state-pair">
    <figure><canvas data-part="cells" role="img"></canvas><figcaption>S, all its cells</figcaption></figure>
    <figure><canvas data-part="written" role="img"></canvas><figcaption>added by this token</figcaption></figure>
  </div>
  <p class="state-figures" data-part="figures"></p>
  <details class="state-details"><summary>The same in numbers</summary>
    <div class="state-scroll" tabindex="0" role="region" aria-label="State in numbers"><table data-part="table"></table></div>
  </details>`;

/**
 * A session's state as a picture: every head of every layer by its norm, what the last token wrote
 * into it and what is kept of it, and one head cell by cell. Draws what `session.state()` gives and
 * knows no session.
 */
export class StatePicture {
  #parts;
  #map;
  #table;
  /** @type {SessionState | undefined} the latest with all layers */
  #whole;
  /** @type {Focus | undefined} */
  #focus;
  #scale = 0;
  #spokenAt = Number.NEGATIVE_INFINITY;
  #saidAt = Number.NEGATIVE_INFINITY;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #still = matchMedia('(prefers-reduced-motion: reduce)');
  /** @type {() => void} is called when another head is chosen */
  onfocus = () => {};

  /** @param {HTMLElement} host whose content this becomes */
  constructor(host) {
    host.classList.add('state-picture');
    host.innerHTML = MARKUP;
    /** @type {<Kind extends HTMLElement>(name: string) => Kind} */
    const part = (name) => /** @type {any} */ (host.querySelector(`[data-part=${name}]`));
    this.#parts = {
      line: part('line'),
      figures: part('figures'),
      cells: /** @type {HTMLCanvasElement} */ (part('cells')),
      written: /** @type {HTMLCanvasElement} */ (part('written')),
      layer: /** @type {HTMLSelectElement} */ (part('layer')),
      head: /** @type {HTMLSelectElement} */ (part('head')),
    };
    this.#map = new HeadsMap(part('map'), (layer, head) => this.#choose(layer, head));
    this.#table = new StateTable(part('table'));
    const { layer, head } = this.#parts;
    for (const select of [layer, head]) {
      select.addEventListener('change', () => {
        this.#choose(
          Number(layer.value),
          Math.min(Number(head.value), this.#heads(layer.value) - 1),
        );
      });
    }
  }

  /** The head that is shown cell by cell; undefined before there was a state. */
  get focus() {
    return this.#focus;
  }

  /**
   * Shows a state. Of one with all layers the map is drawn; of one with the values of the head in
   * focus, its cells.
   *
   * @param {SessionState} state
   */
  update(state) {
    const now = performance.now();
    const isWhole = this.#isWhole(state);
    if (isWhole) this.#whole = state;
    if (this.#still.matches && now - this.#drawnAt < STILL_MS) return;
    const whole = this.#whole;
    if (!whole) return;
    const isSaid = now - this.#saidAt >= FIGURES_MS;
    if (isWhole && (isSaid || !this.#focus)) this.#begin(whole);
    if (isWhole) this.#map.draw(whole, this.#focus);
    const shown = this.#shown(state);
    if (shown) {
      this.#drawHead(shown);
      if (isSaid) this.#sayHead(shown);
      if (isSaid) this.#saidAt = now;
      this.#drawnAt = now;
    }
    if (!isWhole || now - this.#spokenAt < WORDS_MS) return;
    this.#spokenAt = now;
    this.#map.describe(whole);
    this.#table.show(whole);
  }

  /** @param {string} why there is no state to show any more; the picture stays */
  fail(why) {
    this.#parts.line.textContent = `The state could not be read: ${why}`;
  }

  /** The next update is of another session, or of another model's. */
  forget() {
    this.#whole = undefined;
    this.hurry();
  }

  /** Says everything anew with the next update, however soon that is. */
  hurry() {
    this.#spokenAt = Number.NEGATIVE_INFINITY;
    this.#saidAt = Number.NEGATIVE_INFINITY;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
  }

  /** @param {SessionState} state */
  #isWhole({ layers }) {
    const isAll = layers.length >= (this.#whole?.layers.length ?? 0);
    return isAll && layers.every(({ norms, heads }) => norms.length === heads);
  }

  /** @param {SessionState} state */
  #begin({ layers, tokens }) {
    this.#parts.line.textContent =
      layers.length === 0
        ? 'No layer of this model has a state of matrices.'
        : `${count(tokens)} tokens read into ${layers.length} layers`;
    if (layers.length === 0) return;
    const { layer: choice, head: heads } = this.#parts;
    const isThere = layers.some(
      (of) => of.layer === this.#focus?.layer && of.heads === heads.options.length,
    );
    if (isThere && choice.options.length === layers.length) return;
    this.#parts.layer.replaceChildren(...layers.map(({ layer }) => new Option(`${layer}`)));
    this.#focusOn(layers[Math.floor(layers.length / 2)].layer, 0);
  }

  /** @param {number | string} layer */
  #heads(layer) {
    return this.#whole?.layers.find((of) => of.layer === Number(layer))?.heads ?? 1;
  }

  /** @type {(layer: number, head: number) => void} */
  #choose(layer, head) {
    this.#focusOn(layer, head);
    if (this.#whole) this.#map.draw(this.#whole, this.#focus);
  }

  /** @type {(layer: number, head: number) => void} */
  #focusOn(layer, head) {
    const { layer: layers, head: heads } = this.#parts;
    this.#focus = { layer, head };
    this.#scale = 0;
    layers.value = String(layer);
    const options = Array.from({ length: this.#heads(layer) }, (_, i) => new Option(`${i}`));
    heads.replaceChildren(...options);
    heads.value = String(head);
    this.hurry();
    this.onfocus();
  }

  // The head in focus, where the state has its values.
  /** @param {SessionState} state */
  #shown({ layers }) {
    const layer = layers.find((of) => of.layer === this.#focus?.layer);
    if (!layer?.values || !this.#focus) return undefined;
    const rows = layer.norms.length;
    return { layer, row: rows === 1 ? 0 : this.#focus.head };
  }

  /** @param {{ layer: LayerState, row: number }} shown */
  #drawHead({ layer, row }) {
    const { keyDim, valueDim } = layer;
    const size = keyDim * valueDim;
    const all = /** @type {Float32Array} */ (layer.values);
    const values = all.subarray(row * size, (row + 1) * size);
    // The fullest colour follows the largest cell, down slowly, so that colours keep their meaning.
    this.#scale = Math.max(largest(values), 0.98 * this.#scale);
    const { cells, written } = this.#parts;
    const look = { columns: valueDim, scale: this.#scale };
    drawHeat(cells, values, look);
    drawHeat(written, lastWrite(layer, row) ?? new Float32Array(size), look);
  }

  /** @param {{ layer: LayerState, row: number }} shown */
  #sayHead({ layer, row }) {
    const { keyDim, valueDim, norms, last } = layer;
    const { cells, written, figures } = this.#parts;
    cells.ariaLabel = `The state of head ${this.#focus?.head} in layer ${layer.layer}: ${keyDim} rows, one a key channel, of ${valueDim} numbers; norm ${amount(norms[row])}`;
    written.ariaLabel = last
      ? `What the last token added to it: norm ${amount(last.writeNorms[row])}`
      : 'What the last token added to it is not known';
    const said = LAST_PARTS.map(([name, of]) => ({ name, value: of(layer, row) }));
    figures.replaceChildren(
      ...[{ name: 'norm of S', value: norms[row] }, ...said]
        .filter(({ value }) => value !== undefined)
        .map(({ name, value }) => figure(name, amount(value))),
    );
  }
}

/** @type {(name: string, value: string) => HTMLElement} */
function figure(name, value) {
  const made = document.createElement('span');
  const number = document.createElement('b');
  number.textContent = value;
  made.append(`${name} `, number);
  return made;
}
