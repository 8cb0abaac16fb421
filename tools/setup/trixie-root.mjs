// SPDX-License-Identifier: MIT
//
// An isolated Debian 13 in the cache folder, for its emscripten: the one of Debian 12 emits
// relaxed-SIMD opcodes that no engine runs, and Debian 13's cannot be installed there.

import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { cacheFolder, ensureCachedFolder } from './cache-folder.mjs';
import { runCommand } from './command.mjs';
import { debianMirror, ensureDebianPackages } from './debian.mjs';
import { projectFolder } from './node-modules.mjs';
import { step } from './step.mjs';

const kPackages = [
  ...['ccache', 'cmake', 'emscripten', 'googletest', 'ninja-build', 'wabt'],
  // For one header of the fuzzers.
  'libclang-rt-19-dev',
];

// Half of what would be unpacked: link-time optimisation, dynamic linking, wasm workers and 64-bit
// memory are not used.
const kLeftOut = [
  '/usr/share/doc/*',
  '/usr/share/locale/*',
  '/usr/share/man/*',
  '/usr/lib/llvm-19/lib/clang/19/lib/*',
  '/usr/share/emscripten/cache/sysroot/lib/wasm64-emscripten/*',
  '/usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/*-ww*',
  '/usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/lto/*',
  '/usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/lto-pic/*',
  '/usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/pic/*',
];

/** @returns {Promise<string>} its folder */
export async function ensureTrixieRoot() {
  return ensureCachedFolder('trixie', JSON.stringify([kPackages, kLeftOut]), async (root) => {
    await ensureDebianPackages(['mmdebstrap', 'debian-archive-keyring', 'gpgv', 'libdpkg-perl']);
    await runCommand('unshare', ['--mount', 'true'], { quiet: true }).catch(() => {
      throw new Error(
        'this machine does not allow mounts (a container without CAP_SYS_ADMIN?), which the ' +
          'isolated compiler needs: install emsdk 3.1.60 or newer and set EMSDK to its folder',
      );
    });
    // One run of apt for the system and the compiler: half the time of debootstrap and apt in it.
    const mirror = await debianMirror();
    const options = [
      '--mode=root',
      '--variant=essential',
      '--format=directory',
      `--include=${kPackages.join(',')}`,
      '--keyring=/usr/share/keyrings/debian-archive-keyring.gpg',
      '--aptopt=APT::Install-Recommends "false"',
      '--dpkgopt=force-unsafe-io',
      ...kLeftOut.map((path) => `--dpkgopt=path-exclude=${path}`),
    ];
    await step('installing emscripten in an isolated Debian 13', () =>
      runCommand('mmdebstrap', [...options, 'trixie', root, ...(mirror ? [mirror] : [])], {
        quiet: true,
      }),
    );
  });
}

// $1: the root; $2: folders to show in it at the same path, one a line; $3: the working folder;
// then the command. The mounts are private to this process and vanish with it.
const kEnter = `
set -e
root=$1; folders=$2; cwd=$3; shift 3
mount --bind /proc "$root/proc"
mount --rbind /dev "$root/dev"
IFS='
'
for folder in $folders; do mount --rbind "$folder" "$root$folder"; done
unset IFS
exec chroot "$root" /usr/bin/env -C "$cwd" "$@"
`;

/**
 * Runs a command in the root. The project, the cache folder and /tmp are seen at the same paths.
 *
 * @param {string} root
 * @param {string} command
 * @param {string[]} args
 * @param {import('./command.mjs').CommandOptions & { folders?: string[] }} [options]
 */
export async function runInRoot(root, command, args, options = {}) {
  const { cwd = projectFolder, env = {}, folders = [], ...rest } = options;
  const shown = outermost(['/tmp', projectFolder, cacheFolder(), ...folders]);
  for (const folder of shown) await mkdir(join(root, folder), { recursive: true });
  const variables = Object.entries({ ...kEnvironment, ...env }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  const enter = ['-i', ...variables, command, ...args];
  return runCommand(
    'unshare',
    [
      '--mount',
      '--propagation=private',
      'sh',
      '-c',
      kEnter,
      'sh',
      root,
      shown.join('\n'),
      cwd,
      ...enter,
    ],
    { name: [command, ...args].join(' '), ...rest, cwd: '/' },
  );
}

// Nothing of the user's environment: it names things that are not in the root.
const kEnvironment = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** @param {string[]} folders */
function outermost(folders) {
  /** @type {(folder: string, other: string) => boolean} */
  const inside = (folder, other) =>
    folder !== other && `${dirname(folder)}/`.startsWith(`${other}/`);
  const unique = [...new Set(folders)];
  return unique.filter((folder) => !unique.some((other) => inside(folder, other)));
}
