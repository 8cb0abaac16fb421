// SPDX-License-Identifier: MIT
import { drawPicture } from './pixels.js';

/** The stored pictures, one of which is chosen: radio buttons, so that arrow keys move. */
export class StoredPairs {
  #place;
  /** @type {{ label: HTMLElement, input: HTMLInputElement, canvas: HTMLCanvasElement }[]} */
  #shown = [];

  /**
   * @param {HTMLElement} place
   * @param {() => void} onChoose
   */
  constructor(place, onChoose) {
    this.#place = place;
    place.addEventListener('change', onChoose);
  }

  /** The chosen pair; the first, as long as nobody chose. */
  get chosen() {
    const index = this.#shown.findIndex(({ input }) => input.checked);
    return Math.max(0, index);
  }

  /**
   * Draws what is stored; what stays is left alone, so that it keeps the keyboard's focus.
   * @param {Float32Array[]} pictures
   */
  show(pictures) {
    for (const { label } of this.#shown.splice(pictures.length)) label.remove();
    for (let pair = this.#shown.length; pair < pictures.length; pair++) {
      this.#shown.push(this.#add(pair));
      // Of many, the newest are in sight.
      this.#place.scrollTop = this.#place.scrollHeight;
    }
    if (!this.#shown.some(({ input }) => input.checked) && this.#shown.length > 0) {
      this.#shown[0].input.checked = true;
    }
    for (const [pair, { canvas }] of this.#shown.entries()) drawPicture(canvas, pictures[pair]);
  }

  /** @param {number} pair */
  #add(pair) {
    const label = document.createElement('label');
    const input = document.createElement('input');
    const canvas = document.createElement('canvas');
    Object.assign(input, { type: 'radio', name: 'chosen', value: String(pair) });
    input.ariaLabel = `Pair ${pair + 1}`;
    label.append(input, canvas);
    this.#place.append(label);
    return { label, input, canvas };
  }
}
