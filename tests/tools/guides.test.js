// SPDX-License-Identifier: MIT
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeGuides } from '../../tools/build/docs/guides.mjs';

const folder = mkdtempSync(join(tmpdir(), 'guides-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the pages of a project of these files, and gives what reads one of them. */
async function pages(files, options) {
  const project = mkdtempSync(join(folder, 'project-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const target = join(project, 'site/docs');
  await writeGuides(target, { project, ...options });
  return (name) => readFileSync(join(target, name), 'utf8');
}

const index = '# Guides\n\n- [Second](second.md)\n- [First](first.md)\n';
const main = (page) => /<main>([\s\S]*)<\/main>/.exec(page)[1];

test('links lead to pages, pictures and files of the site', async () => {
  const read = await pages({
    'docs/README.md': index,
    'docs/first.md': `# First

To [second.md](second.md#a-part), [itself](#first), [elsewhere](https://example.org/a.md), [a page](../demo/index.html),
[the design](../DESIGN.md), [a source](../web/index.ts) and [a folder](../web/).

![A picture](images/page.png)
`,
    'docs/second.md': '# Another name\n\n## A part\n',
    'docs/images/page.png': 'png',
    'demo/index.html': '',
    'DESIGN.md': '# Design\n\n[First](docs/first.md)\n',
    'web/index.ts': '',
  });
  const text = main(read('first.html'));
  for (const link of [
    // What says no more than a file's name says its title.
    '<a href="second.html#a-part">Another name</a>',
    '<a href="#first">itself</a>',
    '<a href="https://example.org/a.md">elsewhere</a>',
    '<a href="../index.html">a page</a>',
    '<a href="design.html">the design</a>',
    ', a source and a folder.',
    '<img src="images/page.png" alt="A picture">',
  ]) {
    expect(text.replaceAll('\n', ' ')).toContain(link);
  }
  expect(read('images/page.png')).toBe('png');
  expect(main(read('design.html'))).toContain('<a href="first.html">First</a>');
});

test('guides are in the order of the index, and those that it does not name come last', async () => {
  const files = {
    'docs/README.md': index,
    'docs/alone.md': '# Alone\n',
    'docs/first.md': '# First\n\n## One\n\n## `Two` & *three*\n',
    'docs/second.md': '# Second\n',
  };
  const read = await pages(files, { withReference: true });
  const page = read('first.html');
  const listed = /<nav class="guides"[\s\S]*?<ul>(.*)<\/ul>/.exec(page)[1];
  expect(listed.match(/(?<=href=")[^"]+/g)).toEqual([
    ...['second.html', 'first.html', 'alone.html', 'api/index.html'],
  ]);
  expect(listed).toContain('<a href="first.html" aria-current="page">First</a>');
  expect(page).toContain('<a href="second.html" rel="prev">');
  expect(page).toContain('<a href="alone.html" rel="next">');
  expect(page).toContain('<li><a href="#two--three">Two &amp; three</a></li>');
  expect(page).toContain('<a href="../docs/index.html" aria-current="true">Documentation</a>');
  expect(read('index.html')).toContain('<a href="../docs/index.html" aria-current="page">');
});

test('remarks are left out, and tables need no headings', async () => {
  const read = await pages({
    'docs/README.md': `# Guides

<!-- not run: why -->
\`\`\`js
a < b; // 'c'
\`\`\`

| | |
| --- | --- |
| one | two |

| | name |
| --- | --- |
| three | four |
`,
  });
  const text = main(read('index.html'));
  expect(text).not.toContain('not run');
  expect(text).toContain('<code>a &lt; b; <span class="comment">// \'c\'</span>\n</code></pre>');
  expect(text.match(/<thead>/g)).toHaveLength(1);
  expect(text).toMatch(/<tr>\s*<td><\/td>\s*<th>name<\/th>\s*<\/tr>/);
});

test.each([
  ['a link to nothing', '[x](gone.md)', 'docs/README.md links to gone.md, which is not there'],
  ['a script', '<script>x()</script>', 'no page of ours may have this: <script>x()</script>'],
  ['a style', '<b style="color: red">x</b>', 'no page of ours may have this: <b style='],
  ['a picture among sources', '![x](../web/x.svg)', '../web/x.svg is no part of the site'],
  ['a picture of elsewhere', '![x](https://example.org/x.svg)', 'x.svg is no part of the site'],
])('%s is an error', async (_, text, message) => {
  const files = { 'docs/README.md': `# Guides\n\n${text}\n`, 'web/x.svg': '' };
  await expect(pages(files)).rejects.toThrow(message);
});

test('documents without an index are an error', async () => {
  await expect(pages({ 'docs/first.md': '# First\n' })).rejects.toThrow(
    'docs/README.md, the first page of the documentation, is missing',
  );
});
