// SPDX-License-Identifier: MIT

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { oneAtATime } from '../setup/cache-folder.mjs';
import { projectFolder } from '../setup/node-modules.mjs';
import { step } from '../setup/step.mjs';
import { ensureToolchain } from '../setup/toolchain.mjs';
import { ensureXnnpackSources } from '../setup/xnnpack-sources.mjs';

/** The builds of the core, by the names that web/wasm/builds.ts gives their files. */
export const kBuilds = ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'];

const kFolder = join('build', 'wasm');

/** Puts what makeWasm('fastweights') has made, glue and .wasm files, into dist/wasm. */
export async function placeWasm() {
  const target = join(projectFolder, 'dist', 'wasm');
  await mkdir(target, { recursive: true });
  const { transform } = await import('esbuild');
  for (const build of kBuilds) {
    const name = `fastweights-${build}`;
    const made = join(projectFolder, kFolder, name);
    await copyFile(`${made}.wasm`, join(target, `${name}.wasm`));
    const glue = placeGlue(await readFile(`${made}.mjs`, 'utf8'));
    const { code } = await transform(glue, { minify: true, format: 'esm', target: 'es2022' });
    await writeFile(join(target, `${name}.mjs`), code);
  }
}

// With threads the glue ends with lines that start a thread wherever its name looks like one's:
// web/wasm/thread.ts does that where it is one.
/** @type {(glue: string) => string} */
function placeGlue(glue) {
  const kExport = 'export default createFastweights;\n';
  const end = glue.indexOf(kExport) + kExport.length;
  if (end < kExport.length || /\bnew Worker\b|\bimport\(/.test(glue)) {
    throw new Error("this version of Emscripten's glue is of a form of its own");
  }
  return glue.slice(0, end);
}

/**
 * Compiles a target of build/wasm.
 *
 * @param {string} target fastweights makes the modules of all builds
 * @param {{ tests?: boolean }} [options] whether the C++ tests can be built, too
 * @returns {Promise<string>} the folder that it is in
 */
export async function makeWasm(target, { tests = false } = {}) {
  const [toolchain, sources] = await Promise.all([ensureToolchain(), ensureXnnpackSources()]);
  const settings = [
    `-DXNNPACK_SOURCE_DIR=${sources}`,
    ...(tests ? ['-DFASTWEIGHTS_TESTS=ON'] : []),
  ];
  const folder = join(projectFolder, kFolder);
  await mkdir(folder, { recursive: true });
  // Ninja does not expect another in its folder.
  await oneAtATime(join(folder, 'make'), () =>
    step(`WebAssembly, ${target}, by ${toolchain.description}`, async () => {
      await toolchain.run('emcmake', ['cmake', '--preset', 'wasm', ...settings], { quiet: true });
      await toolchain.run('cmake', ['--build', kFolder, '--target', target], { quiet: true });
    }),
  );
  return folder;
}
