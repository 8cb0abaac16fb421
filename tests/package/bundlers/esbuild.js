// SPDX-License-Identifier: MIT
import { html, movedWorker } from './pages.js';

export default {
  name: 'esbuild 0.28',
  packages: ['esbuild@0.28.2'],
  files: { ...movedWorker, 'dist/index.html': html('main.js') },
  copies: {
    dist: 'node_modules/fastweights/dist',
    'dist/fastweights': 'node_modules/fastweights/dist',
  },
  build: ['esbuild', 'main.js', '--bundle', '--format=esm', '--outdir=dist'],
  output: 'dist',
  ownWorker: true,
  needs: ['`cp -r node_modules/fastweights/dist/. public`'],
};
