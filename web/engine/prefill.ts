// SPDX-License-Identifier: MIT
import { otherTasks } from '../abort.js';
import { ModelError } from '../errors.js';
import type { PrefillProgress } from '../options.js';
import type { Tokenizer } from '../text/tokenizer.js';
import type { WasmSession } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';
import type { Decoder } from './decoder.js';
import type { DraftText } from './draft-text.js';
import type { Trails } from './trails.js';

/** A session's wasm side with what a generation needs around it. */
export interface TextMachine {
  readonly wasm: Wasm;
  readonly session: WasmSession;
  readonly decoder: Decoder;
  readonly tokenizer: Tokenizer;
  /** Most tokens a text may have. */
  readonly contextWindow: number;
  /** Most tokens that it was made for, as its file says. */
  readonly contextLength: number;
  /** Whether it guesses unless told otherwise, and whether it has a block for that. */
  readonly speculate: boolean;
  readonly guessBlock: boolean;
  /** What guesses it, where the model has a draft. */
  readonly draftText?: DraftText | undefined;
  /** Those of all texts. */
  readonly trails: Trails;
  /** What texts may begin from, where that is kept. */
  readonly prefixes?: KnownBeginnings;
}

/** The states after texts' beginnings that a model keeps. */
export interface KnownBeginnings {
  /** Bytes in memory. */
  readonly bytes: number;
  /**
   * Makes an empty session what it would be had it read the longest beginning that is kept.
   *
   * @returns how many tokens that is
   */
  enter(machine: TextMachine, ids: readonly number[]): Promise<number>;
}

/** @throws ModelError `context_full` when `count` more tokens do not fit behind `held` */
export function checkRoom(held: number, count: number, contextWindow: number): void {
  if (held + count <= contextWindow) return;
  throw new ModelError(
    'context_full',
    `${held} tokens are held and ${count} more do not fit in the context window of ${contextWindow}`,
  );
}

export type OnPrefill = (read: PrefillProgress) => void;

/** Who reads a prompt may be told how far it is, and told to end. */
export interface Reading {
  signal: AbortSignal;
  onPrefill?: OnPrefill;
}

/**
 * Reads `ids` in batches; other tasks run between them. An abort leaves a part of them read.
 *
 * @param stops between two of them, in order, but for those that come before what was kept
 * @returns how many need not be read, as the state after them was kept
 * @throws the signal's reason; ModelError `context_full` before anything is read
 */
export async function prefill(
  machine: TextMachine,
  ids: readonly number[],
  { signal, onPrefill }: Reading,
  stops: readonly { after: number; act: () => void }[] = [],
): Promise<number> {
  const { wasm, session, contextWindow, prefixes } = machine;
  const held = session.position();
  checkRoom(held, ids.length, contextWindow);
  const kept = (prefixes && held === 0 && (await prefixes.enter(machine, ids))) || 0;
  for (let at = kept; at < ids.length; ) {
    signal.throwIfAborted();
    const stop = stops.find(({ after }) => after > at);
    const part = ids.slice(at, Math.min(at + wasm.batchTokens, stop?.after ?? ids.length));
    at += part.length;
    if (!session.prefill(wasm.putIds(part), part.length, at === ids.length)) throw outOfMemory();
    if (at === stop?.after) stop.act();
    onPrefill?.({ tokens: at - kept, total: ids.length - kept });
    await otherTasks();
  }
  signal.throwIfAborted();
  return kept;
}

export function outOfMemory(): ModelError {
  return new ModelError('out_of_memory', 'the WebAssembly memory is full');
}

/** What was computed from the weights, or from a restored state, is NaN or infinite. */
export function notFinite(): ModelError {
  return new ModelError(
    'not_finite',
    'the model computed what is NaN or infinite: its weights, or the state it went on from, are damaged',
  );
}
