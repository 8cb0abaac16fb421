// SPDX-License-Identifier: MIT

/** What the engine has that builds depend on. */
export async function measure() {
  const relaxed = await fetch('/dist/wasm/fastweights-relaxed.wasm');
  return {
    relaxed: WebAssembly.validate(await relaxed.arrayBuffer()),
    shares: typeof SharedArrayBuffer === 'function',
  };
}
