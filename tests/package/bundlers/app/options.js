// SPDX-License-Identifier: MIT
// What a bundler's app gives loadModel beside what the page's address asks for.

/** @param {URLSearchParams} _asked */
export const options = (_asked) => ({});
