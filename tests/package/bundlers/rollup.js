// SPDX-License-Identifier: MIT
import { copied, html } from './pages.js';

export default {
  name: 'Rollup 4',
  packages: ['rollup@4.68.7', '@rollup/plugin-node-resolve@16.0.3'],
  files: { 'dist/index.html': html('main.js'), 'options.js': copied },
  copies: { 'dist/fastweights': 'node_modules/fastweights/dist' },
  build: ['rollup', 'main.js', '--dir', 'dist', '--plugin', 'node-resolve'],
  output: 'dist',
  needs: ["`worker: '/fastweights/worker.js'`"],
};
