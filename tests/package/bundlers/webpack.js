// SPDX-License-Identifier: MIT
import { html, isolation } from './pages.js';

export default {
  name: 'webpack 5',
  packages: ['webpack@5.112.2', 'webpack-cli@7.3.1', 'webpack-dev-server@6.1.0'],
  files: {
    'public/index.html': html('main.js'),
    'dist/index.html': html('main.js'),
    'webpack.config.js': `export default {
      entry: './main.js',
      devServer: { headers: ${isolation} },
    };`,
  },
  build: ['webpack', '--mode', 'production'],
  output: 'dist',
  dev: (port) => [
    'webpack',
    'serve',
    '--mode',
    'development',
    '--host',
    '127.0.0.1',
    '--port',
    port,
  ],
  threadsInDevelopment: true,
};
