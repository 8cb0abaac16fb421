// SPDX-License-Identifier: MIT
import { html, kInlineScripts } from './pages.js';

export default {
  name: 'Parcel 2',
  packages: ['parcel@2.16.4'],
  files: { 'index.html': html('main.js') },
  build: ['parcel', 'build', 'index.html', '--dist-dir', 'dist', '--no-autoinstall'],
  output: 'dist',
  // It writes an import map into the page, which is an inline script.
  policy: kInlineScripts,
  dev: (port) => ['parcel', 'serve', 'index.html', '--port', port, '--no-autoinstall', '--no-hmr'],
  package: { '@parcel/bundler-default': { minBundles: 1_000_000 } },
  needs: ['`"@parcel/bundler-default": { "minBundles": 1000000 }`'],
};
