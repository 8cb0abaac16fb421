// SPDX-License-Identifier: MIT

import type { ModelSource } from './byte-source.js';
import type { ChatTemplate, Message } from './chat-template.js';
import type { Precision } from './compact.js';
import type { Conversation, ConversationOptions } from './conversation.js';
import type {
  EngineFacts,
  EngineOptions,
  MemoryUse,
  Request,
  Step,
  TextUse,
} from './engine-types.js';
import { ModelError } from './errors.js';
import {
  checkRoom,
  type Generation,
  outOfMemory,
  prefill,
  type Reading,
  type TextMachine,
} from './generation.js';
import type { WasmProfileRow, WasmSession } from './glue.js';
import { type LoadedModel, openModel } from './loaded-model.js';
import { logits } from './logits.js';
import type { LoadProgress } from './model-files.js';
import { PlainText } from './plain-text.js';
import type { KeptPrefix, PrefixRequest } from './prefixes.js';
import type { Score } from './score.js';

// In this module's chunk, so that what both need is not cut into more.
export { inspectFiles } from './inspection.js';

interface Call {
  controller: AbortController;
  /** The text it works on or waits for. */
  on?: PlainText;
}

interface Run {
  text: PlainText;
  generation: Generation;
  signal: AbortSignal;
  /** The call of `next` that is under way, or the last one. */
  step: Promise<Step> | undefined;
  stopping: boolean;
  end(): void;
}

/**
 * A model and its texts, behind calls that can cross to a worker: plain values go in and out, calls
 * that take long are numbered by the caller, and `abort(call)` ends one of them.
 */
export class Engine {
  #loaded: LoadedModel | undefined;
  #template: ChatTemplate | undefined;
  #texts = new Map<number, PlainText>();
  #calls = new Map<number, Call>();
  /** What of the calls has not settled yet. */
  #pending = new Set<Promise<unknown>>();
  #runs = new Map<number, Run>();
  #nextSession = 1;

  /** Loads a model; one engine holds one. */
  async load(
    call: number,
    source: ModelSource,
    options: EngineOptions,
    onProgress?: (progress: LoadProgress) => void,
  ): Promise<EngineFacts> {
    return this.#abortable(call, async (signal) => {
      this.#loaded = await openModel(source, options, signal, onProgress);
      return this.#loaded.facts;
    });
  }

  async abort(call: number): Promise<void> {
    this.#calls.get(call)?.controller.abort();
  }

  /** Starts an empty text and reads the messages; returns its number. */
  async createSession(
    call: number,
    messages: Message[],
    options: ConversationOptions,
    onPrefill?: Reading['onPrefill'],
  ): Promise<{ session: number; use: TextUse }> {
    return this.#abortable(call, async (signal) => {
      const conversation = await this.#start(options);
      try {
        if (messages.length > 0) await conversation.append(messages, { signal, onPrefill });
        conversation.initial = messages.length;
      } catch (error) {
        conversation.dispose();
        throw error;
      }
      return this.#keep(conversation);
    });
  }

  /** Starts a text without a chat that has read a prompt, for `start`; returns its number. */
  async readText(
    call: number,
    prompt: string | number[],
    onPrefill?: Reading['onPrefill'],
  ): Promise<number> {
    return this.#abortable(call, async (signal) => {
      const text = this.#plainText(0);
      try {
        await text.read(prompt, { signal, onPrefill });
        return this.#keep(text).session;
      } catch (error) {
        text.dispose();
        throw error;
      }
    });
  }

  async cloneSession(session: number): Promise<{ session: number; use: TextUse }> {
    const original = this.#text(session);
    return inTurn(original, () => this.#keep(original.clone()));
  }

  /** A session with everything that `restoreSession` needs; `own` are facts of the caller's. */
  async saveSession(session: number, own: object, precision: Precision): Promise<Uint8Array> {
    const conversation = this.#conversation(session);
    const { saveConversation } = await import('./saved-session.js');
    const save = () => saveConversation(this.#ready(), conversation, own, precision);
    return inTurn(conversation, save);
  }

  /** Starts a session from bytes that `saveSession` gave; `own` are the caller's facts again. */
  async restoreSession(
    bytes: Uint8Array,
    checkpoints: number,
  ): Promise<{ session: number; use: TextUse; own: object }> {
    const { openSaved, restoreMachine } = await import('./saved-session.js');
    const saved = await openSaved(this.#ready(), bytes);
    const { thinking } = saved.conversation;
    const conversation = await this.#start({ seed: 0, thinking, checkpoints });
    try {
      restoreMachine(conversation.machine, saved);
      conversation.restore(saved.conversation);
      return { ...this.#keep(conversation), own: saved.own };
    } catch (error) {
      conversation.dispose();
      throw error;
    }
  }

  /** Keeps, lists or forgets what is kept of texts' beginnings. */
  async prefixes(
    call: number,
    request: PrefixRequest,
    onPrefill?: Reading['onPrefill'],
  ): Promise<KeptPrefix | KeptPrefix[] | boolean> {
    return this.#abortable(call, async (signal) => {
      const { answerPrefixes } = await import('./prefixes.js');
      const start = (options: ConversationOptions) => this.#start(options);
      const reader = { start, prefill, reading: { signal, onPrefill } };
      return answerPrefixes(this.#ready().prefixes, request, reader);
    });
  }

  /** The messages of a session, those of the model included. */
  async messages(session: number): Promise<Message[]> {
    const conversation = this.#conversation(session);
    return inTurn(conversation, () => [...conversation.messages]);
  }

  /** Goes back to the first `count` messages. */
  async rewind(session: number, count: number): Promise<TextUse> {
    const conversation = this.#conversation(session);
    return inTurn(conversation, () => {
      conversation.rewind(count);
      return this.#use(conversation);
    });
  }

  /** Reads messages; with `forgets`, in the place of the oldest turns where there is no room. */
  async append(
    call: number,
    session: number,
    messages: Message[],
    forgets: boolean,
    onPrefill?: Reading['onPrefill'],
  ): Promise<void> {
    const conversation = this.#conversation(session);
    const work = (signal: AbortSignal) => {
      const read = () => conversation.append(messages, { signal, onPrefill });
      const request = { messages, forgets };
      return inTurn(conversation, () => this.#read(request, conversation, read), signal);
    };
    return this.#abortable(call, work, conversation);
  }

  /** How many tokens a prompt would add to a session. */
  async count(session: number, messages: Message[]): Promise<number> {
    const conversation = this.#conversation(session);
    return inTurn(conversation, () => conversation.count(messages));
  }

  /** What a session holds now, and what it has forgotten since this was last asked. */
  async use(session: number): Promise<{ use: TextUse; forgotten: Message[] }> {
    const conversation = this.#conversation(session);
    return { use: this.#use(conversation), forgotten: conversation.forgotten.splice(0) };
  }

  async destroySession(session: number): Promise<void> {
    const text = this.#texts.get(session);
    if (!text) return;
    this.#texts.delete(session);
    const gone = new ModelError('disposed', 'the session has been destroyed');
    await this.#endCalls(gone, text);
    await inTurn(text, () => text.dispose());
  }

  /** Reads the prompt of a generation; `next` then writes. The caller must end with `stop`. */
  async start(call: number, request: Request, onPrefill?: Reading['onPrefill']): Promise<void> {
    const own = 'prompt' in request;
    const text = own ? this.#plainText(request.seed) : this.#text(request.session);
    const work = async (signal: AbortSignal) => {
      let release = () => {};
      const end = () => {
        release();
        if (own) text.dispose();
      };
      try {
        release = await text.turn(signal);
        const generation = await this.#prompt(text, request, { signal, onPrefill });
        const step = undefined;
        this.#runs.set(call, { text, generation, signal, step, stopping: false, end });
      } catch (error) {
        end();
        throw error;
      }
      // Whoever ended it at the last moment did not find the run.
      if (signal.aborted) {
        this.#end(call);
        throw signal.reason;
      }
    };
    return this.#abortable(call, work, text);
  }

  async #prompt(text: PlainText, request: Request, reading: Reading): Promise<Generation> {
    const { settings } = request;
    if ('prompt' in request) return text.complete(request.prompt, settings, reading);
    if (!('messages' in request)) return text.goOn(settings);
    const conversation = text as Conversation;
    return this.#read(request, conversation, () =>
      conversation.prompt(request.messages, settings, reading),
    );
  }

  /** The next piece of text, or the result. After the result, and after an error, the call is over. */
  async next(call: number): Promise<Step> {
    const run = this.#runs.get(call);
    if (!run) throw new ModelError('disposed', 'this generation has ended');
    run.step = this.#track(this.#step(call, run));
    return run.step;
  }

  async #step(call: number, run: Run): Promise<Step> {
    try {
      const piece = await run.generation.next(run.signal);
      return piece === undefined ? this.#end(call) : { piece };
    } catch (error) {
      this.#lose(error);
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

  /** Ends a generation within one token, if it still runs; what is written stays in its text. */
  async stop(call: number): Promise<Step | undefined> {
    const run = this.#runs.get(call);
    if (run) run.stopping = true;
    this.#calls.get(call)?.controller.abort();
    return this.#settle(call);
  }

  async encode(text: string, special: boolean): Promise<number[]> {
    return this.#ready().tokenizer.encode(text, { special });
  }

  async decode(ids: number[], special: boolean): Promise<string> {
    return this.#ready().tokenizer.decode(ids, { special });
  }

  /** Logits after the last of `ids`, or after every one: [rows, vocab]. */
  async logits(call: number, ids: number[], all: boolean): Promise<Float32Array> {
    return this.#abortable(call, async (signal) => {
      const { wasm, model, facts } = this.#ready();
      checkRoom(0, ids.length, this.#contextWindow());
      const session = this.#session();
      try {
        return await logits({ wasm, model, session }, facts.vocabSize, ids, all, signal);
      } finally {
        session.delete();
      }
    });
  }

  /** How well the model predicts a text, window by window (see `score`). */
  async score(
    call: number,
    text: string,
    window: number,
    onProgress?: (done: number, total: number) => void,
  ): Promise<Score> {
    return this.#abortable(call, async (signal) => {
      const { score } = await import('./score.js');
      const { wasm, tokenizer } = this.#ready();
      const session = this.#session();
      try {
        return await score({ wasm, session, tokenizer }, text, window, signal, onProgress);
      } finally {
        session.delete();
      }
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
    return this.#memory([...this.#texts.values()]);
  }

  /** Frees the model and everything made from it. */
  async dispose(): Promise<void> {
    await this.#endCalls(new ModelError('disposed', 'the model has been disposed of'));
    await Promise.allSettled(this.#pending);
    for (const text of this.#texts.values()) text.dispose();
    this.#texts.clear();
    this.#loaded?.model.delete();
    this.#loaded?.wasm.dispose();
    this.#loaded = undefined;
  }

  #ready(): LoadedModel {
    if (!this.#loaded) throw new ModelError('disposed', 'the model has been disposed of');
    return this.#loaded;
  }

  #text(session: number): PlainText {
    this.#ready();
    const text = this.#texts.get(session);
    if (!text) throw new ModelError('disposed', 'the session has been destroyed');
    return text;
  }

  // Nobody asks for the messages of a text without any.
  #conversation(session: number): Conversation {
    return this.#text(session) as Conversation;
  }

  #session(): WasmSession {
    const session = this.#ready().model.createSession();
    if (!session) throw outOfMemory();
    return session;
  }

  #contextWindow(): number {
    const { kvBytesPerToken, contextLength } = this.#ready().facts;
    return kvBytesPerToken === 0 ? Number.POSITIVE_INFINITY : contextLength;
  }

  #machine(): TextMachine {
    const { wasm, decoder, tokenizer, prefixes } = this.#ready();
    const session = this.#session();
    const contextWindow = this.#contextWindow();
    return { wasm, session, decoder, tokenizer, contextWindow, prefixes };
  }

  #plainText(seed: number): PlainText {
    const text = new PlainText(this.#machine(), seed);
    text.reseed(seed);
    return text;
  }

  async #start(options: ConversationOptions): Promise<Conversation> {
    const { ChatTemplate, Conversation } = await import('./chat.js').catch((cause: unknown) => {
      throw new ModelError('network', 'the code for chats cannot be fetched', { cause });
    });
    // Parsed when first needed: a model with a broken template still has sessions to restore.
    const template = () => {
      const { header, tokenizer } = this.#ready();
      this.#template ??= ChatTemplate.fromMetadata(header.metadata, tokenizer);
      if (this.#template) return this.#template;
      throw new ModelError(
        'chat_template',
        'the model file has no chat template: use generate() for plain text',
      );
    };
    const conversation = new Conversation(this.#machine(), template, options);
    conversation.reseed(options.seed);
    return conversation;
  }

  #keep(text: PlainText): { session: number; use: TextUse } {
    const session = this.#nextSession++;
    this.#texts.set(session, text);
    return { session, use: this.#use(text) };
  }

  #end(call: number): Step {
    const run = this.#runs.get(call) as Run;
    this.#runs.delete(call);
    this.#calls.delete(call);
    run.text.answered(run.generation);
    const use = this.#use(run.text);
    run.end();
    const { build, threads } = this.#ready().facts;
    return { result: { ...run.generation.result, memory: use.memory, build, threads }, use };
  }

  async #read<T>(
    { messages, forgets }: { messages: Message[]; forgets: boolean },
    conversation: Conversation,
    read: () => Promise<T>,
  ): Promise<T> {
    if (!forgets) return read();
    const { readForgetting } = await import('./context-room.js');
    return readForgetting(conversation, messages, read);
  }

  #use(text: PlainText): TextUse {
    const { tokens, messages } = text;
    return { tokens, messages: messages.length, memory: this.#memory([text]) };
  }

  #memory(texts: PlainText[]): MemoryUse {
    const { wasm, facts, prefixes } = this.#ready();
    const sum = (bytes: (text: PlainText) => number) =>
      texts.reduce((all, text) => all + bytes(text), 0);
    return {
      weightsBytes: facts.weightsBytes,
      stateBytes: texts.length * facts.stateBytes,
      kvBytes: sum(({ machine }) => machine.session.kvBytes()),
      checkpointBytes: sum(({ checkpointBytes }) => checkpointBytes),
      prefixBytes: prefixes?.bytes ?? 0,
      heapBytes: wasm.heapBytes,
      heapInUse: wasm.heapInUse,
    };
  }

  // Runs a call that `abort` can end; that of a generation lasts until the generation ends.
  async #abortable<T>(
    id: number,
    work: (signal: AbortSignal) => Promise<T>,
    on?: PlainText,
  ): Promise<T> {
    const controller = new AbortController();
    this.#calls.set(id, { controller, on });
    try {
      return await this.#track(work(controller.signal));
    } catch (error) {
      this.#lose(error);
      throw error;
    } finally {
      if (!this.#runs.has(id)) this.#calls.delete(id);
    }
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work);
    const settled = () => void this.#pending.delete(work);
    work.then(settled, settled);
    return work;
  }

  // Ends the calls on one text, or all of them, and gives their turns back.
  async #endCalls(reason: ModelError, text?: PlainText): Promise<void> {
    for (const [id, call] of [...this.#calls]) {
      if (text && call.on !== text) continue;
      call.controller.abort(reason);
      await this.#settle(id);
    }
  }

  // Ends an aborted generation once none of its steps is under way: its reader may be ahead of us,
  // and there may be no reader.
  async #settle(call: number): Promise<Step | undefined> {
    let last: Step | undefined;
    for (let run = this.#runs.get(call); run; run = this.#runs.get(call)) {
      const { step } = run;
      last = await step?.catch(() => undefined);
      if (this.#runs.has(call) && run.step === step) last = this.#end(call);
    }
    return last;
  }

  // A trap leaves the instance in no known state: it must not be entered again.
  #lose(error: unknown): void {
    const message = trapMessage(error);
    if (message === undefined) return;
    this.#loaded?.wasm.dispose();
    this.#loaded = undefined;
    this.#runs.clear();
    this.#texts.clear();
    throw new ModelError('wasm', `the WebAssembly code failed: ${message}`, { cause: error });
  }
}

// Runs `work` when it is this call's turn on a text.
async function inTurn<T>(
  text: PlainText,
  work: () => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const release = await text.turn(signal);
  try {
    return await work();
  } finally {
    release();
  }
}

function trapMessage(error: unknown): string | undefined {
  if (error instanceof WebAssembly.RuntimeError) return error.message;
  // What Emscripten throws in the thread that waits for one that trapped.
  return error === 'unwind' ? 'a thread ended' : undefined;
}
