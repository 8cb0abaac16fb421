// SPDX-License-Identifier: MIT
// An app for Next: a page that is a server component, and a client component in it that writes.
import { isolation } from './pages.js';

const page = `import { ModelError } from 'fastweights';
import { useModel } from 'fastweights/react';
import { Writer } from './writer.jsx';

export default function Page() {
  return (
    <main>
      <p id="server">{[ModelError.name, typeof useModel].join(' ')}</p>
      <Writer />
    </main>
  );
}
`;

const writer = `'use client';
import { useEffect } from 'react';

export function Writer() {
  useEffect(() => {
    import('../main.js');
  }, []);
  return <output />;
}
`;

const layout = `export default function Layout({ children }) {
  return <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>;
}
`;

const config = `const headers = ${isolation};
export default {
  headers: async () => [
    { source: '/:path*', headers: Object.entries(headers).map(([key, value]) => ({ key, value })) },
  ],
};
`;

/** @param {'turbopack' | 'webpack'} bundler */
export const nextApp = (bundler) => ({
  packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
  files: {
    'app/page.jsx': page,
    'app/writer.jsx': writer,
    'app/layout.jsx': layout,
    'next.config.mjs': config,
  },
  build: ['next', 'build', `--${bundler}`],
  start: (port) => ['next', 'start', '--hostname', '127.0.0.1', '--port', port],
  dev: (port) => ['next', 'dev', `--${bundler}`, '--hostname', '127.0.0.1', '--port', port],
  threadsInDevelopment: true,
  serverText: 'ModelError function',
});
