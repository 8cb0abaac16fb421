// SPDX-License-Identifier: MIT

const isPart = (char: string | undefined) => char !== undefined && /[\w.+-]/.test(char);

/**
 * A beginning of a JSON text without the white space between its parts. Where two parts would become
 * one, and behind a number that may go on, it stays: no text that is written has it there.
 */
export function withoutSpace(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"?|[ \t\n\r]+/gs, (found, at: number) => {
    if (found.startsWith('"')) return found;
    const end = at + found.length;
    return isPart(text[at - 1]) && (end === text.length || isPart(text[end])) ? found : '';
  });
}
