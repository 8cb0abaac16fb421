// SPDX-License-Identifier: MIT
// The build points these names at the generated modules in dist/wasm (see tools/build/bundle.mjs).

declare module 'fastweights-glue/*' {
  export default function create(
    options?: import('./glue.js').GlueOptions,
  ): Promise<import('./glue.js').WasmModule>;
}
