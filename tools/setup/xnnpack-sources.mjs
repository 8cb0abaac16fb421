// SPDX-License-Identifier: MIT
//
// XNNPACK and what it needs, from the source packages of Debian 13: pinned, checked, unpacked once.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ensureCachedFolder, exists } from './cache-folder.mjs';
import { runCommand } from './command.mjs';
import { debianMirror, isDebian } from './debian.mjs';
import { step } from './step.mjs';
import { ensureTrixieRoot } from './trixie-root.mjs';

// The upstream tarballs, as Debian 13 ships them.
const kSources = {
  xnnpack: {
    version: '0.0~git20241108.4ea82e5',
    sha256: '90bde2caef0f880f627bab0dc805a86c4b8070cd98e3243db3046ab3f3be1a99',
  },
  pthreadpool: {
    version: '0.0~git20240616.560c60d',
    sha256: '4cc3cbd933b28131d2a34edc54f76af9fb41bc490af5eae1a5bd3cd07ea90708',
  },
  fp16: {
    version: '0.0~git20200514.4dfe081',
    sha256: '7d7782b37b74136e0e12593a2a93ccbe7db831f4374cc408e44623d9b708b54e',
  },
  fxdiv: {
    version: '0.0~git20200417.b408327',
    sha256: '7953482badaf4cb34026c3487c257b8e4ab2df061c019bd6fabbbc12ad52c44b',
  },
};

/** @returns {Promise<string>} the folder for -DXNNPACK_SOURCE_DIR */
export async function ensureXnnpackSources() {
  const given = process.env.XNNPACK_SOURCE_DIR;
  if (given) {
    if (await exists(join(given, 'xnnpack/include/xnnpack.h'))) return given;
    throw new Error(`XNNPACK_SOURCE_DIR is ${given}, but xnnpack/include/xnnpack.h is not in it`);
  }
  if (!(await isDebian())) {
    const wanted = Object.entries(kSources).map(
      ([name, { version }]) => `${name} ${version.slice(-7)}`,
    );
    throw new Error(
      'set XNNPACK_SOURCE_DIR to a folder that holds the sources of XNNPACK and its parts, each ' +
        `under the name given here and at this commit: ${wanted.join(', ')}`,
    );
  }
  return ensureCachedFolder('xnnpack-sources', JSON.stringify(kSources), (folder) =>
    step('fetching XNNPACK', async () => {
      const tarballs = join(folder, 'tarballs');
      await download(tarballs);
      for (const [name, { version, sha256 }] of Object.entries(kSources)) {
        const tarball = join(tarballs, `${name}_${version}.orig.tar.xz`);
        const actual = createHash('sha256')
          .update(await readFile(tarball))
          .digest('hex');
        if (actual !== sha256)
          throw new Error(`${name} ${version} has the checksum ${actual}, not ${sha256}`);
        await unpack(tarball, join(folder, name));
      }
      await rm(tarballs, { recursive: true });
    }),
  );
}

// A private package list: the system's own is neither used nor changed.
/** @param {string} folder */
async function download(folder) {
  const mirror = (await debianMirror()) ?? (await mirrorOfTrixieRoot());
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  await mkdir(join(folder, 'lists/partial'), { recursive: true });
  await writeFile(
    join(folder, 'sources.list'),
    `deb-src [signed-by=${keyring}] ${mirror} trixie main\n`,
  );
  /** @param {string[]} args */
  const apt = (...args) =>
    runCommand(
      'apt-get',
      [
        '-o',
        `Dir::Etc::sourcelist=${join(folder, 'sources.list')}`,
        '-o',
        'Dir::Etc::sourceparts=-',
        '-o',
        `Dir::State::Lists=${join(folder, 'lists')}`,
        '-o',
        `Dir::Cache=${folder}`,
        '-o',
        'APT::Sandbox::User=root',
        ...args,
      ],
      { cwd: folder, quiet: true },
    );
  await apt('update');
  await apt('source', '--tar-only', '--download-only', ...Object.keys(kSources));
}

async function mirrorOfTrixieRoot() {
  const list = await readFile(join(await ensureTrixieRoot(), 'etc/apt/sources.list'), 'utf8');
  return list.match(/^deb (?:\[.*\] )?(\S+) trixie /m)?.[1];
}

// Some of the tarballs hold one folder, some hold the files themselves.
/** @type {(tarball: string, folder: string) => Promise<void>} */
async function unpack(tarball, folder) {
  await mkdir(folder);
  await runCommand(
    'tar',
    [
      '--extract',
      '--exclude=test',
      '--exclude=bench',
      `--file=${tarball}`,
      `--directory=${folder}`,
    ],
    { quiet: true },
  );
  const names = await readdir(folder);
  if (names.length !== 1) return;
  await runCommand('sh', ['-c', 'mv "$1"/*/* "$1"', 'sh', folder], { quiet: true });
}
