// SPDX-License-Identifier: MIT
// Fetched with the first session that is saved or restored.
import type { Conversation, Snapshot } from './conversation.js';
import { ModelError } from './errors.js';
import type { TextMachine } from './generation.js';
import type { LoadedModel } from './loaded-model.js';

const kSaved = { magic: 'fwsessio', version: 1, name: 'session' };

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
  const { Sha256 } = await import('./sha256.js');
  const hash = new Sha256();
  hash.add(bytes);
  return hash.bytes();
}

type Arrays = ReadonlyMap<string, Float32Array>;

/** Everything that `openSaved` and `restoreMachine` need, as bytes. */
export async function saveConversation(
  { fingerprint, facts }: LoadedModel,
  conversation: Conversation,
  own: object,
): Promise<Uint8Array> {
  const { bodyOf, encodeSaved, seal } = await import('./saved-file.js');
  const print = await fingerprint.digest();
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
  const bytes = encodeSaved(kSaved, saved, arrays(conversation.machine));
  return seal(bytes, await digest(bodyOf(bytes)));
}

/** @throws ModelError `wrong_model`, `invalid_header`, `truncated`, `integrity` */
export async function openSaved(
  { fingerprint, facts }: LoadedModel,
  bytes: Uint8Array,
): Promise<SavedSession & { arrays: Arrays }> {
  const { bodyOf, decodeSaved } = await import('./saved-file.js');
  const body = bodyOf(bytes) as Uint8Array<ArrayBuffer>;
  const saved = decodeSaved<SavedSession>(kSaved, bytes, await digest(body));
  if (saved.fingerprint === (await fingerprint.digest())) return saved;
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
  saved: SavedSession & { arrays: Arrays },
): void {
  if (!session.restore(saved.position, saved.pending)) {
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
  if (logitsAreDue(saved)) put('logits', session.logits(), tokenizer.vocabSize);
  const { length } = saved.history;
  wasm.withBlock(4 * Math.max(1, length), (address) => {
    wasm.module.HEAP32.set(saved.history, address >>> 2);
    session.setHistory(length, address);
  });
}

// Views of the heap, good until the next call.
function arrays({ wasm, session, tokenizer }: TextMachine): Map<string, Float32Array> {
  const view = (address: number, floats: number) =>
    wasm.module.HEAPF32.subarray(address >>> 2, (address >>> 2) + floats);
  const all = new Map([['state', view(session.state(), session.stateFloats())]]);
  for (let i = 0; i < session.pages(); i++) {
    all.set(`page.${i}`, view(session.page(i), session.pageFloats()));
  }
  if (logitsAreDue({ position: session.position(), pending: session.pending() })) {
    all.set('logits', view(session.logits(), tokenizer.vocabSize));
  }
  return all;
}

// Where a token is to be read first, nobody looks at them.
function logitsAreDue({ position, pending }: { position: number; pending: number }): boolean {
  return pending < 0 && position > 0;
}

function history({ wasm, session }: TextMachine): number[] {
  return wasm.withBlock(4 * wasm.module.historyTokens, (address) => {
    const count = session.history(address);
    return [...wasm.module.HEAP32.subarray(address >>> 2, (address >>> 2) + count)];
  });
}
