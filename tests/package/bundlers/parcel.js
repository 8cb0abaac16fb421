// SPDX-License-Identifier: MIT
import { html } from './pages.js';

export default {
  name: 'Parcel 2',
  packages: ['parcel@2.16.4'],
  files: {
    'index.html': html('main.js'),
    // Parcel 2.16.4 loses modules that two workers have in common, so there is no second one.
    'options.js': 'export const options = () => ({});',
  },
  build: ['parcel', 'build', 'index.html', '--dist-dir', 'dist', '--no-autoinstall'],
  output: 'dist',
  // It writes an import map into the page, which is an inline script.
  policy: "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
  dev: (port) => ['parcel', 'serve', 'index.html', '--port', port, '--no-autoinstall', '--no-hmr'],
};
