// SPDX-License-Identifier: MIT

/** @import { ModelSource } from 'fastweights' */

/**
 * A model that has been named, and not loaded.
 * @typedef {{ name: string, model: ModelSource, isAddress: boolean }} Source
 */

/** @param {URL} url @returns {Source} */
export function sourceOfAddress(url) {
  const parts = decodeURIComponent(url.pathname).split('/').filter(Boolean);
  return {
    name: parts.at(-1) === 'main' ? parts.slice(0, 2).join('/') : (parts.at(-1) ?? url.host),
    model: url.href,
    isAddress: true,
  };
}

/**
 * @param {File[]} files
 * @returns {Source}
 * @throws Error in words where they are no one model
 */
export function sourceOfFiles(files) {
  const [first] = files;
  const isGguf = (/** @type {File} */ { name }) => name.toLowerCase().endsWith('.gguf');
  if (files.length === 1) return { name: first.name, model: first, isAddress: false };
  if (files.every(isGguf)) {
    // Their names end in their numbers.
    const parts = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
    return { name: parts[0].name, model: parts, isAddress: false };
  }
  if (files.some(isGguf)) {
    throw new Error(
      'There are GGUF files and others among these. Choose one model: a GGUF, all parts of a split one, or a checkpoint’s files.',
    );
  }
  if (!files.some(({ name }) => name === 'config.json')) {
    throw new Error('A checkpoint has a config.json, which is not among these files.');
  }
  const folder = first.webkitRelativePath.split('/')[0];
  return { name: folder || 'The checkpoint', model: files, isAddress: false };
}
