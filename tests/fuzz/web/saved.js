// SPDX-License-Identifier: MIT
// A saved session that somebody wrote, its checksum right or not, is refused or can be one.
import fc from 'fast-check';
import { checkSaved } from '../../../build/web/engine/saved-checks.js';
import { packer, unpack } from '../../../build/web/storage/compact.js';
import { opened, sealed } from '../../../build/web/storage/saved-file.js';
import { changed, changes } from './bytes.js';
import { must, unlessRefused } from './expect.js';
import { changedJson, jsonChanges } from './json.js';

const kKind = { magic: 'fwsessio', version: 2, name: 'session' };
const kModel = {
  wasm: { module: { historyTokens: 4096 } },
  facts: { contextWindow: 100 },
  tokenizer: { vocabSize: 50 },
};
const kSaved = {
  fingerprint: 'abc',
  model: 'tiny',
  position: 3,
  pending: 4,
  history: [1, 2, 3],
  conversation: {
    messages: [{ role: 'user', content: 'hello' }],
    initial: 0,
    held: 'hello',
    tokens: [1, 2, 3, 4],
    boundaries: [{ messages: 0, length: 0, tokens: 0 }],
    thinking: true,
    draws: [null, { seed: 1, generator: [1, 2] }],
  },
  own: {
    temperature: 0.5,
    logitBias: { 3: null },
    constraint: { type: 'regex', pattern: { source: 'a', flags: 'u' } },
  },
};
const kArrays = new Map([
  ['state', Float32Array.from({ length: 70 }, (_, i) => Math.sin(i))],
  ['logits', Float32Array.of(1, -2, 3)],
]);

const listing = fc.oneof(
  fc.nat(100),
  fc.tuple(fc.constantFrom('f16', 'int8', 'f32', 'toString', ''), fc.nat(100), fc.nat(100)),
  fc.constantFrom(-1, 0.5, null, 'x', {}, [], 2 ** 53, ['int8', 2 ** 40, 4]),
);

export const arbitrary = fc.record({
  precision: fc.constantFrom('f32', 'f16', 'int8'),
  facts: jsonChanges,
  listed: fc.option(
    fc.dictionary(fc.constantFrom('state', 'logits', 'heads.0', '__proto__'), listing),
    { freq: 3 },
  ),
  changes: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, changes),
});

export async function check({ precision, facts, listed, changes }) {
  const saved = changedJson(kSaved, facts);
  let bytes = await sealed(kKind, saved, () => packer(precision)(kArrays));
  if (listed) bytes = await forged(bytes, listed);
  bytes = changed(Buffer.from(bytes), changes);
  const found = await unlessRefused(async () => {
    const one = await opened(kKind, bytes);
    const arrays = unpack(one.arrays);
    checkSaved({ ...one, arrays }, kModel);
    return { ...one, arrays };
  });
  if (!found) return;
  must(found.position <= found.conversation.tokens.length, 'more is read than there is');
  must(
    [...found.arrays.values()].every((array) => array instanceof Float32Array),
    'no floats',
  );
}

// The header with another list of arrays, and a checksum of that.
async function forged(bytes, listed) {
  const end = 16 + new DataView(bytes.buffer).getUint32(12, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(16, end)));
  header.arrays = { ...header.arrays, ...listed };
  const text = Buffer.from(JSON.stringify(header));
  const json = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(json.length);
  const body = Buffer.concat([bytes.subarray(0, 12), size, json, bytes.subarray(end, -32)]);
  return Buffer.concat([body, new Uint8Array(await crypto.subtle.digest('SHA-256', body))]);
}
