// SPDX-License-Identifier: MIT
// Quantities in words, the same on the whole page.
import { count } from '../count.js';

/** @param {number} ms */
export function time(ms) {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** @param {number} value */
export const rate = (value) => (value >= 10 ? value.toFixed(0) : value.toFixed(1));

/** @type {(value: number, word: string) => string} */
export const some = (value, word) => `${count(value)} ${word}${value === 1 ? '' : 's'}`;

/**
 * An element with what is in it.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} className
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, className, ...children) {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** @type {(text: string, className: string, onClick: () => void) => HTMLButtonElement} */
export function button(text, className, onClick) {
  const made = make('button', className, text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}
