// SPDX-License-Identifier: MIT
// What an engine has that only workers see.
postMessage({
  privateFiles: 'createSyncAccessHandle' in (globalThis.FileSystemFileHandle?.prototype ?? {}),
});
