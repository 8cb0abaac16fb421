// SPDX-License-Identifier: MIT
// How much memory a model can have here.

const PAGE = 65_536;
// In GiB: what 32-bit addresses reach, and less.
const ROOMS = [4, 3, 2, 1.5, 1, 0.5, 0.25];

/**
 * @typedef {object} Room
 * @property {number} memoryRoomBytes the most bytes that the engine gives one WebAssembly memory, of some sizes
 * @property {number | undefined} deviceMemoryGiB as the browser rounds it; most do not say
 */

/** Asks the engine for memory of several sizes, to none of which anything is written. @returns {Room} */
export function roomHere() {
  const { deviceMemory } = /** @type {{ deviceMemory?: number }} */ (navigator);
  const bytes = ROOMS.map((gibibytes) => gibibytes * 2 ** 30);
  return { memoryRoomBytes: bytes.find(isGiven) ?? 0, deviceMemoryGiB: deviceMemory };
}

/** @param {number} bytes */
function isGiven(bytes) {
  try {
    new WebAssembly.Memory({ initial: bytes / PAGE });
    return true;
  } catch {
    return false;
  }
}

// The tokens' texts, what was not counted, and what the page itself takes.
const BESIDE = 100e6;

/** Why a model that takes so many bytes is too large, if it is. @type {(bytes: number, room: Room) => string | undefined} */
export function tooLarge(bytes, { memoryRoomBytes, deviceMemoryGiB }) {
  const need = bytes + BESIDE;
  /** @param {number} amount */
  const gigabytes = (amount) => `${(amount / 1e9).toFixed(1)} GB`;
  if (need > memoryRoomBytes) {
    return `needs ${gigabytes(need)}, and this browser gives ${gigabytes(memoryRoomBytes)}`;
  }
  // Half of it: the system and other tabs have the rest.
  if (deviceMemoryGiB !== undefined && need > deviceMemoryGiB * 2 ** 29) {
    return `needs ${gigabytes(need)}, more than half of the ${deviceMemoryGiB} GiB of this device`;
  }
  return undefined;
}
