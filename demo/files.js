// SPDX-License-Identifier: MIT
import { element } from './element.js';

/**
 * Calls `open` with a file that is picked, or dropped anywhere on the page.
 *
 * @param {(file: File) => void} open
 */
export function listenForFiles(open) {
  const input = element('file', HTMLInputElement);
  element('open').addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    // The same file may be picked again, after an error for instance.
    input.value = '';
    if (file) open(file);
  });

  const hint = element('drop-hint');
  /** @param {DragEvent} event */
  const carriesFile = (event) => event.dataTransfer?.types.includes('Files');
  // Every element entered sends an event of its own: the pointer is outside at as many leaves.
  let inside = 0;
  /** @param {number} count */
  const show = (count) => {
    inside = Math.max(0, count);
    hint.classList.toggle('shown', inside > 0);
  };
  addEventListener('dragenter', (event) => carriesFile(event) && show(inside + 1));
  addEventListener('dragleave', (event) => carriesFile(event) && show(inside - 1));
  addEventListener('dragover', (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
  });
  addEventListener('drop', (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    show(0);
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
}
