// SPDX-License-Identifier: MIT
//
// node node-run.mjs PACKAGE ONNXRUNTIME WORK: prints what compare() found as JSON.

import { compare } from './compare.js';

const [path, onnxruntime, given] = process.argv.slice(2);
const { AssociativeMemory } = await import(path);
const ort = await import(onnxruntime);
ort.env.wasm.numThreads = 1;
const found = await compare(AssociativeMemory, ort, JSON.parse(given));
process.stdout.write(JSON.stringify(found), () => process.exit());
