// SPDX-License-Identifier: MIT
// What this package takes of Node, without a word that a bundler for browsers would try to resolve.

const host = (globalThis as { process?: NodeJS.Process & { type?: string } }).process;
// Bundlers read `new URL(…, import.meta.url)` as a file to bring along.
const { url: here } = import.meta;

/** Whether this is Node or what behaves like it, but no browser-like window. */
export function isNode(): boolean {
  return typeof host?.versions?.node === 'string' && host.type !== 'renderer';
}

/** One of Node's modules. */
export function nodeModule<T>(name: string): T {
  return host?.getBuiltinModule(name) as T;
}

/** Whether the process is told that it runs for a developer; Deno may keep that to itself. */
export function isDevelopment(): boolean {
  try {
    return host?.env?.NODE_ENV === 'development';
  } catch {
    return false;
  }
}

/** The address of a file of this package, by its place in `dist/`. */
export function packageFile(path: string): URL {
  return new URL(path, here);
}
