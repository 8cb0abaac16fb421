// SPDX-License-Identifier: MIT
import { element } from '../element.js';

/**
 * Calls `open` with files that are picked, or dropped anywhere on the page; of folders with all that
 * are in them.
 *
 * @param {(files: File[]) => void} open
 */
export function listenForFiles(open) {
  for (const [button, id] of [
    ['pick-files', 'files'],
    ['pick-folder', 'folder'],
  ]) {
    const input = element(id, HTMLInputElement);
    element(button).addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      const files = [...(input.files ?? [])];
      // The same ones may be picked again, after an error for instance.
      input.value = '';
      if (files.length > 0) open(files);
    });
  }
  const hint = element('drop-hint');
  // Every element entered sends an event of its own: the pointer is outside at as many leaves.
  let inside = 0;
  /** @param {number} count */
  const show = (count) => {
    inside = Math.max(0, count);
    hint.classList.toggle('shown', inside > 0);
  };
  /** @param {DragEvent} event */
  const carriesFiles = (event) => event.dataTransfer?.types.includes('Files');
  addEventListener('dragenter', (event) => carriesFiles(event) && show(inside + 1));
  addEventListener('dragleave', (event) => carriesFiles(event) && show(inside - 1));
  addEventListener('dragover', (event) => {
    if (carriesFiles(event)) event.preventDefault();
  });
  addEventListener('drop', async (event) => {
    if (!carriesFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    show(0);
    const files = await filesOf(event.dataTransfer);
    if (files.length > 0) open(files);
  });
}

/** @param {DataTransfer} transfer */
async function filesOf({ items, files }) {
  // Both are gone after the event, so all entries are taken at once.
  const plain = [...files];
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some((entry) => entry.isDirectory)) return plain;
  return (await Promise.all(entries.map(filesIn))).flat();
}

/** @param {FileSystemEntry} entry @returns {Promise<File[]>} */
async function filesIn(entry) {
  if (entry.isFile) {
    const file = /** @type {FileSystemFileEntry} */ (entry);
    return [await new Promise((resolve, reject) => file.file(resolve, reject))];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const found = [];
  for (;;) {
    // A hundred at a time, and none at the end.
    const more = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (more.length === 0) return found;
    found.push(...(await Promise.all(more.filter(isFileEntry).map(filesIn))).flat());
  }
}

// A checkpoint lies in one folder: what is in folders of that is something else.
/** @param {FileSystemEntry} entry */
const isFileEntry = (entry) => entry.isFile;
