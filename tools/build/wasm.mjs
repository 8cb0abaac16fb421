// SPDX-License-Identifier: MIT

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from '../setup/node-modules.mjs';
import { step } from '../setup/step.mjs';
import { ensureToolchain } from '../setup/toolchain.mjs';
import { ensureXnnpackSources } from '../setup/xnnpack-sources.mjs';

/** The builds of the core, by the names that web/wasm/builds.ts gives their files. */
export const kBuilds = ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'];

/** Compiles the core for the browser and puts glue and .wasm files into dist/wasm. */
export async function buildWasm() {
  const toolchain = await ensureToolchain();
  const sources = await ensureXnnpackSources();
  const target = join(projectFolder, 'dist', 'wasm');
  await mkdir(target, { recursive: true });
  for (const build of kBuilds) {
    await step(`WebAssembly, ${build}, by ${toolchain.description}`, async () => {
      await configureWasm(toolchain, sources, build);
      const folder = join('build', `wasm-${build}`);
      await toolchain.run('cmake', ['--build', folder, '--target', 'fastweights'], { quiet: true });
      const made = join(projectFolder, folder, 'fastweights');
      const name = `fastweights-${build}`;
      await copyFile(`${made}.wasm`, join(target, `${name}.wasm`));
      const { transform } = await import('esbuild');
      const glue = placeGlue(await readFile(`${made}.mjs`, 'utf8'), name);
      const { code } = await transform(glue, { minify: true, format: 'esm', target: 'es2022' });
      await writeFile(join(target, `${name}.mjs`), code);
    });
  }
}

// The glue finds its .wasm by name, in a URL that bundlers see. With threads it ends with lines that
// start a thread wherever its name looks like one's: web/wasm/thread.ts does that where it is one.
/** @type {(glue: string, name: string) => string} */
function placeGlue(glue, name) {
  const named = glue.replaceAll('fastweights.wasm', `${name}.wasm`);
  const kExport = 'export default createFastweights;\n';
  const end = named.indexOf(kExport) + kExport.length;
  if (end < kExport.length || /\bnew Worker\b|\bimport\(/.test(named)) {
    throw new Error("this version of Emscripten's glue is of a form of its own");
  }
  return named.slice(0, end);
}

/**
 * @param {import('../setup/toolchain.mjs').Toolchain} toolchain
 * @param {string} sources folder of XNNPACK's sources
 * @param {string} build
 * @param {{ tests?: boolean }} [options] whether the C++ tests are built too
 */
export async function configureWasm(toolchain, sources, build, { tests = false } = {}) {
  const settings = [
    `-DXNNPACK_SOURCE_DIR=${sources}`,
    `-DFASTWEIGHTS_TESTS=${tests ? 'ON' : 'OFF'}`,
  ];
  await toolchain.run('emcmake', ['cmake', '--preset', `wasm-${build}`, ...settings], {
    quiet: true,
  });
}
