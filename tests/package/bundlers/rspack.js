// SPDX-License-Identifier: MIT
import { html, isolation, ownWorker } from './pages.js';

export default {
  name: 'Rspack 2',
  packages: ['@rspack/core@2.3.2', '@rspack/cli@2.2.8', '@rspack/dev-server@2.2.2'],
  files: {
    ...ownWorker,
    'public/index.html': html('main.js'),
    'dist/index.html': html('main.js'),
    'rspack.config.js': `export default {
      entry: './main.js',
      lazyCompilation: false,
      devServer: { headers: ${isolation} },
    };`,
  },
  build: ['rspack', 'build', '--mode', 'production'],
  output: 'dist',
  dev: (port) => ['rspack', 'dev', '--mode', 'development', '--host', '127.0.0.1', '--port', port],
  threadsInDevelopment: true,
  ownWorker: true,
  needs: ['`lazyCompilation: false`'],
};
