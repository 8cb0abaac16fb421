// SPDX-License-Identifier: MIT

// With these a page's memory can be shared between threads.
const headers = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
];

export default { headers: async () => [{ source: '/:path*', headers }] };
