// SPDX-License-Identifier: MIT

/** @param {number} bytes */
export function sizeOf(bytes) {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(2)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e3).toFixed(bytes < 1e5 ? 1 : 0)} kB`;
}
