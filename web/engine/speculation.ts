// SPDX-License-Identifier: MIT
// Fetched only where a text is written with guesses.

import type { ConstrainedText } from '../constraints/constrain.js';
import type { Decoder } from './decoder.js';
import type { DraftText } from './draft-text.js';
import { type Guesses, type GuessKind, GuessPolicy, type Plan } from './guess-policy.js';
import { PassCosts } from './pass-costs.js';
import type { TextMachine } from './prefill.js';
import { PromptLookup } from './prompt-lookup.js';

// To look further ahead costs more than it is worth.
const LEAST_LIKELY = 0.3;
// More that begin each other a vocabulary hardly has.
const MOST_BEGINNINGS = 16;

type Found = Omit<Guesses, 'ms'>;

interface Guess {
  id: number;
  kind: GuessKind;
}

/**
 * Guesses the next tokens of a text, so that they are read together with the one before them and
 * checked against what would have been drawn (Leviathan et al., Fast Inference from Transformers via
 * Speculative Decoding, 2023). A guess is one token, not a distribution: it is accepted when it is what
 * the sampler draws, so the text is to the token what it would have been.
 */
export class Speculation {
  readonly #machine: TextMachine;
  readonly #lookup = new PromptLookup();
  readonly #costs: PassCosts;
  readonly #policy: GuessPolicy;
  /** All of the text, where a draft reads it. */
  readonly #text: number[] | undefined;
  /** Whether the block has read what was there before. */
  #followed = false;
  /** Whether there is memory for a draft. */
  #drafts: boolean;

  /**
   * @param prompt the tokens that the text begins with, or goes on with
   * @param held all of its tokens, with those of the prompt
   */
  constructor(machine: TextMachine, prompt: readonly number[], held: readonly number[] = prompt) {
    this.#machine = machine;
    this.#costs = costsOf(machine.decoder);
    const { draftText: draft } = machine;
    this.#policy = new GuessPolicy(machine.wasm.module.mostGuesses, this.#costs, draft?.record);
    for (const token of prompt) this.#lookup.push(token);
    this.#drafts = draft !== undefined;
    if (!draft) return;
    this.#text = [...held];
    draft.begin(this.#text);
  }

  /**
   * @param room how many tokens may follow but for the last one
   * @param constraint of the text, as it is now
   * @throws the signal's reason, while a draft reads what it is behind
   */
  async guess(
    room: number,
    constraint: ConstrainedText | undefined,
    signal: AbortSignal,
  ): Promise<Guesses | undefined> {
    const { module, batchTokens } = this.#machine.wasm;
    const most = Math.min(room, module.mostGuesses, batchTokens - 1);
    if (most <= 0) return undefined;
    const began = performance.now();
    const { tokens, kinds } = constraint
      ? await this.#held(most, room, constraint, signal)
      : await this.#free(most, room, signal);
    const { count } = this.#policy.plan(kinds);
    const ms = performance.now() - began;
    return { tokens: tokens.slice(0, count), kinds: kinds.slice(0, count), ms };
  }

  // What the text has said before, or what is guessed where that promises more.
  async #free(most: number, room: number, signal: AbortSignal): Promise<Found> {
    const said = this.#said(most);
    const found = (await this.#made(most, room, said, undefined, signal)) ?? said;
    return {
      tokens: found.map(({ id }) => id),
      kinds: found.map(({ kind }) => kind),
    };
  }

  // What the constraint leaves one way for, else at first what is guessed or the text has said before.
  async #held(
    most: number,
    room: number,
    constraint: ConstrainedText,
    signal: AbortSignal,
  ): Promise<Found> {
    const { endTokens } = this.#machine.tokenizer;
    const ahead = constraint.fork();
    let likeliest = this.#said(most);
    const tokens: number[] = [];
    const kinds: GuessKind[] = [];
    let likely = 1;
    while (tokens.length < most) {
      const mask = ahead.allowed();
      const decided = this.#decided(mask);
      if (!decided && tokens.length === 0) {
        likeliest = (await this.#made(most, room, likeliest, mask, signal)) ?? likeliest;
      }
      const next = likeliest[tokens.length];
      const guess = decided ?? next;
      if (!guess || endTokens.has(guess.id) || !has(mask, guess.id)) break;
      likely *= this.#policy.likely(guess.kind);
      if (likely < LEAST_LIKELY) break;
      if (guess.id !== next?.id) likeliest = [];
      ahead.read(guess.id);
      // Whatever completes the text is its last token, which is drawn by itself.
      if (ahead.over) break;
      tokens.push(guess.id);
      kinds.push(guess.kind);
    }
    return { tokens, kinds };
  }

  #said(most: number): Guess[] {
    return this.#beforeEnd(this.#lookup.guess(most)).map((id) => ({ id, kind: 'said' }));
  }

  // Guesses that take time, where they promise more than those that there are.
  async #made(
    most: number,
    room: number,
    said: readonly Guess[],
    mask: Int32Array | undefined,
    signal: AbortSignal,
  ): Promise<Guess[] | undefined> {
    const { guessBlock, draftText: draft, decoder } = this.#machine;
    // Beside others' texts none are checked.
    if (decoder.isShared) return undefined;
    const { rate } = this.#policy.plan(said.map(({ kind }) => kind));
    const none = { count: 0, rate: 0 };
    // Of the block's guesses the first alone is made of what is allowed.
    const block = guessBlock ? this.#policy.planBy('block', mask ? 1 : most) : none;
    const behind = draft ? draft.behind : 0;
    const drafted = draft && this.#drafts ? this.#policy.planBy('draft', most, behind, room) : none;
    if (draft && drafted.count > 0 && drafted.rate > Math.max(rate, block.rate)) {
      return this.#byDraft(draft, drafted, mask, signal);
    }
    const { count } = block;
    return count > 0 && block.rate > rate ? this.#byBlock(count, mask) : undefined;
  }

  async #byDraft(
    draft: DraftText,
    plan: Plan,
    mask: Int32Array | undefined,
    signal: AbortSignal,
  ): Promise<Guess[] | undefined> {
    const { behind } = draft;
    const began = performance.now();
    this.#drafts = await draft.follow(signal);
    if (!this.#drafts) return undefined;
    const read = behind - draft.behind;
    if (read > 0) this.#costs.learnReading(read, performance.now() - began);
    const asked = performance.now();
    const guesses = draft.guess(plan.count, this.#policy.least(plan), mask);
    // Where it stopped sooner it had made one that it was not sure of.
    const passes = Math.min(guesses.length + 1, plan.count);
    // What it compiles the first time, and reads with the first, says nothing of those that follow.
    if (read === 0) this.#costs.learnGuesses('draft', passes, performance.now() - asked);
    this.#policy.learnMade('draft', guesses.length > 0);
    return this.#beforeEnd(guesses).map((id) => ({ id, kind: 'draft' }));
  }

  #beforeEnd(tokens: number[]): number[] {
    const { endTokens } = this.#machine.tokenizer;
    const end = tokens.findIndex((token) => endTokens.has(token));
    return end < 0 ? tokens : tokens.slice(0, end);
  }

  #byBlock(count: number, mask: Int32Array | undefined): Guess[] {
    const { wasm, session } = this.#machine;
    const { module } = wasm;
    const began = performance.now();
    const guesses = wasm.withBlock(4 * (count + (mask?.length ?? 0)), (address) => {
      const bits = address + 4 * count;
      if (mask) module.HEAP32.set(mask, bits >>> 2);
      const made = session.guess(count, mask ? bits : 0, address);
      return [...module.HEAP32.subarray(address >>> 2, (address >>> 2) + made)];
    });
    // The first time it reads what the prompt has left for it.
    if (this.#followed) this.#costs.learnGuesses('block', count, performance.now() - began);
    this.#followed = true;
    return this.#beforeEnd(guesses).map((id) => ({ id, kind: 'block' }));
  }

  /**
   * The longest of the tokens that are allowed, where each is the beginning of the next: the text is
   * decided, and at most how it falls into tokens is not.
   */
  #decided(mask: Int32Array): Guess | undefined {
    const ids = idsOf(mask, MOST_BEGINNINGS);
    if (!ids) return undefined;
    const { tokenizer } = this.#machine;
    const texts = ids.map((id) => ({ id, bytes: tokenizer.bytes(id) }));
    texts.sort((a, b) => a.bytes.length - b.bytes.length);
    for (const [i, { bytes }] of texts.entries()) {
      const next = texts[i + 1]?.bytes;
      if (next && !bytes.every((byte, at) => next[at] === byte)) return undefined;
    }
    const longest = texts.at(-1);
    return longest && { id: longest.id, kind: texts.length === 1 ? 'only' : 'longest' };
  }

  /**
   * Takes the tokens that a pass has drawn, and the guesses that it checked.
   *
   * @param ms how long it took; undefined where that says nothing of other passes
   */
  read(drawn: readonly number[], kinds: readonly GuessKind[], ms: number | undefined): void {
    this.#policy.learn(kinds, drawn.length - 1, ms);
    for (const token of drawn) {
      this.#lookup.push(token);
      this.#text?.push(token);
    }
  }
}

const costs = new WeakMap<Decoder, PassCosts>();

// One for all texts of a model.
function costsOf(decoder: Decoder): PassCosts {
  const known = costs.get(decoder) ?? new PassCosts();
  costs.set(decoder, known);
  return known;
}

const has = (mask: Int32Array, id: number) => ((mask[id >> 5] as number) & (1 << (id & 31))) !== 0;

// Undefined where there are more.
function idsOf(mask: Int32Array, most: number): number[] | undefined {
  const ids: number[] = [];
  for (let i = 0; i < mask.length; i++) {
    for (let left = mask[i] as number; left !== 0; left &= left - 1) {
      if (ids.push(32 * i + (31 - Math.clz32(left & -left))) > most) return undefined;
    }
  }
  return ids;
}
