// SPDX-License-Identifier: MIT
import { OTHER_MODELS } from '../../build/web/text/other-models.js';
import { Tokenizer } from '../../build/web/text/tokenizer.js';

/** A tokenizer of any kind, at once. */
export const tokenizerOf = (metadata) => Tokenizer.fromMetadata(metadata, OTHER_MODELS);
