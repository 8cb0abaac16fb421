// SPDX-License-Identifier: MIT
// The storage of an origin as several browsers show it to pages and to workers.

/** Files and responses that every context of the origin shares. */
export class Origin {
  folders = new Map();
  caches = new Map();
}

const missing = () => new DOMException('not there', 'NotFoundError');

/**
 * Makes the global scope that of a page or a worker, until the function that it returns is called.
 *
 * @param {object} has what the browser has there: `writable` (createWritable), `sync`
 *     (createSyncAccessHandle), `files` (getDirectory), `responses` (the Cache API)
 */
export function enter(origin, { page = false, files = true, responses = true, ...has }) {
  class Handle {
    constructor(folder, name) {
      Object.assign(this, { folder, name });
    }

    async getFile() {
      return new Blob([this.folder.get(this.name)]);
    }
  }
  const append = (handle, bytes) => {
    const old = handle.folder.get(handle.name);
    handle.folder.set(handle.name, Buffer.concat([old, Buffer.from(bytes)]));
  };
  if (has.writable) {
    Handle.prototype.createWritable = async function () {
      const pieces = [];
      return {
        write: async (bytes) => void pieces.push(Buffer.from(bytes)),
        close: async () => void this.folder.set(this.name, Buffer.concat(pieces)),
        abort: async () => {},
      };
    };
  }
  if (has.sync) {
    Handle.prototype.createSyncAccessHandle = async function () {
      return {
        truncate: () => this.folder.set(this.name, Buffer.alloc(0)),
        write: (bytes) => {
          append(this, bytes);
          return bytes.length;
        },
        flush() {},
        close() {},
      };
    };
  }
  const directory = (name) => {
    const folder = origin.folders.get(name) ?? new Map();
    origin.folders.set(name, folder);
    return {
      keys: async function* () {
        yield* [...folder.keys()];
      },
      async getFileHandle(file, { create = false } = {}) {
        if (!folder.has(file)) {
          if (!create) throw missing();
          folder.set(file, Buffer.alloc(0));
        }
        return new Handle(folder, file);
      },
      async removeEntry(file) {
        if (!folder.delete(file)) throw missing();
      },
    };
  };
  const cache = (entries) => ({
    keys: async () => [...entries.keys()].map((url) => ({ url })),
    match: async (url) => entries.get(url) && new Response(entries.get(url)),
    put: async (url, response) => void entries.set(url, Buffer.from(await response.arrayBuffer())),
    delete: async (url) => entries.delete(url),
  });
  const scope = {
    navigator: {
      storage: files ? { getDirectory: async () => ({ getDirectoryHandle: directory }) } : {},
    },
    FileSystemFileHandle: files ? Handle : undefined,
    document: page ? {} : undefined,
    caches: responses
      ? {
          has: async (name) => origin.caches.has(name),
          async open(name) {
            const entries = origin.caches.get(name) ?? new Map();
            origin.caches.set(name, entries);
            return cache(entries);
          },
        }
      : undefined,
  };
  const before = Object.keys(scope).map((name) => [
    name,
    Object.getOwnPropertyDescriptor(globalThis, name),
  ]);
  for (const [name, value] of Object.entries(scope)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
    }
  };
}
