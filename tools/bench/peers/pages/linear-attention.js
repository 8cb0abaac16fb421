// SPDX-License-Identifier: MIT
import { AssociativeMemory } from '/dist/index.js';
import * as ort from '/onnxruntime/dist/ort.wasm.min.mjs';
import { compare } from '/tools/bench/linear-attention/compare.js';

/** @param {{ tokens: number[], repeat: number }} work */
export function measure(work) {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = '/onnxruntime/dist/';
  return compare(AssociativeMemory, ort, work);
}
