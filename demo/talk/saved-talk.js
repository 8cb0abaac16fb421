// SPDX-License-Identifier: MIT
// A conversation as a file: 8 letters, the length of a header (32 bits, little-endian), the header
// in JSON, and what Session.save gave, if anything. A file of that alone is a conversation too.
import { readTree, storeTree } from './tree-file.js';

/**
 * @import { Model } from 'fastweights'
 * @import { Talk } from './talk.js'
 * @import { Tree } from './tree.js'
 *
 * @typedef {object} SavedTalk
 * @property {string} [model] what its file calls it
 * @property {boolean} [embedded] whether it is the site's own
 * @property {Tree} [tree]
 * @property {Blob} [session]
 */

const LETTERS = 'fwtalk01';
const SESSION_LETTERS = 'fwsessio';
const START_BYTES = LETTERS.length + 4;

/**
 * @param {Talk} talk
 * @param {boolean} embedded whether its model is the site's own
 */
export async function saveTalk(talk, embedded) {
  const session = await talk.standing();
  try {
    const saved = await session?.save();
    const header = { model: nameOf(talk.model), embedded, tree: storeTree(talk.tree) };
    const text = new TextEncoder().encode(JSON.stringify(header));
    const start = new Uint8Array(START_BYTES);
    new TextEncoder().encodeInto(LETTERS, start);
    new DataView(start.buffer).setUint32(LETTERS.length, text.length, true);
    const parts = /** @type {BlobPart[]} */ ([start, text, ...(saved ? [saved] : [])]);
    return new Blob(parts, { type: 'application/octet-stream' });
  } finally {
    session?.destroy();
  }
}

/**
 * A conversation out of a file.
 *
 * @param {Blob} file
 * @returns {Promise<SavedTalk | undefined>} undefined for a file of another kind
 * @throws TypeError or RangeError for one that is damaged
 */
export async function readTalk(file) {
  const letters = await file.slice(0, LETTERS.length).text();
  if (letters === SESSION_LETTERS) return { session: file };
  if (letters !== LETTERS) return undefined;
  const start = await file.slice(LETTERS.length, START_BYTES).arrayBuffer();
  if (start.byteLength < 4) throw new RangeError('the conversation ends too early');
  const end = START_BYTES + new DataView(start).getUint32(0, true);
  if (end > file.size) throw new RangeError('the conversation ends too early');
  const header = parsed(await file.slice(START_BYTES, end).text());
  const { model, embedded } = header;
  return {
    model: typeof model === 'string' ? model : undefined,
    embedded: embedded === true,
    tree: readTree(header.tree),
    session: end < file.size ? file.slice(end) : undefined,
  };
}

/**
 * @param {string} text
 * @returns {Record<string, unknown>}
 */
function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch (cause) {
    throw new TypeError('the header of the conversation is damaged', { cause });
  }
}

/** @param {Model} model */
export function nameOf({ facts }) {
  return facts.name ?? facts.architecture;
}
