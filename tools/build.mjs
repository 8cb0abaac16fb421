// SPDX-License-Identifier: MIT
//
// npm run build: dist/ from nothing. `--wasm` or `--web` builds only that half.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { bundlePackage, writeTypes } from './build/bundle.mjs';
import { buildDemo } from './build/demo.mjs';
import { makeWasm, placeWasm } from './build/wasm.mjs';
import { ensureNodeModules, projectFolder } from './setup/node-modules.mjs';
import { step } from './setup/step.mjs';

/** @param {{ wasm?: boolean, web?: boolean }} [halves] both when none is named */
export async function build({ wasm = false, web = false } = {}) {
  const both = wasm === web;
  if (both) await rm(join(projectFolder, 'dist'), { recursive: true, force: true });
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
  const halves = [modules, (both || wasm) && core(), (both || web) && javascript()];
  // What has begun ends, however the other half does: it may be installing something.
  for (const half of await Promise.allSettled(halves)) {
    if (half.status === 'rejected') throw half.reason;
  }
  await buildDemo();
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { wasm: { type: 'boolean' }, web: { type: 'boolean' } },
  });
  await build(values);
}
