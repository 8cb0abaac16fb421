// SPDX-License-Identifier: MIT
//
// Code in colours, by the grammars that typedoc brings along. A page may have no inline styles, so what a
// word is becomes its class, and docs.css says how that looks.

import {
  bundledLanguages,
  codeToTokensWithThemes,
  createOnigurumaEngine,
  createShikiInternal,
  loadBuiltinWasm,
} from '@gerrit0/mini-shiki';

const kLanguages = /** @type {const} */ (['ts', 'tsx', 'js', 'jsx', 'html', 'json', 'sh']);

/** The classes, and what grammars call the words that have them. The last that fits a word counts. */
const kKinds = {
  keyword: [
    ...['keyword', 'keyword.operator.new', 'keyword.operator.expression', 'storage'],
    ...['constant.language', 'variable.language', 'support.type.primitive'],
  ],
  plain: ['keyword.operator', 'punctuation', 'string.unquoted'],
  name: ['entity.name.function', 'entity.name.tag', 'support.function'],
  number: ['constant.numeric', 'constant.other'],
  string: ['string', 'punctuation.definition.string', 'constant.character'],
  comment: ['comment', 'punctuation.definition.comment'],
};

// A theme gives words colours; these are the classes' numbers.
const colourOf = (/** @type {number} */ place) => `#${String(place + 1).padStart(6, '0')}`;
const kTheme = {
  name: 'classes',
  settings: [
    { settings: { foreground: '#FFFFFF', background: '#000000' } },
    ...Object.values(kKinds).map((scope, place) => ({
      scope,
      settings: { foreground: colourOf(place) },
    })),
  ],
};
const kClasses = new Map(Object.keys(kKinds).map((kind, place) => [colourOf(place), kind]));

/**
 * @typedef {(code: string, language: string) => { text: string, kind?: string }[]} Highlighter gives the
 *     pieces of the code, which together are all of it; one where the language is not known
 */

/** @returns {Promise<Highlighter>} */
export async function makeHighlighter() {
  await loadBuiltinWasm();
  const shiki = await createShikiInternal({
    engine: await createOnigurumaEngine(),
    langs: kLanguages.map((language) => bundledLanguages[language]),
    themes: [kTheme],
  });
  return (code, language) => {
    const lang = kLanguages.find((known) => known === language);
    if (!lang) return [{ text: code }];
    const lines = codeToTokensWithThemes(shiki, code, {
      lang,
      themes: { page: kTheme.name },
      // By default a line that takes half a second is left as it is, as on busy machines the first does.
      tokenizeTimeLimit: 0,
    });
    return lines.flatMap((line, place) => [
      ...(place > 0 ? [{ text: '\n' }] : []),
      ...line.map(({ content, variants }) => ({
        text: content,
        kind: kClasses.get(variants.page.color ?? ''),
      })),
    ]);
  };
}
