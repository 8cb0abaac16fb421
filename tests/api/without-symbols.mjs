// SPDX-License-Identifier: MIT
// Loaded before a program (`node --import`), takes away what WebKit has not: the symbols that `using`
// looks for, which cannot be deleted, and the iterator of streams.

const { Symbol: Whole } = globalThis;
const facts = Object.getOwnPropertyDescriptors(Whole);
delete facts.dispose;
delete facts.asyncDispose;
globalThis.Symbol = Object.defineProperties((description) => Whole(description), facts);
delete ReadableStream.prototype[Symbol.asyncIterator];
