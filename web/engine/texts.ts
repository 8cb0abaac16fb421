// SPDX-License-Identifier: MIT

import { fetchError, ModelError } from '../errors.js';
import type { ChatTemplate } from '../text/chat-template.js';
import type { Message } from '../text/message.js';
import type { Conversation, ConversationOptions } from './conversation.js';
import type { DraftText } from './draft-text.js';
import type { LoadedModel } from './loaded-model.js';
import { PlainText } from './plain-text.js';
import { outOfMemory, type TextMachine } from './prefill.js';
import type { MemoryUse, TextReport, TextUse } from './types.js';

/** The texts of one model: how they are made, by what numbers they are known, what they take. */
export class Texts {
  /** @throws ModelError `disposed` where there is none, or none any more */
  readonly model: () => LoadedModel;
  #template: ChatTemplate | undefined;
  #texts = new Map<number, PlainText>();
  #next = 1;

  constructor(model: () => LoadedModel) {
    this.model = model;
  }

  /** @throws ModelError `disposed` */
  get(session: number): PlainText {
    this.model();
    const text = this.#texts.get(session);
    if (!text) throw new ModelError('disposed', 'the session has been destroyed');
    return text;
  }

  /** Nobody asks for the messages of a text without any. */
  conversation(session: number): Conversation {
    return this.get(session) as Conversation;
  }

  /** An empty text without a chat; the caller frees it, or adds it. */
  plain(seed: number): PlainText {
    const text = new PlainText(this.#machine(), seed);
    text.reseed(seed);
    return text;
  }

  /** An empty conversation; the caller frees it, or adds it. */
  async chat(options: ConversationOptions): Promise<Conversation> {
    const [{ ChatTemplate }, { Conversation }] = await Promise.all([
      import('../text/chat-template.js'),
      import('./conversation.js'),
    ]).catch((cause: unknown) => {
      throw fetchError(cause, 'chats');
    });
    // Parsed when first needed: a model with a broken template still has sessions to restore.
    const template = () => {
      const { header, tokenizer } = this.model();
      tokenizer.requireTexts();
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

  /** Gives a text its number when `read` is through with it; frees it where that fails. */
  async add<Text extends PlainText>(
    text: Text,
    read?: (text: Text) => unknown,
  ): Promise<{ session: number; use: TextUse }> {
    try {
      await read?.(text);
      const session = this.#next++;
      this.#texts.set(session, text);
      return { session, use: this.use(text) };
    } catch (error) {
      text.dispose();
      throw error;
    }
  }

  /** From now on it has no number; the caller frees it. */
  remove(session: number): PlainText | undefined {
    const text = this.#texts.get(session);
    this.#texts.delete(session);
    return text;
  }

  /** Forgets all of them, in an instance that must not be entered again. */
  clear(): void {
    this.#texts.clear();
  }

  dispose(): void {
    for (const text of this.#texts.values()) text.dispose();
    this.clear();
  }

  /** Runs `work` on an empty state, which is freed then. */
  async withMachine<T>(work: (machine: TextMachine) => Promise<T>): Promise<T> {
    const machine = this.#machine();
    try {
      return await work(machine);
    } finally {
      machine.session.delete();
    }
  }

  use(text: PlainText): TextUse {
    const { tokens, messages } = text;
    return { tokens, messages: messages.length, memory: this.memory([text]) };
  }

  /** What it holds, and what of a conversation was forgotten since this was last asked. */
  report(text: PlainText | Conversation): TextReport {
    const forgotten = 'forgotten' in text ? text.forgotten.splice(0) : undefined;
    return { use: this.use(text), forgotten };
  }

  /** Of some texts, or of all that have numbers. */
  memory(texts: PlainText[] = [...this.#texts.values()]): MemoryUse {
    const { wasm, facts, prefixes, trails } = this.model();
    const sum = (bytes: (text: PlainText) => number) =>
      texts.reduce((all, text) => all + bytes(text), 0);
    const drafts = (bytes: (draft: DraftText) => number) =>
      sum(({ machine }) => (machine.draftText ? bytes(machine.draftText) : 0));
    return {
      weightsBytes: facts.weightsBytes + (facts.draft?.weightsBytes ?? 0),
      stateBytes: texts.length * facts.stateBytes + drafts((draft) => draft.stateBytes),
      kvBytes: sum(({ machine }) => machine.session.kvBytes()) + drafts((draft) => draft.kvBytes),
      checkpointBytes:
        sum((text) => text.checkpointBytes) + drafts((draft) => draft.checkpointBytes),
      placeBytes: trails.bytes,
      prefixBytes: prefixes?.bytes ?? 0,
      heapBytes: wasm.heapBytes,
      heapInUse: wasm.heapInUse,
    };
  }

  #machine(): TextMachine {
    const { wasm, model, decoder, tokenizer, trails, prefixes, facts, draft } = this.model();
    const session = model.createSession();
    if (!session) throw outOfMemory();
    return {
      wasm,
      session,
      decoder,
      tokenizer,
      trails,
      prefixes,
      ...facts,
      draftText: draft?.text(),
    };
  }
}

/** Runs `work` when it is this call's turn on a text. */
export async function inTurn<Text extends PlainText, T>(
  text: Text,
  work: (text: Text) => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const release = await text.turn(signal);
  try {
    return await work(text);
  } finally {
    release();
  }
}

/** Reads messages; with `forgets`, in the place of the oldest turns where there is no room. */
export async function inRoom<T>(
  conversation: Conversation,
  { messages, forgets }: { messages: Message[]; forgets: boolean },
  read: () => Promise<T>,
): Promise<T> {
  if (!forgets) return read();
  const { readForgetting } = await import('./context-room.js');
  return readForgetting(conversation, messages, read);
}
