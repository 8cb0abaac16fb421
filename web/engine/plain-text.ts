// SPDX-License-Identifier: MIT
import { abortable } from '../abort.js';
import type { ConstrainedText } from '../constraints/constrain.js';
import { ModelError } from '../errors.js';
import type { GenerationSettings } from '../options.js';
import type { Message } from '../text/message.js';
import { type AnswerReading, Generation } from './generation.js';
import { constrained, speculating } from './generation-parts.js';
import { prefill, type Reading, type TextMachine } from './prefill.js';

/** What was read for a generation: how much of it again, and how much was kept and not read. */
interface Read {
  tokens: number[];
  reread: number;
  kept: number;
}

/** One text inside the engine, without a chat: the wasm session, and the calls that take turns on it. */
export class PlainText {
  readonly machine: TextMachine;
  /** What it has read, but for what it is writing. */
  protected heldTokens: number[] = [];
  protected seed: number;
  #running: Promise<void> = Promise.resolve();
  #waiting = 0;
  #wanted: (() => void) | undefined;

  /** @param seed of the draws that the machine makes; see `reseed` */
  constructor(machine: TextMachine, seed: number) {
    this.machine = machine;
    this.seed = seed;
  }

  /** Tokens that it holds, those included that are to be read again. */
  get tokens(): number {
    return Math.max(this.machine.session.position(), this.heldTokens.length);
  }

  /** Those of a chat. */
  get messages(): readonly Message[] {
    return [];
  }

  /** Bytes of the places that it can come back to. */
  get checkpointBytes(): number {
    return 0;
  }

  /**
   * Takes turns with the other calls on this text; `release` ends the turn.
   *
   * @throws the signal's reason, when it fires before the turn has come
   */
  async turn(signal?: AbortSignal): Promise<() => void> {
    const before = this.#running;
    let release = () => {};
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#running = before.then(() => mine);
    this.#waiting++;
    this.#wanted?.();
    try {
      await abortable(before, signal);
    } catch (error) {
      release();
      throw error;
    } finally {
      this.#waiting--;
    }
    return release;
  }

  /** Who has the turn for as long as somebody else likes is told when another call waits for it. */
  onWanted(wanted: (() => void) | undefined): void {
    this.#wanted = wanted;
    if (this.#waiting > 0) wanted?.();
  }

  /**
   * Reads raw text, special tokens in it included, or tokens.
   *
   * @returns how many of them were not read, as the state after them was kept
   */
  async read(prompt: string | number[], reading: Reading): Promise<number> {
    // It is to be gone on with, so it does not end, whatever the file says of whole texts.
    const { tokenizer } = this.machine;
    const tokens = typeof prompt === 'string' ? tokenizer.encode(prompt, { eos: false }) : prompt;
    if (tokens.length === 0) throw new RangeError('the prompt has no tokens');
    const kept = await prefill(this.machine, tokens, reading);
    this.heldTokens = tokens;
    return kept;
  }

  /** Gets ready to go on from what was read. */
  async goOn(settings: GenerationSettings): Promise<Generation> {
    const started = performance.now();
    const constraint = await constrained(this.machine, settings);
    const read = { tokens: this.heldTokens, reread: 0, kept: 0 };
    return this.generation(settings, read, started, constraint);
  }

  /** Reads raw text and gets ready to go on from it. */
  async complete(
    prompt: string | number[],
    settings: GenerationSettings,
    reading: Reading,
  ): Promise<Generation> {
    const started = performance.now();
    const constraint = await constrained(this.machine, settings);
    const kept = await this.read(prompt, reading);
    const read = { tokens: this.heldTokens, reread: 0, kept };
    return this.generation(settings, read, started, constraint);
  }

  /** Is told before each pass of its generations. */
  protected get onPass(): (() => void) | undefined {
    return undefined;
  }

  /** Is told when a generation is over. */
  answered(_: Generation): void {}

  /** Another text that goes on from here, with its own state. */
  clone(): PlainText {
    const copy = new PlainText(this.cloneMachine(), this.seed);
    copy.heldTokens = this.heldTokens;
    return copy;
  }

  dispose(): void {
    this.machine.draftText?.dispose();
    this.machine.session.delete();
  }

  /** Draws begin with a seed. */
  reseed(seed: number): void {
    this.seed = seed;
    this.machine.session.seedSampler(seed >>> 0, Math.floor(seed / 2 ** 32));
  }

  protected cloneMachine(): TextMachine {
    const session = this.machine.session.clone();
    if (!session) throw new ModelError('out_of_memory', 'no memory for another session');
    return { ...this.machine, session, draftText: this.machine.draftText?.clone() };
  }

  protected async generation(
    settings: GenerationSettings,
    read: Read,
    started: number,
    constraint: ConstrainedText | undefined,
    answer?: AnswerReading,
  ): Promise<Generation> {
    const speculation = await speculating(this.machine, settings, this.heldTokens);
    if (settings.seed !== undefined) this.reseed(settings.seed);
    const prefillMs = performance.now() - started;
    const prompt = { ...read, started, prefillMs, seed: this.seed };
    const { onPass } = this;
    return new Generation(this.machine, settings, prompt, {
      constraint,
      answer,
      speculation,
      onPass,
    });
  }
}
