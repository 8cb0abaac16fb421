// SPDX-License-Identifier: MIT
// Fetched only where a text is written with guesses.

import type { ConstrainedText } from '../constraints/constrain.js';
import { type Choices, choicesOf, has } from './choices.js';
import type { DraftText } from './draft-text.js';
import { experienceOf } from './experience.js';
import {
  type Guesses,
  type GuessKind,
  GuessPolicy,
  type Plan,
  type Said,
  saidBehind,
} from './guess-policy.js';
import type { Habits } from './habits.js';
import type { Guesser, PassCosts } from './pass-costs.js';
import type { TextMachine } from './prefill.js';
import { PromptLookup } from './prompt-lookup.js';

// To look further ahead costs more than it is worth.
const LEAST_LIKELY = 0.3;

interface Guess {
  id: number;
  kind: GuessKind;
  /** That it is right, where those before it are. */
  likely: number;
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
  readonly #habits: Habits;
  readonly #policy: GuessPolicy;
  #lastToken: number;
  /** What could follow at the next tokens, as far as that was looked at. */
  #choices: (Choices | undefined)[] = [];
  /** All of the text, where a draft reads it. */
  readonly #text: number[] | undefined;
  /** Whether the block has guessed in the last pass: else it first reads what came since. */
  #followed = false;
  /** Whether there is memory for a draft. */
  #drafts: boolean;

  /** @param held all of the text's tokens, with those of the prompt */
  constructor(machine: TextMachine, held: readonly number[]) {
    this.#machine = machine;
    const { costs, habits, block } = experienceOf(machine.decoder);
    this.#costs = costs;
    this.#habits = habits;
    this.#lastToken = held.at(-1) ?? -1;
    const { draftText: draft } = machine;
    const { mostGuesses } = machine.wasm.module;
    this.#policy = new GuessPolicy(mostGuesses, costs, block, draft?.record);
    for (const token of held) this.#lookup.push(token);
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
    this.#choices = [];
    const found = constraint
      ? await this.#held(most, room, constraint, signal)
      : await this.#free(most, room, signal);
    const checked = found.slice(0, this.#rated(found).count);
    return {
      tokens: checked.map(({ id }) => id),
      kinds: checked.map(({ kind }) => kind),
      ms: performance.now() - began,
    };
  }

  #rated(guesses: readonly Guess[]): Plan {
    return this.#policy.plan(guesses.map(({ likely }) => likely));
  }

  // What the text has said before, or what is guessed where that promises more.
  async #free(most: number, room: number, signal: AbortSignal): Promise<readonly Guess[]> {
    const said = this.#said(most);
    return (await this.#made(most, room, said, undefined, signal)) ?? said;
  }

  // What the constraint leaves one way for, else what is likeliest of all that is known.
  async #held(
    most: number,
    room: number,
    constraint: ConstrainedText,
    signal: AbortSignal,
  ): Promise<readonly Guess[]> {
    const mask = constraint.allowed();
    const known = this.#walk(most, constraint, mask, this.#said(most));
    if (known[0]?.kind === 'only') return known;
    const made = await this.#made(most, room, known, mask, signal);
    return made ? this.#walk(most, constraint, mask, made) : known;
  }

  // Guesses that the constraint lets through, one after the other; `ahead` are those of the next tokens.
  #walk(
    most: number,
    constraint: ConstrainedText,
    first: Int32Array,
    ahead: readonly Guess[],
  ): Guess[] {
    const { endTokens } = this.#machine.tokenizer;
    const text = constraint.fork();
    const found: Guess[] = [];
    this.#choices = [];
    let likely = 1;
    while (found.length < most) {
      const mask = found.length === 0 ? first : text.allowed();
      const next = ahead[found.length];
      const guess = this.#likeliest(mask, found.at(-1)?.id ?? this.#lastToken, next);
      likely *= guess?.likely ?? 0;
      if (!guess || endTokens.has(guess.id) || likely < LEAST_LIKELY) break;
      if (guess.id !== next?.id) ahead = [];
      text.read(guess.id);
      // Whatever completes the text is its last token, which is drawn by itself.
      if (text.over) break;
      found.push(guess);
    }
    return found;
  }

  #likeliest(mask: Int32Array, before: number, next: Guess | undefined): Guess | undefined {
    const choices = choicesOf(mask);
    this.#choices.push(choices);
    let best = next && has(mask, next.id) ? next : undefined;
    if (!choices) return best;
    const [first, ...others] = choices.ids;
    if (first === undefined) return undefined;
    if (others.length === 0) return { id: first, kind: 'only', likely: 1 };
    const habit = this.#habits.guess(choices, before);
    if (habit && !(best && best.likely > habit.likely)) best = { ...habit, kind: 'habit' };
    return best;
  }

  #said(most: number): Guess[] {
    const { tokens, matched } = this.#lookup.guess(most);
    return this.#guesses((i) => saidBehind(matched + i), tokens);
  }

  // Guesses that take time, where they promise more than those that there are.
  async #made(
    most: number,
    room: number,
    known: readonly Guess[],
    mask: Int32Array | undefined,
    signal: AbortSignal,
  ): Promise<Guess[] | undefined> {
    const { guessBlock, draftText: draft, decoder } = this.#machine;
    // Beside others' texts none are checked.
    if (decoder.isShared) return undefined;
    const { rate } = this.#rated(known);
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
    return this.#guesses(() => 'draft', guesses);
  }

  // Those before an end.
  #guesses(kindOf: (i: number) => Said | Guesser, tokens: readonly number[]): Guess[] {
    const { endTokens } = this.#machine.tokenizer;
    const end = tokens.findIndex((token) => endTokens.has(token));
    return tokens.slice(0, end < 0 ? tokens.length : end).map((id, i) => {
      const kind = kindOf(i);
      return { id, kind, likely: this.#policy.likely(kind) };
    });
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
    if (this.#followed) this.#costs.learnGuesses('block', count, performance.now() - began);
    return this.#guesses(() => 'block', guesses);
  }

  /**
   * Takes the tokens that a pass has drawn, and the guesses that it checked.
   *
   * @param ms how long it took; undefined where that says nothing of other passes
   */
  read(drawn: readonly number[], kinds: readonly GuessKind[], ms: number | undefined): void {
    this.#policy.learn(kinds, drawn.length - 1, ms);
    this.#followed = kinds[0] === 'block';
    for (const [i, token] of drawn.entries()) {
      const choices = this.#choices[i];
      if (choices && choices.ids.length > 1) this.#habits.learn(choices, this.#lastToken, token);
      this.#lastToken = token;
      this.#lookup.push(token);
      this.#text?.push(token);
    }
    this.#choices = [];
  }
}
