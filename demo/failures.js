// SPDX-License-Identifier: MIT
import { element } from './element.js';

// What each ModelError code means to somebody who has never heard of it.
/** @type {Record<import('fastweights').ModelErrorCode, string>} */
const PLAIN = {
  invalid_header: 'This is not a GGUF model, or its beginning is damaged.',
  truncated: 'The file ends too early: the download or copy was probably cut short.',
  unsupported_type: 'The weights are stored in a format that is not supported yet.',
  unsupported_architecture: 'This kind of model is not supported yet.',
  invalid_metadata: 'The file contradicts itself about what model it is.',
  missing_tensor: 'A part of the model is missing from the file.',
  shape_mismatch: 'A part of the model has the wrong size.',
  not_finite: 'The weights of this model are damaged.',
  unsupported_tokenizer: 'The model cuts text into tokens in a way that is not supported yet.',
  chat_template: 'This model cannot be asked: it only continues texts.',
  network:
    'The model could not be downloaded. Is the connection up, and does its server let other sites’ pages read it (CORS)?',
  not_found: 'The model is not where it should be.',
  cache_unavailable: 'This browser does not let the page keep the model.',
  integrity: 'The model is not the file that was expected.',
  wrong_model: 'This belongs to another model.',
  out_of_memory: 'There is not enough memory for this model.',
  context_full: 'The text has become too long for this model.',
  disposed: 'The model has been closed.',
  worker: 'The background thread that runs the model failed.',
  wasm: 'This browser could not start the WebAssembly program.',
};

/**
 * @param {unknown} error
 * @returns {{ title: string, code: string, detail: string }} an error in plain words
 */
export function explain(error) {
  /** @type {{ code?: import('fastweights').ModelErrorCode, name?: string, message?: string }} */
  const { code, name = 'Error', message = String(error) } = error ?? {};
  return {
    title: (code && PLAIN[code]) ?? 'Something went wrong.',
    code: typeof code === 'string' ? code : name,
    detail: message,
  };
}

/** Shows an error until the next attempt. */
export class FailureNotice {
  #notice = element('failure');

  /** @param {unknown} error */
  show(error) {
    const { title, code, detail } = explain(error);
    element('failure-title').textContent = title;
    element('failure-code').textContent = code;
    element('failure-detail').textContent = detail;
    this.#notice.hidden = false;
    this.#notice.scrollIntoView({ block: 'nearest' });
  }

  clear() {
    this.#notice.hidden = true;
  }
}
