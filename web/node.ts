// SPDX-License-Identifier: MIT

/** Whether this is Node or what behaves like it, but no browser-like window. */
export function isNode(): boolean {
  const host = (globalThis as { process?: { versions?: { node?: string }; type?: string } })
    .process;
  return typeof host?.versions?.node === 'string' && host.type !== 'renderer';
}

/** One of Node's modules, by a name that bundlers for browsers cannot see and so do not look for. */
export function nodeModule<T>(name: string): Promise<T> {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name) as Promise<T>;
}
