// SPDX-License-Identifier: MIT
import { element } from '../element.js';
import { sizeOf } from '../size.js';

/**
 * A file of a repository, or all parts of a split one by the name of the first.
 * @typedef {{ path: string, bytes: number }} ListedFile
 */

const FOLDER = /^(https:\/\/huggingface\.co)\/([\w.-]+\/[\w.-]+)\/resolve\/([^/]+)\/$/;
const PART = /-(\d{5})-of-\d{5}\.gguf$/i;
/** The part of a model that looks at pictures, which is no model by itself. */
const PROJECTOR = /mmproj/i;

/**
 * The GGUF files of a repository of the hub that is no checkpoint: one of them is meant, and which one
 * its name does not say. The hub is asked for the list, and no file for a byte.
 *
 * @param {URL} url of the folder
 * @param {AbortSignal} signal
 * @returns {Promise<ListedFile[]>} none for what is no such repository, or where the hub does not say
 */
export async function filesToChoose(url, signal) {
  const [, hub, repository, revision] = FOLDER.exec(url.href) ?? [];
  if (!hub) return [];
  const list = `${hub}/api/models/${repository}/tree/${revision}?recursive=true`;
  const response = await fetch(list, { signal, credentials: 'omit' }).catch(() => undefined);
  // What is wrong is said of the files themselves, which come next.
  if (!response?.ok) return [];
  /** @type {unknown} */
  const listed = await response.json();
  const files = Array.isArray(listed) ? listed.filter(isFile) : [];
  if (files.some(({ path }) => /\.safetensors$/i.test(path))) return [];
  return joined(files.filter(({ path }) => /\.gguf$/i.test(path) && !PROJECTOR.test(path)));
}

/** @type {(entry: unknown) => entry is { path: string, size: number }} */
function isFile(entry) {
  const { path, size } = /** @type {{ path?: unknown, size?: unknown }} */ (entry ?? {});
  return typeof path === 'string' && typeof size === 'number';
}

/** @param {{ path: string, size: number }[]} files */
function joined(files) {
  /** @type {Map<string, ListedFile>} */
  const models = new Map();
  for (const { path, size } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = path.replace(PART, '');
    const model = models.get(name) ?? { path, bytes: 0 };
    models.set(name, { ...model, bytes: model.bytes + size });
  }
  return [...models.values()].sort((a, b) => a.bytes - b.bytes);
}

/**
 * Shows them, or takes them away if there are none.
 *
 * @param {URL} url of the folder
 * @param {ListedFile[]} files
 * @param {(address: URL) => void} onChoose
 */
export function showChoices(url, files, onChoose) {
  element('choices').hidden = files.length === 0;
  const rows = files.map(({ path, bytes }) => {
    const choose = document.createElement('button');
    choose.type = 'button';
    choose.textContent = path;
    choose.addEventListener('click', () => {
      onChoose(new URL(path.split('/').map(encodeURIComponent).join('/'), url));
    });
    const row = document.createElement('li');
    row.append(choose, ` ${sizeOf(bytes)}`);
    return row;
  });
  element('choices-list').replaceChildren(...rows);
}
