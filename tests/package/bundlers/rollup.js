// SPDX-License-Identifier: MIT
import { html } from './pages.js';

export default {
  name: 'Rollup 4',
  packages: ['rollup@4.68.7', '@rollup/plugin-node-resolve@16.0.3'],
  files: { 'dist/index.html': html('main.js') },
  copies: { dist: 'node_modules/fastweights/dist' },
  build: ['rollup', 'main.js', '--dir', 'dist', '--plugin', 'node-resolve'],
  output: 'dist',
  needs: ['`cp -r node_modules/fastweights/dist/. public`'],
};
