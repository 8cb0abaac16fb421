// SPDX-License-Identifier: MIT
// What a text's state is outside the heap.
import { ModelError } from '../errors.js';
import type { KvType } from '../options.js';
import type { TextMachine } from './prefill.js';

/**
 * State, pages and logits by name: `state`, `heads.0` and on, `logits`. Pages that hold other numbers
 * than floats have their type for a name, as in `bf16-heads.0`. What lay in them otherwise, before
 * the heads lay one after the other, was named otherwise.
 */
export type MachineArrays = ReadonlyMap<string, Float32Array>;

/** What holds the state. */
type StateHolder = Pick<TextMachine, 'wasm' | 'session' | 'tokenizer'>;

/** What there is to know of a state beside its arrays. */
export interface SavedMachine {
  /** Tokens that the state has read. */
  position: number;
  /** Drawn and not read yet; -1 for none. */
  pending: number;
  /** Tokens that penalties look at. */
  history: number[];
  /** How its pages have keys and values; missing in what was saved before there was a choice. */
  kv?: KvType;
}

export function savedMachine({ wasm, session }: TextMachine): SavedMachine {
  const history = wasm.withBlock(4 * wasm.module.historyTokens, (address) => {
    const count = session.history(address);
    return [...wasm.module.HEAP32.subarray(address >>> 2, (address >>> 2) + count)];
  });
  return { position: session.position(), pending: session.pending(), history, kv: session.kv() };
}

/**
 * Makes an empty session what the saved one was.
 *
 * @throws ModelError `out_of_memory`, or `invalid_header` where arrays are missing
 */
export function restoreMachine(
  { wasm, session, tokenizer }: StateHolder,
  saved: Omit<SavedMachine, 'kv'> & { arrays: MachineArrays },
): void {
  const hasLogits = saved.arrays.has('logits');
  const pages = session.pageFloats() > 0 ? Math.ceil(saved.position / wasm.module.pageTokens) : 0;
  const arrayOf = (name: string, floats: number): Float32Array => {
    const array = saved.arrays.get(name);
    if (array?.length === floats) return array;
    throw new ModelError('invalid_header', `the saved session has no ${name}`);
  };
  const state = arrayOf('state', session.stateFloats());
  const logits = hasLogits ? arrayOf('logits', tokenizer.vocabSize) : undefined;
  const kept: Float32Array[] = [];
  // Before memory is asked for what is not there.
  for (let i = 0; i < pages; i++)
    kept.push(arrayOf(pageName(session.kv(), i), session.pageFloats()));
  if (!session.restore(saved.position, saved.pending, hasLogits)) {
    throw new ModelError('out_of_memory', 'no memory for the saved session');
  }
  const put = (array: Float32Array, address: number) =>
    wasm.module.HEAPF32.set(array, address >>> 2);
  put(state, session.state());
  for (const [i, page] of kept.entries()) put(page, session.page(i));
  if (logits) put(logits, session.logits());
  const { length } = saved.history;
  wasm.withBlock(4 * Math.max(1, length), (address) => {
    wasm.module.HEAP32.set(saved.history, address >>> 2);
    session.setHistory(length, address);
  });
}

const pageName = (kv: KvType, i: number) => `${kv === 'f32' ? '' : `${kv}-`}heads.${i}`;

/** State, pages, and logits where there are any to draw from: views of the heap, good until the next call. */
export function machineArrays({
  wasm,
  session,
  tokenizer,
}: StateHolder): Map<string, Float32Array> {
  const view = (address: number, floats: number) =>
    wasm.module.HEAPF32.subarray(address >>> 2, (address >>> 2) + floats);
  const all = new Map([['state', view(session.state(), session.stateFloats())]]);
  for (let i = 0; i < session.pages(); i++) {
    all.set(pageName(session.kv(), i), view(session.page(i), session.pageFloats()));
  }
  // Where a token is to be read first, nobody looks at them.
  if (session.pending() < 0 && session.hasLogits()) {
    all.set('logits', view(session.logits(), tokenizer.vocabSize));
  }
  return all;
}
