// SPDX-License-Identifier: MIT
import { addQwen35Metadata } from '../qwen35-metadata.mjs';
import { checkShape, qwen35Shapes } from '../qwen35-shapes.mjs';
import { qwen35Tensors } from '../qwen35-tensors.mjs';

/** @import { Dialect, Qwen35Shape } from '../qwen35-shapes.mjs' */

/** @type {(dialect?: string) => Dialect} */
function dialectOf(dialect = 'llama.cpp') {
  if (dialect === 'ollama' || dialect === 'llama.cpp') return dialect;
  throw new RangeError(`unknown dialect ${dialect}`);
}

/**
 * Qwen3.5.
 * @type {import('../families.mjs').Family<Qwen35Shape>}
 */
export const qwen35 = {
  architecture: 'qwen35',
  shapes: qwen35Shapes,
  check: checkShape,
  tensors: (shape, { dialect }) => qwen35Tensors(shape, dialectOf(dialect)),
  addMetadata(writer, shape, { dialect, recurrentLayers }) {
    addQwen35Metadata(writer, shape, { dialect: dialectOf(dialect), recurrentLayers });
  },
};
