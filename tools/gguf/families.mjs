// SPDX-License-Identifier: MIT
import { falconH1 } from './families/falcon-h1.mjs';
import { granitehybrid } from './families/granitehybrid.mjs';
import { jamba } from './families/jamba.mjs';
import { lfm2 } from './families/lfm2.mjs';
import { mamba } from './families/mamba.mjs';
import { mamba2 } from './families/mamba2.mjs';
import { nemotronH } from './families/nemotron_h.mjs';
import { qwen35 } from './families/qwen35.mjs';
import { rwkv6 } from './families/rwkv6.mjs';
import { rwkv7 } from './families/rwkv7.mjs';

/**
 * @import { ModelTensor } from './tensors.mjs'
 * @import { GgufWriter } from './writer.mjs'
 */

/**
 * @typedef {{ layers: number, modelDim: number, vocab: number, tied: boolean }} AnyShape
 *
 * Of a dialect of the file, where an architecture has several.
 * @typedef {{ dialect?: string, recurrentLayers?: boolean }} Variant
 */

/**
 * Models of one architecture: their published shapes and small ones, and what their files say.
 *
 * @template {AnyShape} Shape
 * @typedef {object} Family
 * @property {string} architecture
 * @property {Readonly<Record<string, Shape>>} shapes
 * @property {(shape: Shape, variant: Variant) => ModelTensor[]} tensors in file order
 * @property {(writer: GgufWriter, shape: Shape, variant: Variant) => void} addMetadata hyper-parameters
 *   and tokenizer
 * @property {(shape: Shape) => void} [check] throws RangeError
 */

/** @type {Family<any>[]} */
const kFamilies = [
  ...[qwen35, lfm2, granitehybrid, falconH1, jamba, nemotronH, mamba2, mamba, rwkv7, rwkv6],
];

/** Names of all shapes. */
export const shapeNames = kFamilies.flatMap(({ shapes }) => Object.keys(shapes));

/**
 * @param {string | ({ base?: string } & Record<string, unknown>)} shape a name, JSON text, or an
 *   object; what it leaves out is taken from the shape named `base`, by default `tiny`
 * @returns {{ family: Family<any>, shape: AnyShape & Record<string, unknown> }}
 */
export function resolveShape(shape) {
  if (typeof shape === 'string') {
    if (shape.trimStart().startsWith('{')) return resolveShape(JSON.parse(shape));
    return resolveShape({ base: shape });
  }
  const { base = 'tiny', ...changes } = shape;
  const family = kFamilies.find(({ shapes }) => Object.hasOwn(shapes, base));
  if (!family) throw new RangeError(`unknown shape ${base}; known: ${shapeNames.join(', ')}`);
  for (const [name, value] of Object.entries(changes))
    check(name, value, family.shapes[base][name]);
  const resolved = { ...family.shapes[base], ...changes };
  family.check?.(resolved);
  return { family, shape: resolved };
}

/** @type {(name: string, value: unknown, published: unknown) => void} */
function check(name, value, published) {
  if (published === undefined) throw new RangeError(`unknown hyper-parameter ${name}`);
  if (typeof value !== typeof published) {
    throw new TypeError(`${name} must be a ${typeof published}, not ${value}`);
  }
  if (typeof value === 'number' && !(value >= 0)) {
    throw new RangeError(`${name} must be 0 or more, not ${value}`);
  }
}
