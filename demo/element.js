// SPDX-License-Identifier: MIT

/**
 * The element of the page that has an id.
 *
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} [kind] what it is, where more than an HTMLElement is wanted
 * @returns {Kind}
 */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof (kind ?? HTMLElement)) return /** @type {Kind} */ (found);
  throw new TypeError(`the page has no ${kind?.name ?? 'element'} '${id}'`);
}
