// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import { EMBEDDED } from '../../demo/embedded.js';

/** The demo's own model, which tells its story at the start. */
export const kEmbeddedModel = fileURLToPath(EMBEDDED.url);
export const kEmbeddedName = basename(kEmbeddedModel);

/** The one before it, in a third of the weights: what tests and measurements of the engine work with. */
export const kSmallModel = fileURLToPath(
  new URL('../../tests/models/story-17m-q8_0.gguf', import.meta.url),
);
export const kSmallName = basename(kSmallModel);
