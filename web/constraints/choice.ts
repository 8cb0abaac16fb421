// SPDX-License-Identifier: MIT
import { automaton, choice, literal } from './automaton.js';
import type { CodePoints } from './code-points.js';
import { Terminal } from './terminal.js';

/** One of some texts; undefined where none of them can be written. */
export function choiceTerminal(
  options: readonly string[],
  allowed: CodePoints,
): Terminal | undefined {
  const terminal = new Terminal(automaton(choice(...options.map(literal)), allowed));
  return terminal.start && terminal;
}
