// SPDX-License-Identifier: MIT

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from '../../setup/node-modules.mjs';
import { measureInPage } from './page.mjs';

const { version } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));

/** This package, as built. @type {import('../peers.mjs').Peer} */
export const fastweights = {
  name: 'fastweights',
  version,
  async setup() {},
  measure: (work, signal, engine) => measureInPage('fastweights', work, signal, {}, { engine }),
  retry: (work, signal) => measureInPage('fastweights-retry', work, signal),
};
