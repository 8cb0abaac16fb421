// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { PrefillProgress } from '../options.js';
import type { Call, CallsUnderWay, OpenCall } from './calls.js';
import type { Conversation } from './conversation.js';
import type { Generation } from './generation.js';
import type { PlainText } from './plain-text.js';
import type { Reading } from './prefill.js';
import { inRoom, type Texts } from './texts.js';
import type { Ended, Request, Step, TextReport } from './types.js';

interface Run {
  text: PlainText;
  generation: Generation;
  call: OpenCall;
  /** Steps that were taken before their reader asked for them. */
  ahead: Promise<Step>[];
  /** The step that was begun last: they follow each other. */
  last: Promise<unknown>;
  /** How it ended, once it has. */
  outcome: Promise<Ended>;
  settle: { resolve(ended: Ended): void; reject(reason: unknown): void };
  over: boolean;
  stopping: boolean;
}

/** The generations of an engine, from their prompts to their ends. */
export class Generations {
  readonly #calls: CallsUnderWay;
  readonly #texts: Texts;
  #runs = new Map<number, Run>();
  #next = 1;

  constructor(calls: CallsUnderWay, texts: Texts) {
    this.#calls = calls;
    this.#texts = texts;
  }

  /** Reads the prompt; the turn on its text lasts until the generation ends. Returns its number. */
  async start(
    request: Request,
    { signal, tell }: Call<PrefillProgress>,
  ): Promise<{ generation: number; report: TextReport }> {
    const text =
      'prompt' in request ? this.#texts.plain(request.seed) : this.#texts.get(request.session);
    const id = this.#next++;
    const call = this.#calls.open(signal, text, () => this.#settle(id));
    const report = await this.#calls.track(this.#begin(id, request, text, call, tell));
    return { generation: id, report };
  }

  async #begin(
    id: number,
    request: Request,
    text: PlainText,
    call: OpenCall,
    onPrefill: Reading['onPrefill'],
  ): Promise<TextReport> {
    const { signal } = call;
    let release = () => {};
    const close = () => {
      text.onWanted(undefined);
      call.close();
      release();
      if ('prompt' in request) text.dispose();
    };
    try {
      release = await text.turn(signal);
      const generation = await prompted(text, request, { signal, onPrefill });
      // Whoever ended it at the last moment did not find the run.
      signal.throwIfAborted();
      call.unlink();
      this.#runs.set(id, { ...begun(text, generation), call: { ...call, close } });
    } catch (error) {
      close();
      throw error;
    }
    text.onWanted(() => void this.#writeOn(id));
    return this.#texts.report(text);
  }

  /** The next piece of text, or the result. After the result, and after an error, it is over. */
  async next(id: number): Promise<Step> {
    const run = this.#get(id);
    const step = run.ahead.shift() ?? this.#step(run);
    try {
      const taken = await step;
      if ('result' in taken) this.#runs.delete(id);
      return taken;
    } catch (error) {
      this.#runs.delete(id);
      throw error;
    }
  }

  /** Writes to the end without handing out pieces. */
  async finish(id: number): Promise<Step> {
    for (;;) {
      const step = await this.next(id);
      if ('result' in step) return step;
    }
  }

  /** Resolves with the result, or rejects, when the generation ends, in whatever way that happens. */
  async outcome(id: number): Promise<Ended> {
    return this.#get(id).outcome;
  }

  /** Ends one within one token, if it still runs; what is written stays in its text. */
  async stop(id: number): Promise<void> {
    const run = this.#runs.get(id);
    if (!run) return;
    run.stopping = true;
    run.call.abort();
    await this.#settle(id);
    this.#runs.delete(id);
  }

  /** Forgets what nobody has read of a text's answers. */
  forget(text: PlainText): void {
    for (const [id, run] of this.#runs) if (run.text === text && run.over) this.#runs.delete(id);
  }

  /** Forgets all of them, in an instance that must not be entered again. */
  clear(reason: unknown): void {
    for (const run of this.#runs.values()) {
      run.over = true;
      run.settle.reject(reason);
    }
    this.#runs.clear();
  }

  #get(id: number): Run {
    const run = this.#runs.get(id);
    if (run) return run;
    throw new ModelError('disposed', 'this generation has ended');
  }

  #step(run: Run): Promise<Step> {
    const step = run.last.then(() => this.#write(run));
    run.last = step.catch(() => {});
    return step;
  }

  async #write(run: Run): Promise<Step> {
    if (run.over) return run.outcome;
    try {
      const piece = await this.#calls.track(run.generation.next(run.call.signal));
      if (piece === undefined) return this.#end(run);
      return { piece, logprobs: run.generation.takeLogprobs() };
    } catch (error) {
      // After a trap it is over.
      if (run.over) throw error;
      return this.#end(run, run.stopping ? undefined : { error });
    }
  }

  // Somebody waits for the text, and its reader may never ask: it is written to the end.
  async #writeOn(id: number): Promise<void> {
    const run = this.#runs.get(id);
    while (run && !run.over) {
      const step = this.#step(run);
      step.catch(() => {});
      run.ahead.push(step);
      await step.catch(() => {});
    }
  }

  // Ends an aborted one once none of its steps is under way: its reader may be ahead of us, and there
  // may be no reader.
  async #settle(id: number): Promise<void> {
    const run = this.#runs.get(id);
    if (!run) return;
    await run.last;
    const { reason } = run.call.signal;
    if (!run.over) {
      try {
        this.#end(run, run.stopping ? undefined : { error: reason });
      } catch {
        // Its reader, and whoever waits for the outcome, are told.
      }
    }
  }

  #end(run: Run, failure?: { error: unknown }): Ended {
    const { text, generation, call, settle } = run;
    run.over = true;
    try {
      text.answered(generation);
      const use = this.#texts.use(text);
      const { build, threads } = this.#texts.model().facts;
      const ended = {
        result: { ...generation.written(), memory: use.memory, build, threads },
        use,
      };
      if (failure) throw failure.error;
      settle.resolve(ended);
      return ended;
    } catch (error) {
      settle.reject(error);
      throw error;
    } finally {
      call.close();
    }
  }
}

function begun(text: PlainText, generation: Generation): Omit<Run, 'call'> {
  let settle!: Run['settle'];
  const outcome = new Promise<Ended>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Whoever only reads the pieces sees its error there.
  outcome.catch(() => {});
  const last = Promise.resolve();
  return { text, generation, ahead: [], last, outcome, settle, over: false, stopping: false };
}

async function prompted(text: PlainText, request: Request, reading: Reading): Promise<Generation> {
  const { settings } = request;
  if ('prompt' in request) return text.complete(request.prompt, settings, reading);
  if (!('messages' in request)) return text.goOn(settings);
  const conversation = text as Conversation;
  return inRoom(conversation, request, () =>
    conversation.prompt(request.messages, settings, reading, request.answer),
  );
}
