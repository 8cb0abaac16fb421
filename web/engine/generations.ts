// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { EngineCalls } from './calls.js';
import type { Conversation } from './conversation.js';
import type { Generation } from './generation.js';
import type { PlainText } from './plain-text.js';
import type { OnPrefill, Reading } from './prefill.js';
import { inRoom, type Texts } from './texts.js';
import type { Request, Step, TextReport } from './types.js';

interface Run {
  text: PlainText;
  generation: Generation;
  signal: AbortSignal;
  /** The call of `next` that is under way, or the last one. */
  step: Promise<Step> | undefined;
  stopping: boolean;
  end(): void;
}

/** The generations of an engine, from their prompts to their ends, by the numbers of their calls. */
export class Generations {
  readonly #calls: EngineCalls;
  readonly #texts: Texts;
  #runs = new Map<number, Run>();

  constructor(calls: EngineCalls, texts: Texts) {
    this.#calls = calls;
    this.#texts = texts;
  }

  /** Reads the prompt; the call, and the turn on its text, last until the generation ends. */
  async start(call: number, request: Request, onPrefill?: OnPrefill): Promise<TextReport> {
    const text =
      'prompt' in request ? this.#texts.plain(request.seed) : this.#texts.get(request.session);
    const signal = this.#calls.open(call, text, () => this.#settle(call));
    return this.#calls.track(this.#begin(call, request, text, { signal, onPrefill }));
  }

  async #begin(
    call: number,
    request: Request,
    text: PlainText,
    reading: Reading,
  ): Promise<TextReport> {
    const { signal } = reading;
    let release = () => {};
    const end = () => {
      this.#calls.close(call);
      release();
      if ('prompt' in request) text.dispose();
    };
    try {
      release = await text.turn(signal);
      const generation = await prompted(text, request, reading);
      this.#runs.set(call, { text, generation, signal, step: undefined, stopping: false, end });
    } catch (error) {
      end();
      throw error;
    }
    // Whoever ended it at the last moment did not find the run.
    if (signal.aborted) {
      this.#end(call);
      throw signal.reason;
    }
    return this.#texts.report(text);
  }

  /** The next piece of text, or the result. After the result, and after an error, the call is over. */
  async next(call: number): Promise<Step> {
    const run = this.#runs.get(call);
    if (!run) throw new ModelError('disposed', 'this generation has ended');
    run.step = this.#step(call, run);
    return run.step;
  }

  async #step(call: number, run: Run): Promise<Step> {
    const write = async () => {
      const piece = await run.generation.next(run.signal);
      return piece === undefined ? this.#end(call) : { piece };
    };
    try {
      return await this.#calls.track(write());
    } catch (error) {
      // After a trap there are none.
      if (!this.#runs.has(call)) throw error;
      const step = this.#end(call);
      if (run.stopping) return step;
      throw error;
    }
  }

  /** Writes to the end without handing out pieces. */
  async finish(call: number): Promise<Step> {
    for (;;) {
      const step = await this.next(call);
      if ('result' in step) return step;
    }
  }

  /** Ends one within one token, if it still runs; what is written stays in its text. */
  async stop(call: number): Promise<Step | undefined> {
    const run = this.#runs.get(call);
    if (run) run.stopping = true;
    this.#calls.abort(call);
    return this.#settle(call);
  }

  /** Forgets all of them, in an instance that must not be entered again. */
  clear(): void {
    this.#runs.clear();
  }

  // Ends an aborted one once none of its steps is under way: its reader may be ahead of us, and there
  // may be no reader.
  async #settle(call: number): Promise<Step | undefined> {
    let last: Step | undefined;
    for (let run = this.#runs.get(call); run; run = this.#runs.get(call)) {
      const { step } = run;
      last = await step?.catch(() => undefined);
      if (this.#runs.has(call) && run.step === step) last = this.#end(call);
    }
    return last;
  }

  #end(call: number): Step {
    const { text, generation, end } = this.#runs.get(call) as Run;
    this.#runs.delete(call);
    try {
      text.answered(generation);
      const use = this.#texts.use(text);
      const { build, threads } = this.#texts.model().facts;
      return { result: { ...generation.result, memory: use.memory, build, threads }, use };
    } finally {
      end();
    }
  }
}

async function prompted(text: PlainText, request: Request, reading: Reading): Promise<Generation> {
  const { settings } = request;
  if ('prompt' in request) return text.complete(request.prompt, settings, reading);
  if (!('messages' in request)) return text.goOn(settings);
  const conversation = text as Conversation;
  return inRoom(conversation, request, () =>
    conversation.prompt(request.messages, settings, reading),
  );
}
