// SPDX-License-Identifier: MIT
import { html, importMap } from './pages.js';

export default {
  name: 'none',
  files: { 'index.html': html('main.js', importMap('/node_modules/fastweights/dist/index.js')) },
  output: '.',
  // An import map is an inline script.
  policy: "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
  needs: ['`{ "imports": { "fastweights": "/node_modules/fastweights/dist/index.js" } }`'],
};
