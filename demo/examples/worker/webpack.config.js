// SPDX-License-Identifier: MIT
import { join } from 'node:path';

export default {
  entry: './src/main.js',
  output: { path: join(import.meta.dirname, 'public') },
  devServer: {
    // With these a page's memory can be shared between threads.
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
};
