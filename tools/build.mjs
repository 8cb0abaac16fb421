// SPDX-License-Identifier: MIT
//
// npm run build: dist/ from nothing. `--wasm` or `--web` builds only that half.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { bundlePackage, writeTypes } from './build/bundle.mjs';
import { buildDemo } from './build/demo.mjs';
import { buildWasm } from './build/wasm.mjs';
import { ensureNodeModules, projectFolder } from './setup/node-modules.mjs';
import { step } from './setup/step.mjs';

/** @param {{ wasm?: boolean, web?: boolean }} [halves] both when none is named */
export async function build({ wasm = false, web = false } = {}) {
  const both = wasm === web;
  await ensureNodeModules();
  if (both) await rm(join(projectFolder, 'dist'), { recursive: true, force: true });
  if (both || wasm) await buildWasm();
  if (both || web) {
    await step('TypeScript', async () => {
      await writeTypes();
      await bundlePackage();
    });
  }
  await buildDemo();
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { wasm: { type: 'boolean' }, web: { type: 'boolean' } },
  });
  await build(values);
}
