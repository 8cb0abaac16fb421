// SPDX-License-Identifier: MIT

import { join } from 'node:path';

import { projectFolder } from './node-modules.mjs';

/** The file of the demo's own model, with which tools and tests work, too. */
export const kEmbeddedName = 'story-17m-q8_0.gguf';
export const kEmbeddedModel = join(projectFolder, 'demo', 'models', kEmbeddedName);
