// SPDX-License-Identifier: MIT
// The build points these two names at the generated modules in dist/wasm (see tools/build/bundle.mjs).

declare module 'fastweights-glue/simd128' {
  export default function create(
    options?: import('./glue.js').GlueOptions,
  ): Promise<import('./glue.js').WasmModule>;
}

declare module 'fastweights-glue/relaxed' {
  export default function create(
    options?: import('./glue.js').GlueOptions,
  ): Promise<import('./glue.js').WasmModule>;
}
