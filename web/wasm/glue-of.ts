// SPDX-License-Identifier: MIT
import { type Build, nameOf } from './builds.js';
import type { GlueOptions, WasmModule } from './glue.js';

// Each import is a file of its own, and only that of the build that runs is downloaded.
const GLUE = {
  simd128: () => import('fastweights-glue/simd128'),
  'simd128-threads': () => import('fastweights-glue/simd128-threads'),
  relaxed: () => import('fastweights-glue/relaxed'),
  'relaxed-threads': () => import('fastweights-glue/relaxed-threads'),
};

/** The generated JavaScript of a build. */
export function glueOf(
  build: Build,
  threads: number,
): Promise<{ default: (options?: GlueOptions) => Promise<WasmModule> }> {
  return GLUE[nameOf(build, threads)]();
}
