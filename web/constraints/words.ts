// SPDX-License-Identifier: MIT

/** How the literal values of JSON are written; other formats have words of their own. */
export interface Words {
  true: string;
  false: string;
  null: string;
}

export const JSON_WORDS: Words = { true: 'true', false: 'false', null: 'null' };
