// SPDX-License-Identifier: MIT
// The engine that the tests run in, $BROWSER_ENGINE, and what each one has. What it lacks is stated
// here and shown in engine.test.js; a test that meets it asserts the stand-in.
import { engineNamed } from '../../../tools/browsers/engines.mjs';

const HAS = {
  chromium: {
    relaxedSimd: true,
    // Files that a worker can write in the origin private file system; else the Cache API.
    privateFiles: true,
    // In a page that is cross-origin isolated; else one thread.
    sharedMemory: true,
    iterableStreams: true,
    symbolDispose: true,
  },
  firefox: {
    relaxedSimd: true,
    privateFiles: true,
    sharedMemory: true,
    iterableStreams: true,
    symbolDispose: true,
  },
  // WebKitGTK 2.50.
  webkit: {
    relaxedSimd: false,
    privateFiles: false,
    sharedMemory: false,
    iterableStreams: false,
    symbolDispose: false,
  },
};

export const engineName = process.env.BROWSER_ENGINE || 'chromium';
export const has = HAS[engineName];
export const { launch } = engineNamed(engineName);
/** What is loaded where nothing else is asked for. */
export const BEST_BUILD = has.relaxedSimd ? 'relaxed' : 'simd128';
export const BUILDS = has.relaxedSimd ? ['simd128', 'relaxed'] : ['simd128'];
