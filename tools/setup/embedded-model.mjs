// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import { EMBEDDED } from '../../demo/embedded.js';

/** The demo's own model, with which tools and tests work, too. */
export const kEmbeddedModel = fileURLToPath(EMBEDDED.url);
export const kEmbeddedName = basename(kEmbeddedModel);
