// SPDX-License-Identifier: MIT

/** The page of the app, with more in its head where there is more to say. */
export const html = (script, head = '') => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>An app</title><link rel="icon" href="data:,">${head}</head>
  <body><script type="module" src="${script}"></script></body>
</html>
`;

/** The policy of a page with an inline script. */
export const kInlineScripts =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; img-src data:";

/** What says in a page where the package's `dist/` is. */
export function importMap(dist) {
  const imports = {
    fastweights: `${dist}index.js`,
    'fastweights/openai': `${dist}openai.js`,
  };
  return `<script type="importmap">${JSON.stringify({ imports })}</script>`;
}

/** Headers with which a page's memory can be shared between threads, as JavaScript. */
export const isolation = JSON.stringify({
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
});

/** The app's files where a page can ask for a worker file of its own, by `?worker=own`. */
export const ownWorker = {
  'own-worker.js': "import 'fastweights/worker';\n",
  'options.js': `export function options(asked) {
    if (asked.get('worker') !== 'own') return {};
    return { worker: new Worker(new URL('./own-worker.js', import.meta.url), { type: 'module' }) };
  }
`,
};

/** The same by an address: the package's own files, moved. */
export const movedWorker = {
  'options.js': `export const options = (asked) =>
    asked.get('worker') === 'own' ? { worker: '/fastweights/worker.js' } : {};
`,
};
