// SPDX-License-Identifier: MIT
import react from '@vitejs/plugin-react';

// With these a page's memory can be shared between threads. The host of the built app sends them, too.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default { plugins: [react()], server: { headers }, preview: { headers } };
