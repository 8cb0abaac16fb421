// SPDX-License-Identifier: MIT
import { html, isolation, ownWorker } from './pages.js';

export default {
  name: 'Vite 8',
  packages: ['vite@8.3.8'],
  files: {
    ...ownWorker,
    'index.html': html('/main.js'),
    'vite.config.js': `export default { server: { headers: ${isolation} } };`,
  },
  build: ['vite', 'build'],
  output: 'dist',
  dev: (port) => ['vite', '--host', '127.0.0.1', '--port', port, '--strictPort'],
  threadsInDevelopment: true,
  ownWorker: true,
};
