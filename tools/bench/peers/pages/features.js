// SPDX-License-Identifier: MIT
import { relaxedSimd } from '/node_modules/wasm-feature-detect/dist/esm/index.js';

/** What the engine has that builds depend on. */
export async function measure() {
  return { relaxed: await relaxedSimd(), shares: typeof SharedArrayBuffer === 'function' };
}
