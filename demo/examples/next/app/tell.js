// SPDX-License-Identifier: MIT

/**
 * An error with what is under it, which often says more.
 *
 * @param {any} error
 * @returns {string}
 */
export function tell({ name, code, message, cause }) {
  const own = `${name}${code ? ` (${code})` : ''}: ${message}`;
  return cause ? `${own}\n${tell(cause)}` : own;
}
