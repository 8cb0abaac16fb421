// SPDX-License-Identifier: MIT
//
// npm run build: dist/ from nothing, the demo and its documentation. `--wasm`, `--web` or `--docs` builds
// only that part, and the demo again; `--demo` only the demo, where dist/ is there.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { bundlePackage, writeTypes } from './build/bundle.mjs';
import { makeReference } from './build/docs/reference.mjs';
import { makeWasm, placeWasm } from './build/wasm.mjs';
import { optionsOf } from './options.mjs';
import { exists } from './setup/cache-folder.mjs';
import { ensureNodeModules, projectFolder } from './setup/node-modules.mjs';
import { step } from './setup/step.mjs';

/** @param {{ wasm?: boolean, web?: boolean, docs?: boolean }} [parts] all when none is named */
export async function build({ wasm = false, web = false, docs = false } = {}) {
  const all = !wasm && !web && !docs;
  if (all || (wasm && web)) await rm(join(projectFolder, 'dist'), { recursive: true, force: true });
  // The first time most of it is waiting for the compiler to be installed, beside which there is time
  // for all the rest.
  const modules = ensureNodeModules();
  const core = async () => {
    await makeWasm('fastweights');
    await modules;
    await placeWasm();
  };
  const javascript = async () => {
    await modules;
    await step('TypeScript', async () => {
      await writeTypes();
      await bundlePackage();
    });
  };
  const reference = async () => {
    await modules;
    await makeReference();
  };
  const parts = [
    modules,
    (all || wasm) && core(),
    (all || web) && javascript(),
    (all || docs) && reference(),
  ];
  // What has begun ends, however the other half does: it may be installing something.
  for (const part of await Promise.allSettled(parts)) {
    if (part.status === 'rejected') throw part.reason;
  }
  await assembleDemo();
}

async function assembleDemo() {
  await ensureNodeModules();
  // Not before: it uses packages.
  const { buildDemo } = await import('./build/demo.mjs');
  await buildDemo();
}

if (process.argv[1] === import.meta.filename) {
  const { values } = optionsOf(import.meta.filename, {
    options: {
      wasm: { type: 'boolean' },
      web: { type: 'boolean' },
      docs: { type: 'boolean' },
      demo: { type: 'boolean' },
    },
  });
  const { demo, ...parts } = values;
  if (demo && (await exists(join(projectFolder, 'dist', 'wasm')))) await assembleDemo();
  else await build(parts);
}
