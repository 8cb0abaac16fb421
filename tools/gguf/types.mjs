// SPDX-License-Identifier: MIT

/**
 * How a tensor is stored: `elements` weights share one block of `bytes` bytes.
 * @typedef {{ name: string, id: number, elements: number, bytes: number }} TensorType
 */

/** @type {Readonly<Record<string, TensorType>>} */
export const tensorTypes = Object.freeze(
  Object.fromEntries(
    /** @type {[name: string, id: number, elements: number, bytes: number][]} */ ([
      ['F32', 0, 1, 4],
      ['F16', 1, 1, 2],
      ['Q4_0', 2, 32, 18],
      ['Q4_1', 3, 32, 20],
      ['Q5_0', 6, 32, 22],
      ['Q5_1', 7, 32, 24],
      ['Q8_0', 8, 32, 34],
      ['Q2_K', 10, 256, 84],
      ['Q3_K', 11, 256, 110],
      ['Q4_K', 12, 256, 144],
      ['Q5_K', 13, 256, 176],
      ['Q6_K', 14, 256, 210],
      ['IQ4_NL', 20, 32, 18],
      ['IQ4_XS', 23, 256, 136],
      ['BF16', 30, 1, 2],
      ['MXFP4', 39, 32, 17],
    ]).map(([name, id, elements, bytes]) => [name, Object.freeze({ name, id, elements, bytes })]),
  ),
);

const typesById = new Map(Object.values(tensorTypes).map((type) => [type.id, type]));

/**
 * Values of `general.file_type`; loaders go by the type of each tensor.
 * @type {Readonly<Record<string, number>>}
 */
export const fileTypes = Object.freeze({
  F32: 0,
  F16: 1,
  Q4_0: 2,
  Q4_1: 3,
  Q8_0: 7,
  Q5_0: 8,
  Q5_1: 9,
  Q2_K: 10,
  Q3_K: 12,
  Q4_K: 14,
  Q4_K_M: 15,
  Q5_K: 16,
  Q6_K: 18,
  IQ4_NL: 25,
  IQ4_XS: 30,
  BF16: 32,
  MXFP4: 38,
});

/** The sixteen values that a code of IQ4_NL or IQ4_XS stands for, before its scale. */
export const nonlinearLevels = Object.freeze([
  -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
]);

/** Those of MXFP4: twice the E2M1 numbers, so that they are whole. */
export const fp4Levels = Object.freeze([0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12]);

/**
 * @param {string} name upper case, as in `Q4_K`
 * @returns {TensorType}
 */
export function tensorType(name) {
  if (!Object.hasOwn(tensorTypes, name)) throw new RangeError(`unknown tensor type ${name}`);
  return tensorTypes[name];
}

/**
 * @param {number} id
 * @returns {TensorType | undefined}
 */
export function tensorTypeById(id) {
  return typesById.get(id);
}

/**
 * @param {string} name
 * @param {number} count a whole number of blocks
 * @returns {number} bytes that `count` weights take
 */
export function byteLength(name, count) {
  const { elements, bytes } = tensorType(name);
  if (count % elements !== 0) {
    throw new RangeError(`${count} weights are no whole number of ${name} blocks of ${elements}`);
  }
  return (count / elements) * bytes;
}
