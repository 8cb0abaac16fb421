// SPDX-License-Identifier: MIT
//
// Node as an ARM64 processor runs it: Debian's emulator and C libraries, and a Node from the package
// registry. A machine that is one needs neither.

import { ensureDebianPackages } from './debian.mjs';
import { ensureNodeRelease } from './node-release.mjs';

const kPackages = [
  'qemu-user-static',
  'libc6-arm64-cross',
  'libatomic1-arm64-cross',
  'libgcc-s1-arm64-cross',
  'libstdc++6-arm64-cross',
];

/**
 * V8 multiplies by the int8 dot product where the processor has one, else by longer steps that mean
 * the same.
 */
export const kProcessors = { dot: 'max', 'no dot': 'cortex-a53' };

/**
 * @param {24 | 26} major
 * @param {keyof kProcessors} [processor]
 * @returns {Promise<[program: string, ...args: string[]]>} what runs a script that follows
 */
export async function ensureArm64Node(major, processor = 'dot') {
  const node = await ensureNodeRelease(major, 'arm64');
  if (process.arch === 'arm64') return [node];
  await ensureDebianPackages(kPackages);
  const machine = ['-cpu', kProcessors[processor], '-L', '/usr/aarch64-linux-gnu'];
  return ['qemu-aarch64-static', ...machine, node];
}
