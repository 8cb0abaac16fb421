// SPDX-License-Identifier: MIT
// What is fetched with the first model that is kept as it lies in memory: to find one, and to keep one.
export { loadKept } from './kept-model.js';
export { PackedWeights } from './packed-weights.js';
