// SPDX-License-Identifier: MIT
import { css, mix, pageColour } from './heat.js';
import { amount, decayOf } from './state-words.js';

/** @import { LayerState, SessionState } from 'fastweights' */

// In the canvas's own pixels, of which a screen may show fewer or more.
const TILE = { width: 72, height: 48, gap: 6 };
const BAR = 8;
// Norms of two heads differ a thousandfold: colours go by their logarithm, from here to the largest.
const FAINTEST = 1 / 300;

/** Every head of every layer as a tile; a press chooses one. */
export class HeadsMap {
  #canvas;
  /** @type {SessionState | undefined} */
  #drawn;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(layer: number, head: number) => void} choose
   */
  constructor(canvas, choose) {
    this.#canvas = canvas;
    canvas.addEventListener('click', ({ offsetX, offsetY }) => {
      const scale = canvas.width / canvas.clientWidth;
      const head = Math.floor((offsetX * scale) / (TILE.width + TILE.gap));
      const row = Math.floor((offsetY * scale) / (TILE.height + TILE.gap));
      const layer = this.#drawn?.layers[row];
      if (layer && head < layer.heads) choose(layer.layer, head);
    });
  }

  /**
   * @param {SessionState} state of all layers
   * @param {{ layer: number, head: number } | undefined} focus
   */
  draw(state, focus) {
    this.#drawn = state;
    const { layers } = state;
    const columns = Math.max(1, ...layers.map(({ heads }) => heads));
    const width = columns * (TILE.width + TILE.gap);
    const height = Math.max(1, layers.length) * (TILE.height + TILE.gap);
    const canvas = this.#canvas;
    if (canvas.width !== width || canvas.height !== height)
      Object.assign(canvas, { width, height });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.clearRect(0, 0, width, height);
    const most = Math.max(...layers.map(({ norms }) => Math.max(...norms)));
    for (const [row, layer] of layers.entries()) {
      for (const head of layer.norms.keys()) {
        const at = {
          x: head * (TILE.width + TILE.gap) + TILE.gap / 2,
          y: row * (TILE.height + TILE.gap) + TILE.gap / 2,
        };
        tile(context, at, layer, head, most);
        if (focus?.layer !== layer.layer || focus.head !== head) continue;
        context.strokeStyle = css(pageColour('--ink'));
        context.lineWidth = 3;
        context.strokeRect(at.x - 1.5, at.y - 1.5, TILE.width + 3, TILE.height + 3);
      }
    }
  }

  /** @param {SessionState} state */
  describe({ layers, tokens }) {
    const norms = layers.flatMap((layer) => [...layer.norms]);
    const range = `norms from ${amount(Math.min(...norms))} to ${amount(Math.max(...norms))}`;
    this.#canvas.ariaLabel =
      layers.length === 0
        ? 'No states'
        : `The states of ${norms.length} heads in ${layers.length} layers after ${tokens} tokens, ${range}`;
  }
}

/** @type {(context: CanvasRenderingContext2D, at: { x: number, y: number }, layer: LayerState, head: number, most: number) => void} */
function tile(context, { x, y }, layer, head, most) {
  const { width, height } = TILE;
  const norm = layer.norms[head];
  const share = most > 0 ? 1 - Math.log(Math.max(norm / most, FAINTEST)) / Math.log(FAINTEST) : 0;
  context.fillStyle = css(mix(pageColour('--line'), pageColour('--positive'), 0.9 * share));
  context.fillRect(x, y, width, height);
  // A square as large a part of the tile as what was written is of what is there now.
  const written = layer.last?.writeNorms[head];
  if (written !== undefined && norm > 0) {
    const side = (height - BAR - 8) * Math.sqrt(Math.min(1, written / norm));
    context.fillStyle = css(pageColour('--negative'));
    context.fillRect(x + (width - side) / 2, y + (height - BAR - side) / 2, side, side);
  }
  const decay = decayOf(layer, head);
  if (decay === undefined) return;
  context.fillStyle = css(pageColour('--card'));
  context.fillRect(x, y + height - BAR, width, BAR);
  context.fillStyle = css(pageColour('--soft'));
  context.fillRect(x, y + height - BAR, width * Math.min(1, decay), BAR);
}
