// SPDX-License-Identifier: MIT
// Makes files of models with random weights, a piece whenever one is asked for: a page that made them
// itself would stand still. The build bundles it with what it takes from tools/.
import { describeTensors, modelPieces } from '../../tools/gguf/random-model.mjs';

/**
 * @typedef {{ shape: string, type: string }} Wish
 * @typedef {{ describe: Wish } | { begin: Wish } | { next: true }} Question
 * @typedef {{ bytes: number } | { piece: Uint8Array | undefined } | { error: string }} Answer
 */

/** @type {Generator<Uint8Array> | undefined} */
let pieces;

/** @param {Question} question @returns {Answer} */
function answer(question) {
  if ('describe' in question) return { bytes: describeTensors(question.describe).bytes };
  if ('begin' in question) pieces = modelPieces(question.begin);
  return { piece: pieces?.next().value };
}

addEventListener('message', ({ data }) => {
  /** @type {Answer} */
  let said;
  try {
    said = answer(data);
  } catch (error) {
    said = { error: String(error) };
  }
  const piece = 'piece' in said ? said.piece : undefined;
  postMessage(said, { transfer: piece ? [piece.buffer] : [] });
});
