// SPDX-License-Identifier: MIT

/** @typedef {{ getSize(): number, read(to: Uint8Array, options: { at: number }): number, close(): void }} Handle */

const PAGE_BYTES = 1 << 16;
const PIECE_BYTES = 4 << 20;
const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(
  'fastweights-models-2',
);
/** @type {string[]} */
const names = [];
for await (const name of folder.keys()) if (/-packed-.*\+data\d+$/.test(name)) names.push(name);
const start = performance.now();
// By name: the core is compiled meanwhile, as nothing can be opened without it.
const compiled =
  self.name === 'compile' &&
  WebAssembly.compileStreaming(fetch('/dist/wasm/fastweights-relaxed.wasm'));
/** @type {Handle[]} */
const files = [];
for (const name of names) {
  const file = await folder.getFileHandle(name);
  // @ts-expect-error: TypeScript's library for pages lacks it.
  files.push(await file.createSyncAccessHandle({ mode: 'read-only' }));
}
await compiled;
const bytes = files.reduce((sum, file) => sum + file.getSize(), 0);
const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
const heap = new Uint8Array(memory.buffer);
let filled = 0;
for (const file of files) {
  for (let at = 0; at < file.getSize(); ) {
    const piece = Math.min(PIECE_BYTES, file.getSize() - at);
    const count = file.read(heap.subarray(filled, filled + piece), { at });
    at += count;
    filled += count;
  }
  file.close();
}
postMessage({ openMs: performance.now() - start, bytes });
