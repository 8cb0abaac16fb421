// SPDX-License-Identifier: MIT
//
// npm start: sets everything up, lets the embedded model tell a story, then serves the demo page.
// `--no-serve` ends after the story; `--port N` chooses where the page is.

import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { build } from './build.mjs';
import { optionsOf } from './options.mjs';
import { kEmbeddedModel } from './setup/embedded-model.mjs';
import { projectFolder } from './setup/node-modules.mjs';

const { values } = optionsOf(import.meta.filename, {
  options: {
    'no-serve': { type: 'boolean', default: false },
    port: { type: 'string', default: '8080' },
  },
});

await build();
await tellStory();
if (!values['no-serve']) {
  const { serve } = await import('./serve.mjs');
  const { url } = await serve(join(projectFolder, 'build', 'demo'), { port: Number(values.port) });
  process.stdout.write(`\nThe demo page is at ${url} (Ctrl-C ends it)\n`);
}

/** @returns {Promise<void>} */
function tellStory() {
  const prompt = 'Write a story about a brave little fox who loves berries.';
  process.stdout.write(`\n> ${prompt}\n\n`);
  const args = ['generate', '--model', kEmbeddedModel, '--chat', '--prompt', prompt, '--seed', '7'];
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [join(projectFolder, 'dist', 'cli.js'), ...args], { stdio: 'inherit' })
      .on('error', reject)
      .on('close', (code) => (code === 0 ? resolve() : reject(new Error('the story failed'))));
  });
}
