// SPDX-License-Identifier: MIT
//
// One document as HTML that a page without inline scripts and styles can show.

import MarkdownIt from 'markdown-it';

/**
 * @import Token from 'markdown-it/lib/token.mjs'
 * @import { Highlighter } from './highlight.mjs'
 */

/**
 * @typedef {object} Heading
 * @property {number} level 1 to 6
 * @property {string} id
 * @property {string} text
 *
 * @typedef {object} Rendered
 * @property {string} html
 * @property {Heading[]} headings
 * @property {string} summary the first paragraph, without its marks
 */

/**
 * @typedef {object} Place
 * @property {string | undefined} address undefined leaves a link's words without a link
 * @property {string} [title] what a link says that says no more than the name of a file
 */

/**
 * @param {string} text Markdown as GitHub reads it
 * @param {(target: string) => Place} placeOf where a link or a picture leads
 * @param {Highlighter} [highlight]
 * @returns {Rendered}
 */
export function render(text, placeOf, highlight = (code) => [{ text: code }]) {
  const markdown = new MarkdownIt({ html: true });
  markdown.renderer.rules.table_open = () =>
    '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
  // What is too wide for a phone is scrolled, by keys too.
  markdown.renderer.rules.fence = (tokens, place) => {
    const { content, info } = tokens[place];
    const [language] = info.trim().split(/\s+/);
    const pieces = highlight(content, language).map(({ text: piece, kind }) => {
      const words = markdown.utils.escapeHtml(piece);
      return kind && kind !== 'plain' ? `<span class="${kind}">${words}</span>` : words;
    });
    return `<pre tabindex="0"><code>${pieces.join('')}</code></pre>\n`;
  };
  markdown.renderer.rules.html_block = rawHtml;
  markdown.renderer.rules.html_inline = rawHtml;

  const tokens = markdown.parse(text, {});
  const headings = nameHeadings(tokens);
  emptyHeadings(tokens);
  for (const { children } of tokens) placeLinks(children ?? [], placeOf);
  const html = markdown.renderer.render(tokens, markdown.options, {});
  const first = tokens.findIndex(({ type }) => type === 'paragraph_open');
  return { html, headings, summary: first < 0 ? '' : wordsOf(tokens[first + 1]) };
}

/** @type {(tokens: Token[], place: number) => string} */
function rawHtml(tokens, place) {
  const html = tokens[place].content.replace(/<!--[\s\S]*?-->\n?/g, '');
  if (/<(script|style|iframe|link|meta)\b|\s(on\w+|style)\s*=/i.test(html)) {
    throw new Error(`no page of ours may have this: ${html.trim()}`);
  }
  return html;
}

/**
 * Gives every heading the id that GitHub gives it.
 *
 * @param {Token[]} tokens
 * @returns {Heading[]}
 */
function nameHeadings(tokens) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const headings = [];
  for (const [place, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const words = wordsOf(tokens[place + 1]);
    const name = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    const id = earlier > 0 ? `${name}-${earlier}` : name;
    token.attrSet('id', id);
    headings.push({ level: Number(token.tag.slice(1)), id, text: words });
  }
  return headings;
}

/** @param {Token} inline @returns {string} */
function wordsOf({ children }) {
  const words = (children ?? []).map(({ type, content }) =>
    type === 'softbreak' ? ' ' : type === 'html_inline' ? '' : content,
  );
  return words.join('').trim();
}

/** @type {(tokens: Token[], placeOf: (target: string) => Place) => void} */
function placeLinks(tokens, placeOf) {
  let isLink = true;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'link_open') {
      const { address, title } = placeOf(String(token.attrGet('href')));
      isLink = address !== undefined;
      if (address !== undefined) token.attrSet('href', address);
      const words = tokens[index + 1];
      if (title && /^\S+\.md$/.test(words.content)) words.content = title;
    } else if (token.type === 'image') {
      const { address } = placeOf(String(token.attrGet('src')));
      if (!address || /^[a-z]+:/i.test(address)) {
        throw new Error(`${token.attrGet('src')} is no part of the site`);
      }
      token.attrSet('src', address);
    }
    // A link without an address is an empty text at both its ends.
    if (/^link_/.test(token.type) && !isLink) token.type = 'text';
  }
}

// Nothing is the heading of a column that has none, nor tables where none has one.
/** @param {Token[]} tokens */
function emptyHeadings(tokens) {
  const isEmpty = (/** @type {number} */ place) => tokens[place + 1].content === '';
  for (const [place, { type }] of tokens.entries()) {
    if (type !== 'thead_open') continue;
    const end = tokens.findIndex((token, index) => index > place && token.type === 'thead_close');
    const cells = [];
    for (let index = place; index < end; index++) {
      if (tokens[index].type === 'th_open') cells.push(index);
    }
    for (const cell of cells.filter(isEmpty)) {
      tokens[cell].tag = 'td';
      tokens[cell + 2].tag = 'td';
    }
    if (cells.every(isEmpty)) {
      for (let index = place; index <= end; index++) tokens[index].hidden = true;
    }
  }
}
