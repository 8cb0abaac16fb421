// SPDX-License-Identifier: MIT
import { html, importMap, kInlineScripts } from './pages.js';

export default {
  name: 'none',
  files: { 'index.html': html('main.js', importMap('/node_modules/fastweights/dist/')) },
  output: '.',
  // An import map is an inline script.
  policy: kInlineScripts,
  needs: ['`{ "imports": { "fastweights": "/node_modules/fastweights/dist/index.js" } }`'],
};
