// SPDX-License-Identifier: MIT
/// <reference lib="esnext.disposable" preserve="true" />

// What `using` looks for. WebKit does not know these symbols (2.50, November 2026); a method named
// `undefined` would stand there. What esbuild and Babel make of `using` for such engines looks for
// the registered ones.

export const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

export const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
