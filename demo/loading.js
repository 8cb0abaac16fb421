// SPDX-License-Identifier: MIT
import { element } from './element.js';
import { EMBEDDED } from './embedded.js';

/** @import { KeptModel } from './talk/handed-model.js' */

/** The one model that the page has, and the bar that fills while another comes. */
export class ModelLoading {
  #loading = element('loading');
  #text = element('loading-text');
  #bar = element('progress', HTMLProgressElement);
  /** @type {AbortController | undefined} */
  #aborter;

  constructor() {
    element('cancel').addEventListener('click', () => this.cancel());
  }

  /** @type {import('fastweights').Model | undefined} the one that is loaded */
  model;
  /** Whether it is the page's own. */
  embedded = false;

  get busy() {
    return this.#aborter !== undefined;
  }

  /**
   * Loads a model in place of the one there is, which stays until the new one is complete: after an
   * error it can go on.
   *
   * @param {File | KeptModel} [given] the page's own model when left out
   * @returns {Promise<boolean>} false when it was cancelled
   * @throws what `loadModel` throws
   */
  async load(given) {
    this.cancel();
    const aborter = new AbortController();
    this.#aborter = aborter;
    const name = given?.name ?? EMBEDDED.title;
    const address = given && 'address' in given ? given.address : undefined;
    this.#show(`Loading ${name}`);
    try {
      // The package itself is not loaded before it is wanted.
      const { isKept, loadModel, ModelError } = await import('fastweights');
      // This page may ask no other server, which is what a model that was deleted meanwhile would take.
      if (address !== undefined && !(await isKept(address))) {
        throw new ModelError(
          'not_found',
          `this browser does not keep ${name} any more; the Models page can load it again`,
        );
      }
      const model = await loadModel(address ?? /** @type {File} */ (given) ?? EMBEDDED.url, {
        signal: aborter.signal,
        // What is kept is not asked for again.
        cache: address !== undefined,
        onProgress: (progress) => {
          if (this.#aborter === aborter) this.#progress(name, progress);
        },
      });
      await this.model?.dispose();
      this.model = model;
      this.embedded = given === undefined;
      return true;
    } catch (error) {
      if (aborter.signal.aborted) return false;
      throw error;
    } finally {
      if (this.#aborter === aborter) {
        this.#aborter = undefined;
        this.#loading.hidden = true;
      }
    }
  }

  cancel() {
    this.#aborter?.abort();
  }

  /** The model's worker is lost, and the model with it. */
  forget() {
    this.model?.dispose();
    this.model = undefined;
    this.embedded = false;
  }

  /** @param {string} text */
  #show(text) {
    this.#text.textContent = text;
    this.#bar.removeAttribute('value');
    this.#loading.hidden = false;
    this.#loading.scrollIntoView({ block: 'nearest' });
  }

  /** @type {(name: string, progress: import('fastweights').LoadProgress) => void} */
  #progress(name, { loaded, total }) {
    /** @param {number} bytes */
    const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
    if (total) this.#bar.value = loaded / total;
    const of = total ? ` of ${megabytes(total)}` : '';
    this.#text.textContent = `Loading ${name}: ${megabytes(loaded)}${of} MB`;
  }
}
