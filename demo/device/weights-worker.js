// SPDX-License-Identifier: MIT
// Makes files of models with random weights, a piece whenever one is asked for: a page that made them
// itself would stand still. The build bundles it with what it takes from tools/.
import { describeTensors, modelPieces } from '../../tools/gguf/random-model.mjs';

/**
 * @import { Inspection } from 'fastweights'
 *
 * @typedef {{ shape: string, type: string }} Wish
 * @typedef {{ describe: Wish } | { inspect: Wish } | { begin: Wish } | { next: true }} Question
 * @typedef {{ bytes: number } | { memory: Inspection['memory'] } | { piece: Uint8Array | undefined } | { error: string }} Answer
 */

/** @type {Generator<Uint8Array> | undefined} */
let pieces;

/** @param {Question} question @returns {Promise<Answer>} */
async function answer(question) {
  if ('describe' in question) return { bytes: describeTensors(question.describe).bytes };
  if ('inspect' in question) {
    const { inspectModel } = await import('fastweights');
    const { memory } = await inspectModel(file(question.inspect));
    return { memory };
  }
  if ('begin' in question) pieces = modelPieces(question.begin);
  return { piece: pieces?.next().value };
}

/** @param {Wish} wish @returns {ReadableStream<Uint8Array>} of which a header takes the first pieces */
function file(wish) {
  const all = modelPieces(wish);
  return new ReadableStream(
    {
      pull(controller) {
        const { value, done } = all.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

addEventListener('message', async ({ data }) => {
  /** @type {Answer} */
  let said;
  try {
    said = await answer(data);
  } catch (error) {
    said = { error: String(error) };
  }
  const piece = 'piece' in said ? said.piece : undefined;
  postMessage(said, { transfer: piece ? [piece.buffer] : [] });
});
