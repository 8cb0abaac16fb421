// SPDX-License-Identifier: MIT
// Fetched only where a text is written with guesses.

import type { ConstrainedText } from '../constraints/constrain.js';
import type { Decoder } from './decoder.js';
import { type Guesses, type GuessKind, GuessPolicy, type Plan } from './guess-policy.js';
import { PassCosts } from './pass-costs.js';
import type { TextMachine } from './prefill.js';
import { PromptLookup } from './prompt-lookup.js';

// To look further ahead costs more than it is worth.
const LEAST_LIKELY = 0.3;
// More that begin each other a vocabulary hardly has.
const MOST_BEGINNINGS = 16;

type Found = Omit<Guesses, 'ms'>;

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
  /** Whether the block has read what was there before. */
  #followed = false;

  /** @param prompt the tokens that the text begins with */
  constructor(machine: TextMachine, prompt: readonly number[]) {
    this.#machine = machine;
    this.#costs = costsOf(machine.decoder);
    this.#policy = new GuessPolicy(machine.wasm.module.mostGuesses, this.#costs);
    for (const token of prompt) this.#lookup.push(token);
  }

  /**
   * @param room how many tokens may follow but for the last one
   * @param constraint of the text, as it is now
   */
  guess(room: number, constraint: ConstrainedText | undefined): Guesses | undefined {
    const { module, batchTokens } = this.#machine.wasm;
    const most = Math.min(room, module.mostGuesses, batchTokens - 1);
    if (most <= 0) return undefined;
    const began = performance.now();
    const { tokens, kinds } = constraint ? this.#held(most, constraint) : this.#free(most);
    const { count } = this.#policy.plan(kinds);
    if (count === 0) return undefined;
    return {
      tokens: tokens.slice(0, count),
      kinds: kinds.slice(0, count),
      ms: performance.now() - began,
    };
  }

  // What the text has said before, or the block's guesses where they promise more.
  #free(most: number): Found {
    const said = this.#beforeEnd(this.#lookup.guess(most)).map((id) => ({
      id,
      kind: 'said' as const,
    }));
    const { count, rate } = this.#blockPlan(most);
    const found =
      rate > this.#policy.plan(said.map(({ kind }) => kind)).rate ? this.#byBlock(count) : said;
    return {
      tokens: found.map(({ id }) => id),
      kinds: found.map(({ kind }) => kind),
    };
  }

  // What the constraint leaves one way for, else what the text has said before, else at first what the
  // block guesses.
  #held(most: number, constraint: ConstrainedText): Found {
    const { endTokens } = this.#machine.tokenizer;
    const ahead = constraint.fork();
    let said = this.#lookup.guess(most);
    const tokens: number[] = [];
    const kinds: GuessKind[] = [];
    let likely = 1;
    while (tokens.length < most) {
      const mask = ahead.allowed();
      const next = said[tokens.length];
      let guess =
        this.#decided(mask) ??
        (next === undefined ? undefined : { id: next, kind: 'said' as const });
      if (!guess && tokens.length === 0 && this.#blockPlan(1).count > 0) {
        [guess] = this.#byBlock(1, mask);
      }
      if (!guess || endTokens.has(guess.id) || !has(mask, guess.id)) break;
      likely *= this.#policy.likely(guess.kind);
      if (likely < LEAST_LIKELY) break;
      if (guess.id !== next) said = [];
      ahead.read(guess.id);
      // Whatever completes the text is its last token, which is drawn by itself.
      if (ahead.over) break;
      tokens.push(guess.id);
      kinds.push(guess.kind);
    }
    return { tokens, kinds };
  }

  #beforeEnd(tokens: number[]): number[] {
    const { endTokens } = this.#machine.tokenizer;
    const end = tokens.findIndex((token) => endTokens.has(token));
    return end < 0 ? tokens : tokens.slice(0, end);
  }

  #blockPlan(most: number): Plan {
    // Beside others' texts none are checked.
    const { guessBlock, decoder } = this.#machine;
    if (!guessBlock || decoder.isShared) return { count: 0, rate: 0 };
    return this.#policy.plan(Array<GuessKind>(most).fill('block'), false);
  }

  #byBlock(count: number, mask?: Int32Array): { id: number; kind: GuessKind }[] {
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
    if (this.#followed) this.#costs.learnGuesses(count, performance.now() - began);
    this.#followed = true;
    return this.#beforeEnd(guesses).map((id) => ({ id, kind: 'block' }));
  }

  /**
   * The longest of the tokens that are allowed, where each is the beginning of the next: the text is
   * decided, and at most how it falls into tokens is not.
   */
  #decided(mask: Int32Array): { id: number; kind: GuessKind } | undefined {
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

  /** Takes the tokens that a pass has drawn, and the guesses that it checked. */
  read(drawn: readonly number[], kinds: readonly GuessKind[], ms: number): void {
    this.#policy.learn(kinds, drawn.length - 1, ms);
    for (const token of drawn) this.#lookup.push(token);
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
