// SPDX-License-Identifier: MIT

import { fetchError, ModelError } from '../errors.js';
import type { PrefillProgress } from '../options.js';
import type { LoadProgress } from '../sources/model-files.js';
import type { Precision } from '../storage/compact.js';
import type { Message } from '../text/message.js';
import type { WasmProfileRow } from '../wasm/glue.js';
import { type Call, CallsUnderWay } from './calls.js';
import type { ConversationOptions } from './conversation.js';
import { Generations } from './generations.js';
import type { Inspected, InspectionSettings } from './inspection.js';
import { type LoadedModel, openModel } from './loaded-model.js';
import { logits } from './logits.js';
import type { GivenSource } from './model-source.js';
import type { Reading } from './prefill.js';
import type { PlaceSettings } from './rendered-text.js';
import type { Score } from './score.js';
import type { SessionState, StateRequest } from './session-state.js';
import { inRoom, inTurn, Texts } from './texts.js';
import type {
  Ended,
  EngineFacts,
  EngineOptions,
  KeptPrefix,
  MemoryUse,
  PrefixRequest,
  Request,
  Step,
  TextReport,
  TextUse,
} from './types.js';

/**
 * A model and its texts, behind calls that can cross to a worker: plain values go in and out, calls
 * that take long are numbered by the caller, and `abort(call)` ends one of them.
 */
export class Engine {
  #loaded: LoadedModel | undefined;
  #texts = new Texts(() => this.#ready());
  #calls = new CallsUnderWay((failure) => this.#lose(failure));
  #generations = new Generations(this.#calls, this.#texts);

  /** Loads a model; one engine holds one. */
  async load(
    source: GivenSource,
    options: EngineOptions,
    call: Call<LoadProgress>,
  ): Promise<EngineFacts> {
    return this.#calls.run(call.signal, async (signal) => {
      this.#loaded = await openModel(source, options, signal, (progress) => call.tell(progress));
      return this.#loaded.facts;
    });
  }

  /** Says what a model is and what loading it would take. */
  async inspect(source: GivenSource, settings: InspectionSettings, call: Call): Promise<Inspected> {
    return this.#calls.run(call.signal, async (signal) => {
      const { inspectFiles } = await import('./inspection.js').catch((cause: unknown) => {
        throw fetchError(cause, 'inspecting files');
      });
      return inspectFiles(source, settings, signal);
    });
  }

  /** Starts an empty text and reads the messages; returns its number. */
  async createSession(
    messages: Message[],
    options: ConversationOptions,
    call: Call<PrefillProgress>,
  ): Promise<{ session: number; use: TextUse }> {
    return this.#calls.run(call.signal, async (signal) =>
      this.#texts.add(await this.#texts.chat(options), async (conversation) => {
        if (messages.length > 0) await conversation.append(messages, reading(call, signal));
        conversation.initial = messages.length;
      }),
    );
  }

  /** Starts a text without a chat that has read a prompt, for `start`; returns its number. */
  async readText(prompt: string | number[], call: Call<PrefillProgress>): Promise<number> {
    const { session } = await this.#calls.run(call.signal, async (signal) =>
      this.#texts.add(this.#texts.plain(0), (text) => text.read(prompt, reading(call, signal))),
    );
    return session;
  }

  async cloneSession(session: number): Promise<{ session: number; use: TextUse }> {
    return inTurn(this.#texts.get(session), (text) => this.#texts.add(text.clone()));
  }

  /** A session with everything that `restoreSession` needs; `own` are facts of the caller's. */
  async saveSession(session: number, own: object, precision: Precision): Promise<Uint8Array> {
    return inTurn(this.#texts.conversation(session), async (conversation) => {
      const { saveConversation } = await import('./saved-session.js');
      return saveConversation(this.#ready(), conversation, own, precision);
    });
  }

  /** Starts a session from bytes that `saveSession` gave; `own` are the caller's facts again. */
  async restoreSession(
    bytes: Uint8Array,
    places: PlaceSettings,
  ): Promise<{ session: number; use: TextUse; own: object }> {
    const { restoreConversation } = await import('./saved-session.js');
    return restoreConversation(this.#texts, bytes, places);
  }

  /** Keeps, lists or forgets what is kept of texts' beginnings. */
  async prefixes(
    request: PrefixRequest,
    call: Call<PrefillProgress>,
  ): Promise<KeptPrefix | KeptPrefix[] | boolean> {
    return this.#calls.run(call.signal, async (signal) => {
      const { answerPrefixes } = await import('./prefixes.js');
      const start = (options: ConversationOptions) => this.#texts.chat(options);
      const reader = { start, reading: reading(call, signal) };
      return answerPrefixes(this.#ready().prefixes, request, reader);
    });
  }

  /** The messages of a session, those of the model included. */
  async messages(session: number): Promise<Message[]> {
    return inTurn(this.#texts.conversation(session), ({ messages }) => [...messages]);
  }

  /** Goes back to the first `count` messages. */
  async rewind(session: number, count: number): Promise<TextUse> {
    return inTurn(this.#texts.conversation(session), (conversation) => {
      conversation.rewind(count);
      return this.#texts.use(conversation);
    });
  }

  /** Reads messages; with `forgets`, in the place of the oldest turns where there is no room. */
  async append(
    session: number,
    messages: Message[],
    forgets: boolean,
    call: Call<PrefillProgress>,
  ): Promise<void> {
    const conversation = this.#texts.conversation(session);
    const work = (signal: AbortSignal) => {
      const read = () => conversation.append(messages, reading(call, signal));
      return inTurn(conversation, () => inRoom(conversation, { messages, forgets }, read), signal);
    };
    return this.#calls.run(call.signal, work, conversation);
  }

  /** How many tokens messages would add to a session: of a prompt, or appended. */
  async count(session: number, messages: Message[], generationPrompt: boolean): Promise<number> {
    const conversation = this.#texts.conversation(session);
    return inTurn(conversation, () => conversation.count(messages, { generationPrompt }));
  }

  /** How many tokens a conversation takes that begins with these messages. */
  async countChat(messages: Message[]): Promise<number> {
    const conversation = await this.#texts.chat({ seed: 0, checkpoints: 0 });
    try {
      return await conversation.count(messages, { generationPrompt: false });
    } finally {
      conversation.dispose();
    }
  }

  /** A session's state as it is, between two tokens of an answer too: nobody's turn is waited for. */
  async state(session: number, request: StateRequest): Promise<SessionState> {
    const { readState } = await import('./state-reading.js').catch((cause: unknown) => {
      throw fetchError(cause, 'reading states');
    });
    return readState(this.#texts.get(session).machine, request);
  }

  /** What a session holds now, and what it has forgotten since this was last asked. */
  async use(session: number): Promise<TextReport> {
    return this.#texts.report(this.#texts.get(session));
  }

  async destroySession(session: number): Promise<void> {
    const text = this.#texts.remove(session);
    if (!text) return;
    await this.#calls.end(new ModelError('disposed', 'the session has been destroyed'), text);
    this.#generations.forget(text);
    await inTurn(text, () => text.dispose());
  }

  /**
   * Reads the prompt of a generation and gives its number and what `use` does; `next` then writes. The
   * caller must end with `stop`, or read to the end.
   */
  async start(
    request: Request,
    call: Call<PrefillProgress>,
  ): Promise<{ generation: number; report: TextReport }> {
    return this.#generations.start(request, call);
  }

  /** The next piece of text, or the result. After the result, and after an error, it is over. */
  async next(generation: number): Promise<Step> {
    return this.#generations.next(generation);
  }

  /** Writes to the end without handing out pieces. */
  async finish(generation: number): Promise<Step> {
    return this.#generations.finish(generation);
  }

  /** The result, or the error, when it ends, in whatever way that happens. */
  async outcome(generation: number): Promise<Ended> {
    return this.#generations.outcome(generation);
  }

  /** Ends a generation within one token, if it still runs; what is written stays in its text. */
  async stop(generation: number): Promise<void> {
    return this.#generations.stop(generation);
  }

  async encode(text: string, special: boolean): Promise<number[]> {
    return this.#ready().tokenizer.encode(text, { special });
  }

  async decode(ids: number[], special: boolean): Promise<string> {
    return this.#ready().tokenizer.decode(ids, { special, whole: true });
  }

  /** Logits after the last of `ids`, or after every one: [rows, vocab]. */
  async logits(ids: number[], all: boolean, call: Call): Promise<Float32Array> {
    return this.#calls.run(call.signal, (signal) =>
      this.#texts.withMachine((machine) => logits(machine, this.#ready().model, ids, all, signal)),
    );
  }

  /** How well the model predicts a text, window by window (see `score`). */
  async score(
    text: string,
    window: number,
    call: Call<{ done: number; total: number }>,
  ): Promise<Score> {
    return this.#calls.run(call.signal, async (signal) => {
      const { score } = await import('./score.js');
      const tell = (done: number, total: number) => call.tell({ done, total });
      return this.#texts.withMachine((machine) => score(machine, text, window, signal, tell));
    });
  }

  /** Charges time to the parts of the forward pass from now on. */
  async startProfile(): Promise<void> {
    this.#ready().model.startProfile();
  }

  /** Ends that; what was charged, part by part. */
  async stopProfile(): Promise<WasmProfileRow[]> {
    return this.#ready().model.stopProfile();
  }

  async memory(): Promise<MemoryUse> {
    return this.#texts.memory();
  }

  /** Frees the model and everything made from it. */
  async dispose(): Promise<void> {
    await this.#calls.end(new ModelError('disposed', 'the model has been disposed of'));
    await this.#calls.settled();
    this.#texts.dispose();
    this.#loaded?.draft?.delete();
    this.#loaded?.model.delete();
    this.#loaded?.wasm.dispose();
    this.#loaded = undefined;
  }

  #ready(): LoadedModel {
    if (!this.#loaded) throw new ModelError('disposed', 'the model has been disposed of');
    return this.#loaded;
  }

  // After a trap nothing of the instance can be used.
  #lose(failure: ModelError): void {
    this.#loaded?.wasm.dispose();
    this.#loaded = undefined;
    this.#generations.clear(failure);
    this.#texts.clear();
  }
}

const reading = ({ tell }: Call<PrefillProgress>, signal: AbortSignal): Reading => ({
  signal,
  onPrefill: tell,
});
