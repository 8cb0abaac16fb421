// SPDX-License-Identifier: MIT

import { otherTasks } from '../abort.js';
import type { WasmCheckpoint, WasmDraft, WasmModel } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';
import type { GuessRecord } from './guess-policy.js';
import type { DraftFacts } from './types.js';

/** What a model's drafts share. */
interface Shared {
  model: WasmModel;
  /** Tokens that both models have. */
  tokens: number;
  facts: DraftFacts;
  record: GuessRecord;
}

// Places in the text that are kept to come back to: as many as a conversation keeps by default.
const MOST_PLACES = 4;
// Before the end of a prompt: what a template writes at the beginning of an answer it may write otherwise
// once the answer is history.
const BEFORE_END = 16;

/**
 * A draft's side of a text: it reads what the text says when guesses are asked for, and where that is no
 * longer what it has read, it goes back to a place that it kept. It takes no memory before that.
 */
export class DraftText {
  readonly record: GuessRecord;
  readonly #wasm: Wasm;
  readonly #shared: Shared;
  #draft: WasmDraft | undefined;
  /** The text, of which it has read the first `position` tokens. */
  #text: readonly number[] = [];
  #places: { tokens: number; checkpoint: WasmCheckpoint }[] = [];
  /** Whether this prompt's place is to be kept. */
  #keeps = true;

  constructor(wasm: Wasm, shared: Shared) {
    this.record = shared.record;
    this.#wasm = wasm;
    this.#shared = shared;
  }

  get stateBytes(): number {
    return this.#draft ? this.#shared.facts.stateBytes : 0;
  }

  get kvBytes(): number {
    return this.#draft?.kvBytes() ?? 0;
  }

  get checkpointBytes(): number {
    return this.#places.reduce((sum, { checkpoint }) => sum + checkpoint.bytes, 0);
  }

  /**
   * Is told what the text is; from now on it only grows at its end.
   *
   * @param text a list that its owner adds tokens to
   */
  begin(text: readonly number[]): void {
    const read = this.#position;
    let same = 0;
    while (same < read && same < text.length && text[same] === this.#text[same]) same++;
    this.#text = text;
    this.#keeps = true;
    while ((this.#places.at(-1)?.tokens ?? 0) > same) this.#places.pop()?.checkpoint.delete();
    if (same === read || !this.#draft) return;
    const place = this.#places.at(-1);
    if (place) this.#draft.rewind(place.checkpoint);
    else this.#draft.reset();
  }

  /** Tokens of the text that it has not read. */
  get behind(): number {
    return this.#text.length - this.#position;
  }

  /**
   * Reads the text, but for what `guess` can read at once; other tasks run between batches.
   *
   * @returns whether there is memory for it
   * @throws the signal's reason
   */
  async follow(signal: AbortSignal): Promise<boolean> {
    this.#draft ??= this.#shared.model.createDraft(this.#shared.tokens) ?? undefined;
    if (!this.#draft) return false;
    const end = this.#text.length - BEFORE_END;
    while (this.behind > BEFORE_END) {
      signal.throwIfAborted();
      const part = this.#text.slice(this.#position, this.#position + this.#wasm.batchTokens);
      const ids = part.slice(0, end - this.#position);
      if (!this.#reads(ids) || !this.#draft.read(this.#wasm.putIds(ids), ids.length)) return false;
      if (this.#keeps && this.#position === end) this.#keep();
      await otherTasks();
    }
    return true;
  }

  /**
   * Reads the rest of the text and guesses up to `most` tokens after it, none that is less likely than
   * `least` to be right with those before it.
   *
   * @param mask of what the first one may be
   */
  guess(most: number, least: number, mask: Int32Array | undefined): number[] {
    const draft = this.#draft;
    const rest = this.#text.slice(this.#position);
    if (!draft || rest.length === 0 || !this.#reads(rest)) return [];
    const { module } = this.#wasm;
    // Batches may be as short as a token.
    while (rest.length > this.#wasm.batchTokens) {
      const part = rest.splice(0, this.#wasm.batchTokens);
      if (!draft.read(this.#wasm.putIds(part), part.length)) return [];
    }
    return this.#wasm.withBlock(4 * (most + (mask?.length ?? 0)), (address) => {
      const bits = address + 4 * most;
      if (mask) module.HEAP32.set(mask, bits >>> 2);
      const ids = this.#wasm.putIds(rest);
      const made = draft.guess(ids, rest.length, most, least, mask ? bits : 0, address);
      return [...module.HEAP32.subarray(address >>> 2, (address >>> 2) + Math.max(made, 0))];
    });
  }

  /** Beside a copy of the text. */
  clone(): DraftText {
    const copy = new DraftText(this.#wasm, this.#shared);
    // Without memory for it, it reads the text again.
    copy.#draft = this.#draft?.clone() ?? undefined;
    if (!copy.#draft) return copy;
    copy.#text = this.#text.slice(0, this.#position);
    copy.#places = this.#places.map(({ tokens, checkpoint }) => ({
      tokens,
      checkpoint: checkpoint.clone(),
    }));
    return copy;
  }

  dispose(): void {
    for (const { checkpoint } of this.#places.splice(0)) checkpoint.delete();
    this.#draft?.delete();
    this.#draft = undefined;
  }

  get #position(): number {
    return this.#draft?.position() ?? 0;
  }

  // Rows of a model that have no text may be more than the draft has.
  #reads(ids: readonly number[]): boolean {
    return ids.every((id) => id < this.#shared.tokens);
  }

  #keep(): void {
    this.#keeps = false;
    const tokens = this.#position;
    const checkpoint = this.#places.at(-1)?.tokens === tokens ? undefined : this.#draft?.mark();
    if (!checkpoint) return;
    this.#places.push({ tokens, checkpoint });
    // The first stays, as it does in a conversation.
    if (this.#places.length > MOST_PLACES) this.#places.splice(1, 1)[0]?.checkpoint.delete();
  }
}
