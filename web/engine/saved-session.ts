// SPDX-License-Identifier: MIT
// Fetched with the first state that is saved or restored.

import { ModelError } from '../errors.js';
import type { Precision } from '../storage/compact.js';
import type { SavedArray, SavedKind } from '../storage/saved-file.js';
import type { Conversation, Snapshot } from './conversation.js';
import type { TextMachine } from './generation.js';
import type { LoadedModel } from './loaded-model.js';
import type { Texts } from './texts.js';
import type { TextUse } from './types.js';

const kSaved = { magic: 'fwsessio', version: 2, name: 'session' };

/** What a saved session says; its arrays are the state, the pages, and logits that are due. */
export interface SavedSession {
  /** Of the model that it goes with, and its name for people. */
  fingerprint: string;
  model: string | undefined;
  conversation: Snapshot;
  /** Tokens that the state has read. */
  position: number;
  /** Drawn and not read yet; -1 for none. */
  pending: number;
  /** Tokens that penalties look at. */
  history: number[];
  /** What its caller gave. */
  own: object;
}

// A state of 70 MB takes the engine's own 0.05 s where it has one, 0.35 s in JavaScript.
async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = globalThis.crypto?.subtle;
  if (subtle) return new Uint8Array(await subtle.digest('SHA-256', bytes));
  const { Sha256 } = await import('../storage/sha256.js');
  const hash = new Sha256();
  hash.add(bytes);
  return hash.bytes();
}

type Arrays = ReadonlyMap<string, Float32Array>;
type SavedArrays = ReadonlyMap<string, SavedArray>;

/**
 * Facts and arrays as bytes, with their checksum.
 *
 * @param arrays called when they are copied: they may be views of a heap that grows
 */
export async function sealed(
  kind: SavedKind,
  facts: object,
  arrays: () => SavedArrays,
): Promise<Uint8Array> {
  const { bodyOf, encodeSaved, seal } = await import('../storage/saved-file.js');
  const bytes = encodeSaved(kind, facts, arrays());
  return seal(bytes, await digest(bodyOf(bytes)));
}

/** And back. @throws ModelError `invalid_header`, `truncated`, `integrity` */
export async function opened<Facts extends object>(
  kind: SavedKind,
  bytes: Uint8Array,
): Promise<Facts & { arrays: SavedArrays }> {
  const { bodyOf, decodeSaved } = await import('../storage/saved-file.js');
  const body = bodyOf(bytes) as Uint8Array<ArrayBuffer>;
  return decodeSaved<Facts, SavedArray>(kind, bytes, await digest(body));
}

/** @throws ModelError `invalid_header` for arrays that nobody writes */
export async function unpacked(arrays: SavedArrays): Promise<Arrays> {
  const isPacked = [...arrays.values()].some((array) => 'type' in array);
  return isPacked ? (await import('../storage/compact.js')).unpack(arrays) : (arrays as Arrays);
}

/**
 * What brings arrays to a precision; `f32` leaves the views of the heap that they are.
 *
 * @throws TypeError for a precision that does not exist
 */
export async function packerOf(
  precision: Precision,
): Promise<(arrays: Map<string, Float32Array>) => SavedArrays> {
  if (precision === 'f32') return (arrays) => arrays;
  const { packer } = await import('../storage/compact.js');
  return packer(precision);
}

/** Everything that `restoreConversation` needs, as bytes. */
export async function saveConversation(
  { fingerprint, facts }: LoadedModel,
  conversation: Conversation,
  own: object,
  precision: Precision,
): Promise<Uint8Array> {
  const print = await fingerprint.digest();
  const pack = await packerOf(precision);
  const { session } = conversation.machine;
  const saved: SavedSession = {
    fingerprint: print,
    model: facts.name,
    conversation: conversation.snapshot(),
    position: session.position(),
    pending: session.pending(),
    history: history(conversation.machine),
    own,
  };
  return sealed(kSaved, saved, () => pack(machineArrays(conversation.machine)));
}

/**
 * Starts a session from what `saveConversation` gave.
 *
 * @throws ModelError `wrong_model`, `invalid_header`, `truncated`, `integrity`, `out_of_memory`
 */
export async function restoreConversation(
  texts: Texts,
  bytes: Uint8Array,
  checkpoints: number,
): Promise<{ session: number; use: TextUse; own: object }> {
  const saved = await openSaved(texts.model(), bytes);
  const { thinking } = saved.conversation;
  const empty = await texts.chat({ seed: 0, thinking, checkpoints });
  const restored = await texts.add(empty, (conversation) => {
    restoreMachine(conversation.machine, saved);
    conversation.restore(saved.conversation);
  });
  return { ...restored, own: saved.own };
}

async function openSaved(
  { fingerprint, facts }: LoadedModel,
  bytes: Uint8Array,
): Promise<SavedSession & { arrays: Arrays }> {
  const saved = await opened<SavedSession>(kSaved, bytes);
  if (!saved.conversation.boundaries) {
    throw new ModelError('invalid_header', 'the session was saved before places were part of it');
  }
  if (saved.fingerprint === (await fingerprint.digest())) {
    return { ...saved, arrays: await unpacked(saved.arrays) };
  }
  const [theirs, ours] = [saved.model ?? 'another model', facts.name ?? 'this one'];
  throw new ModelError(
    'wrong_model',
    `the session was saved from ${theirs}, whose weights are not those of ${ours}`,
  );
}

/**
 * Makes an empty session what the saved one was.
 *
 * @throws ModelError `out_of_memory`, or `invalid_header` where arrays are missing
 */
export function restoreMachine(
  { wasm, session, tokenizer }: TextMachine,
  saved: Pick<SavedSession, 'position' | 'pending' | 'history'> & { arrays: Arrays },
): void {
  const hasLogits = saved.arrays.has('logits');
  if (!session.restore(saved.position, saved.pending, hasLogits)) {
    throw new ModelError('out_of_memory', 'no memory for the saved session');
  }
  const put = (name: string, address: number, floats: number) => {
    const array = saved.arrays.get(name);
    if (array?.length !== floats) {
      throw new ModelError('invalid_header', `the saved session has no ${name}`);
    }
    wasm.module.HEAPF32.set(array, address >>> 2);
  };
  put('state', session.state(), session.stateFloats());
  for (let i = 0; i < session.pages(); i++) put(`page.${i}`, session.page(i), session.pageFloats());
  if (hasLogits) put('logits', session.logits(), tokenizer.vocabSize);
  const { length } = saved.history;
  wasm.withBlock(4 * Math.max(1, length), (address) => {
    wasm.module.HEAP32.set(saved.history, address >>> 2);
    session.setHistory(length, address);
  });
}

/** State, pages, and logits where there are any to draw from: views of the heap, good until the next call. */
export function machineArrays({
  wasm,
  session,
  tokenizer,
}: TextMachine): Map<string, Float32Array> {
  const view = (address: number, floats: number) =>
    wasm.module.HEAPF32.subarray(address >>> 2, (address >>> 2) + floats);
  const all = new Map([['state', view(session.state(), session.stateFloats())]]);
  for (let i = 0; i < session.pages(); i++) {
    all.set(`page.${i}`, view(session.page(i), session.pageFloats()));
  }
  // Where a token is to be read first, nobody looks at them.
  if (session.pending() < 0 && session.hasLogits()) {
    all.set('logits', view(session.logits(), tokenizer.vocabSize));
  }
  return all;
}

function history({ wasm, session }: TextMachine): number[] {
  return wasm.withBlock(4 * wasm.module.historyTokens, (address) => {
    const count = session.history(address);
    return [...wasm.module.HEAP32.subarray(address >>> 2, (address >>> 2) + count)];
  });
}
