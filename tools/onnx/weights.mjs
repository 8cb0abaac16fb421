// SPDX-License-Identifier: MIT

/** Weights that share a scale in 4-bit matrices. */
export const kBlock = 32;

/**
 * Where a graph takes its weights: tensors by the names of GGUF.
 *
 * @typedef {object} Weights
 * @property {(name: string, shape: number[]) => [codes: string, scales: string]} matrix 4-bit: bytes
 *     of `codes` in this shape, the lower half of each first, and a scale for every 16 of them
 * @property {(name: string, shape: number[]) => string} vector float32
 * @property {(name: string, shape: number[], values: Float32Array) => string} computed float32
 */
