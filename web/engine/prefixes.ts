// SPDX-License-Identifier: MIT
// Fetched with the first model that is to keep prefixes.

import { ModelError } from '../errors.js';
import { type WeightForm, whole } from '../options.js';
import type { Precision } from '../storage/compact.js';
import { PrefixFiles } from '../storage/prefixes.js';
import type { Message } from '../text/chat-template.js';
import type { Conversation, ConversationOptions } from './conversation.js';
import type { prefill, Reading, TextMachine } from './generation.js';
import { PrefixStore, prefixId } from './prefix-store.js';

/** Where the states after texts' beginnings are kept. */
export interface PrefixOptions {
  /** Most bytes in memory, beside the WebAssembly's. Default 2^27 (134 MB); 0 keeps none there. */
  memoryBytes?: number;
  /**
   * Most bytes in this browser's storage, those of all models together, where they stay across
   * reloads. Default 0: nothing is written.
   */
  storedBytes?: number;
  /** See {@link SaveOptions}; a text goes on bit for bit as if it had been read only from `f32`. */
  precision?: Precision;
}

/** A text's beginning whose state is kept. */
export interface KeptPrefix {
  id: string;
  tokens: number;
  bytes: number;
  inMemory: boolean;
  /** In this browser's storage. */
  stored: boolean;
}

// How texts go on, each in a way that a tokenizer or a template may treat by itself.
const NEXT = ['a', 'B', '1', '.', '\n', ' x', '"', 'é', '中', '<'];

/** What is asked of a model's prefixes. */
export type PrefixRequest =
  | { keep: PrefixText; thinking: boolean | undefined }
  | { list: true }
  /** One of them, or all. */
  | { delete: string | undefined };

/** What a prefix is given as: text, token ids or messages. */
export type PrefixText = string | readonly number[] | readonly Message[];

/** Empty conversations, and how they read. */
interface Reader {
  start(options: ConversationOptions): Promise<Conversation>;
  prefill: typeof prefill;
  reading: Reading;
}

/** The states that one model's texts can begin from. */
export class Prefixes {
  #store: PrefixStore;
  #precision: Precision;
  #states: typeof import('./saved-session.js');

  constructor(
    store: PrefixStore,
    precision: Precision,
    states: typeof import('./saved-session.js'),
  ) {
    this.#store = store;
    this.#precision = precision;
    this.#states = states;
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.#store.bytes;
  }

  /**
   * Makes an empty session what it would be had it read the longest beginning that is kept.
   *
   * @returns how many tokens that is
   */
  async enter(machine: TextMachine, ids: readonly number[]): Promise<number> {
    const prefix = await this.#store.find(ids);
    if (!prefix) return 0;
    const position = prefix.ids.length;
    try {
      const arrays = await this.#states.unpacked(prefix.arrays);
      // A text may end where it does.
      if (!arrays.has('logits')) throw new ModelError('invalid_header', 'the prefix has no logits');
      const history = [...prefix.ids.subarray(-machine.wasm.module.historyTokens)];
      this.#states.restoreMachine(machine, { position, pending: -1, history, arrays });
      return position;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      // It can be read. Without memory it cannot, which reading will say.
      machine.session.reset();
      if (error.code === 'invalid_header') {
        await this.#store.delete(prefixId(prefix.ids)).catch(() => false);
      }
      return 0;
    }
  }

  /** Reads a text's beginning, unless it is kept already, and keeps the state after it. */
  async keep(
    prefix: PrefixText,
    thinking: boolean | undefined,
    { start, prefill, reading }: Reader,
  ): Promise<KeptPrefix> {
    const conversation = await start({ seed: 0, thinking, checkpoints: 0 });
    try {
      const { machine } = conversation;
      const ids = await tokensOf(conversation, prefix);
      this.#store.checkRoom(ids.length, this.#bytes(machine, ids.length));
      await prefill(machine, ids, reading);
      const pack = await this.#states.packerOf(this.#precision);
      const arrays = [...pack(this.#states.machineArrays(machine))].map(
        ([name, array]) => [name, 'type' in array ? array : array.slice()] as const,
      );
      return await this.#store.add({ ids: Int32Array.from(ids), arrays: new Map(arrays) });
    } finally {
      conversation.dispose();
    }
  }

  // Of state and pages; a little less than what is kept.
  #bytes({ wasm, session }: TextMachine, tokens: number): number {
    const pages = Math.ceil(tokens / wasm.module.pageTokens);
    const floats = session.stateFloats() + pages * session.pageFloats();
    return floats * { f32: 4, f16: 2, int8: 1 }[this.#precision];
  }

  list(): Promise<KeptPrefix[]> {
    return this.#store.list();
  }

  /** Forgets one, or all; false when there was none. */
  delete(id?: string): Promise<boolean> {
    return this.#store.delete(id);
  }
}

/**
 * @param fingerprint of the model; asked for once it is loaded
 * @throws ModelError `cache_unavailable`; TypeError or RangeError naming the option
 */
export async function openPrefixes(
  options: true | PrefixOptions,
  weights: WeightForm,
  fingerprint: () => Promise<string>,
): Promise<Prefixes> {
  if (options !== true && typeof options !== 'object') {
    throw new TypeError('prefixes must be true, false or an object');
  }
  const given: PrefixOptions = options === true ? {} : options;
  const memoryBytes = whole(given, 'memoryBytes', 2 ** 27, 0, Number.MAX_SAFE_INTEGER);
  const storedBytes = whole(given, 'storedBytes', 0, 0, Number.MAX_SAFE_INTEGER);
  const { precision = 'f32' } = given;
  const states = await import('./saved-session.js');
  await states.packerOf(precision);
  let files: PrefixFiles | undefined;
  if (storedBytes > 0) {
    const { openCacheStore } = await import('../storage/open-store.js');
    const store = await openCacheStore('prefixes');
    // What was computed otherwise, or written less exactly, is not what reading gives.
    const kind = async () => `${await fingerprint()}-${weights}-${precision}`;
    files = new PrefixFiles(store, storedBytes, kind, states);
  }
  return new Prefixes(new PrefixStore(memoryBytes, files), precision, states);
}

/** @throws TypeError where the model keeps none */
export async function answerPrefixes(
  prefixes: Prefixes | undefined,
  request: PrefixRequest,
  reader: Reader,
): Promise<KeptPrefix | KeptPrefix[] | boolean> {
  if (!prefixes) throw new TypeError('the model was loaded without prefixes');
  if ('keep' in request) return prefixes.keep(request.keep, request.thinking, reader);
  return 'list' in request ? prefixes.list() : prefixes.delete(request.delete);
}

/** @throws TypeError for what is none of the three; RangeError for no tokens, or one of no vocabulary */
async function tokensOf(conversation: Conversation, prefix: PrefixText): Promise<number[]> {
  const { tokenizer } = conversation.machine;
  let ids: number[];
  if (typeof prefix === 'string') {
    ids = await common(async (next) => tokenizer.encode(prefix + next));
  } else if (!Array.isArray(prefix) && !ArrayBuffer.isView(prefix)) {
    throw new TypeError('a prefix must be text, token ids or messages');
  } else if (typeof prefix[0] === 'object') {
    ids = await beginning(conversation, prefix as Message[]);
  } else {
    ids = Array.from(prefix as readonly number[]);
  }
  if (ids.length === 0) throw new RangeError('the prefix has no tokens');
  const wrong = ids.find((id) => !(Number.isInteger(id) && id >= 0 && id < tokenizer.vocabSize));
  if (wrong === undefined) return ids;
  throw new RangeError(
    `the prefix has ${wrong}, but token ids are 0 to ${tokenizer.vocabSize - 1}`,
  );
}

// What a session reads that is made with these messages. Some templates want one of the user first:
// then what stands before its words, whatever they are.
async function beginning(conversation: Conversation, messages: Message[]): Promise<number[]> {
  try {
    return await conversation.tokensOf(messages, false);
  } catch (error) {
    if ((error as ModelError).code !== 'chat_template') throw error;
  }
  return common((content) => conversation.tokensOf([...messages, { role: 'user', content }], true));
}

// The tokens that do not depend on what follows.
async function common(encode: (next: string) => Promise<number[]>): Promise<number[]> {
  let shared: number[] | undefined;
  for (const next of NEXT) {
    const ids = await encode(next);
    const differs = shared?.findIndex((id, i) => id !== ids[i]) ?? -1;
    shared = differs < 0 ? (shared ?? ids) : shared?.slice(0, differs);
  }
  return shared ?? [];
}
