// SPDX-License-Identifier: MIT
import { modelCache } from 'fastweights';
import { element } from '../element.js';
import { sizeOf } from '../size.js';
import { talkAddress } from '../talk/handed-model.js';

/** @import { CacheEntry } from 'fastweights' */

/** The models that this browser keeps. */
export class KeptModels {
  #table = element('kept', HTMLTableElement);
  #words = element('kept-words');
  #onUse;

  /** @param {(address: string) => void} onUse called with the address of one that is to be looked at */
  constructor(onUse) {
    this.#onUse = onUse;
  }

  async show() {
    try {
      const entries = await modelCache.list({ incomplete: true });
      const rows = entries.map((entry) => this.#row(entry));
      this.#table.tBodies[0].replaceChildren(...rows);
      this.#table.hidden = entries.length === 0;
      this.#words.textContent = `${total(entries)} ${await quota()}`;
    } catch (error) {
      this.#table.hidden = true;
      this.#words.textContent = `This browser keeps no models for this page: ${/** @type {Error} */ (error).message}`;
    }
  }

  /** @param {CacheEntry} entry */
  #row({ key, url, bytes, date, incomplete, of }) {
    const row = document.createElement('tr');
    const name = document.createElement('th');
    name.scope = 'row';
    name.textContent = key;
    row.append(name);
    const size = row.insertCell();
    size.className = 'number';
    size.textContent = sizeOf(bytes);
    row.insertCell().textContent = incomplete
      ? `begun${of ? `, of ${sizeOf(of)}` : ''}; goes on with the next load`
      : date.slice(0, 10);
    const use = button('Look at it', `Look at ${key}`);
    use.addEventListener('click', () => this.#onUse(url));
    const actions = row.insertCell();
    if (!incomplete && isModel(new URL(url).pathname)) actions.append(talkLink(url, key), ' ');
    actions.append(use, ' ', this.#deleting(key));
    return row;
  }

  // The first press only asks: a download may have taken an hour.
  /** @param {string} key */
  #deleting(key) {
    const remove = button('Delete', `Delete ${key}`);
    let asked = false;
    remove.addEventListener('click', async () => {
      if (!asked) {
        asked = true;
        remove.textContent = 'Delete for good?';
        remove.ariaLabel = `Delete ${key} for good?`;
        return;
      }
      try {
        await modelCache.delete(key);
        await this.show();
        element('kept-title').focus();
      } catch (error) {
        this.#words.textContent = `It could not be deleted: ${/** @type {Error} */ (error).message}`;
      }
    });
    remove.addEventListener('blur', () => {
      asked = false;
      remove.textContent = 'Delete';
      remove.ariaLabel = `Delete ${key}`;
    });
    return remove;
  }
}

// A file of a checkpoint is no model by itself, and of a split one the first part leads to the others.
/** @param {string} path */
const isModel = (path) => /\.gguf$/i.test(path) && !/-(?!00001)\d{5}-of-\d{5}\.gguf$/i.test(path);

/** @type {(url: string, name: string) => HTMLAnchorElement} */
function talkLink(url, name) {
  const link = document.createElement('a');
  link.href = talkAddress(url);
  link.textContent = 'Write and talk';
  link.ariaLabel = `Write and talk with ${name}`;
  return link;
}

/** @type {(text: string, label: string) => HTMLButtonElement} */
function button(text, label) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.ariaLabel = label;
  return made;
}

/** @param {CacheEntry[]} entries */
function total(entries) {
  if (entries.length === 0)
    return 'None yet: a model from an address can be kept when it is loaded.';
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return `${sizeOf(bytes)} in ${entries.length} ${entries.length === 1 ? 'file' : 'files'}.`;
}

async function quota() {
  const { usage, quota: most } = (await navigator.storage?.estimate?.()) ?? {};
  if (most === undefined) return 'This browser does not say how much room there is.';
  return `This site uses ${sizeOf(usage ?? 0)} of the ${sizeOf(most)} that the browser gives it.`;
}
