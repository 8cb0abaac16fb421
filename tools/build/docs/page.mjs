// SPDX-License-Identifier: MIT
//
// What stands around a guide: the site's frame, the other guides, what is on this page.

/** @import { Rendered } from './markdown.mjs' */

const kPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
];

/** The pages of the site, by the files that they are. */
const kSite = [
  ['index.html', 'Write and talk'],
  ['held.html', 'Held to a form'],
  ['device.html', 'Your device'],
  ['models.html', 'Models'],
  ['how.html', 'How it works'],
];

/**
 * @param {string} root how a page gets to the site's first page: `../` or more of them
 * @param {'page' | 'true'} current whether this is the documentation's first page or one of its others
 */
export function siteNav(root, current) {
  const links = kSite.map(([file, name]) => `<a href="${root}${file}">${name}</a>`).join('');
  return (
    `<nav class="site" aria-label="Site"><a class="home" href="${root}index.html">fastweights</a>` +
    `${links}<a href="${root}docs/index.html" aria-current="${current}">Documentation</a></nav>`
  );
}

/** @param {string} policy */
export const policyTag = (policy) =>
  `<meta http-equiv="Content-Security-Policy" content="${policy}">`;

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * @param {object} guide
 * @param {string} guide.file its own
 * @param {string} guide.title
 * @param {Rendered} guide.rendered
 * @param {{ file: string, title: string }[]} guides all of them, in the order of reading
 * @param {string | undefined} reference the API reference's first page
 * @returns {string} the whole page
 */
export function guidePage({ file, title, rendered }, guides, reference) {
  const { html, headings, summary } = rendered;
  const place = guides.findIndex((guide) => guide.file === file);
  const name = file === 'index.html' ? 'Documentation' : title;
  /** @type {(guide: { file: string, title: string }, rel?: string) => string} */
  const link = (guide, rel) => {
    const current = guide.file === file ? ' aria-current="page"' : '';
    const relation = rel ? ` rel="${rel}"` : '';
    return `<a href="${guide.file}"${relation}${current}>${escaped(guide.title)}</a>`;
  };
  const sections = headings.filter(({ level }) => level === 2);
  const inside = sections.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`);
  const [index, ...rest] = guides;
  const others = rest.map((guide) => `<li>${link(guide)}</li>`);
  if (reference) others.push(`<li><a href="${reference}">API reference</a></li>`);
  const [before, after] = place < 0 ? [] : [guides[place - 1], guides[place + 1]];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policyTag(kPolicy.join('; '))}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(summary.slice(0, 160))}">
<title>${escaped(name)}: fastweights</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../site.css">
<link rel="stylesheet" href="docs.css">
</head>
<body>
${siteNav('../', file === 'index.html' ? 'page' : 'true')}
<div class="desk">
<main>
<p class="elsewhere"><a href="#guides">All guides</a></p>
${html}
<p class="neighbours">${before ? link(before, 'prev') : ''}${after ? link(after, 'next') : ''}</p>
</main>
<nav class="guides" id="guides" aria-labelledby="guides-title">
<h2 id="guides-title">${link(index)}</h2>
<ul>${others.join('')}</ul>
</nav>
${
  inside.length > 1
    ? `<nav class="inside" aria-labelledby="inside-title">
<h2 id="inside-title">On this page</h2>
<ul>${inside.join('')}</ul>
</nav>`
    : ''
}
</div>
</body>
</html>
`;
}
