// SPDX-License-Identifier: MIT
// Memories of the build under test, which are gone after the test that made them.
import { AssociativeMemory } from '../../dist/index.js';
import { withBuild } from './models.js';

const made = [];

/** Has `memory` disposed of when the test is over. */
export function keep(memory) {
  made.push(memory);
  return memory;
}

/** `AssociativeMemory.create` with the build under test. */
export const create = async (options) => keep(await AssociativeMemory.create(withBuild(options)));

/** `AssociativeMemory.restore` likewise. */
export const restore = async (bytes) => keep(await AssociativeMemory.restore(bytes, withBuild()));

afterEach(() => {
  for (const memory of made.splice(0)) memory.dispose();
});
