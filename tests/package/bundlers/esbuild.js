// SPDX-License-Identifier: MIT
import { copied, html } from './pages.js';

export default {
  name: 'esbuild 0.28',
  packages: ['esbuild@0.28.2'],
  files: { 'dist/index.html': html('main.js'), 'options.js': copied },
  copies: { 'dist/fastweights': 'node_modules/fastweights/dist' },
  build: ['esbuild', 'main.js', '--bundle', '--format=esm', '--outdir=dist'],
  output: 'dist',
  needs: ["`worker: '/fastweights/worker.js'`"],
};
