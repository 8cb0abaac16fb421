// SPDX-License-Identifier: MIT
// Fetched with the first model that is to keep prefixes.

import { ModelError } from '../errors.js';
import { checkNames } from '../option-names.js';
import { whole } from '../options.js';
import { type Precision, packer, unpack } from '../storage/compact.js';
import { openFiles } from '../storage/open-files.js';
import { PrefixFiles } from '../storage/prefixes.js';
import type { Message } from '../text/message.js';
import type { Conversation, ConversationOptions } from './conversation.js';
import { type KnownBeginnings, prefill, type Reading, type TextMachine } from './prefill.js';
import { PrefixStore, prefixId } from './prefix-store.js';
import { machineArrays, restoreMachine } from './saved-machine.js';
import type { KeptPrefix, PrefixOptions, PrefixRequest, PrefixText } from './types.js';

// How texts go on, each in a way that a tokenizer or a template may treat by itself.
const NEXT = ['a', 'B', '1', '.', '\n', ' x', '"', 'é', '中', '<'];

/** Empty conversations, and how they read. */
interface Reader {
  start(options: ConversationOptions): Promise<Conversation>;
  reading: Reading;
}

/** The states that one model's texts can begin from. */
export class Prefixes implements KnownBeginnings {
  #store: PrefixStore;
  #precision: Precision;

  constructor(store: PrefixStore, precision: Precision) {
    this.#store = store;
    this.#precision = precision;
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.#store.bytes;
  }

  async enter(machine: TextMachine, ids: readonly number[]): Promise<number> {
    const prefix = await this.#store.find(ids);
    if (!prefix) return 0;
    const position = prefix.ids.length;
    try {
      const arrays = unpack(prefix.arrays);
      // A text may end where it does.
      if (!arrays.has('logits')) throw new ModelError('invalid_header', 'the prefix has no logits');
      const history = [...prefix.ids.subarray(-machine.wasm.module.historyTokens)];
      restoreMachine(machine, { position, pending: -1, history, arrays });
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
    { thinking, tools }: Pick<ConversationOptions, 'thinking' | 'tools'>,
    { start, reading }: Reader,
  ): Promise<KeptPrefix> {
    const conversation = await start({ seed: 0, thinking, tools, checkpoints: 0 });
    try {
      const { machine } = conversation;
      const ids = await tokensOf(conversation, prefix);
      this.#store.checkRoom(ids.length, this.#bytes(machine, ids.length));
      await prefill(machine, ids, reading);
      const pack = packer(this.#precision);
      const arrays = [...pack(machineArrays(machine))].map(
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
 * @param numbers how weights, keys and values are kept, in a name
 * @param fingerprint of the model; asked for once it is loaded
 * @throws ModelError `cache_unavailable`; TypeError or RangeError naming the option
 */
export async function openPrefixes(
  options: true | PrefixOptions,
  numbers: string,
  fingerprint: () => Promise<string>,
): Promise<Prefixes> {
  if (options !== true && typeof options !== 'object') {
    throw new TypeError('prefixes must be true, false or an object');
  }
  const given: PrefixOptions = options === true ? {} : options;
  checkNames(given, { memoryBytes: true, storedBytes: true, precision: true }, 'prefixes.');
  const memoryBytes = whole(given, 'memoryBytes', 2 ** 27, 0, Number.MAX_SAFE_INTEGER);
  const storedBytes = whole(given, 'storedBytes', 0, 0, Number.MAX_SAFE_INTEGER);
  const { precision = 'f32' } = given;
  packer(precision);
  let files: PrefixFiles | undefined;
  if (storedBytes > 0) {
    const stored = await openFiles('prefixes');
    // What was computed otherwise, or written less exactly, is not what reading gives.
    const kind = async () => `${await fingerprint()}-${numbers}-${precision}`;
    files = new PrefixFiles(stored, storedBytes, kind);
  }
  return new Prefixes(new PrefixStore(memoryBytes, files), precision);
}

/** @throws TypeError where the model keeps none */
export async function answerPrefixes(
  prefixes: Prefixes | undefined,
  request: PrefixRequest,
  reader: Reader,
): Promise<KeptPrefix | KeptPrefix[] | boolean> {
  if (!prefixes) throw new TypeError('the model was loaded without prefixes');
  if ('keep' in request) return prefixes.keep(request.keep, request, reader);
  return 'list' in request ? prefixes.list() : prefixes.delete(request.delete);
}

/** @throws TypeError for what is none of the three; RangeError for no tokens, or one of no vocabulary */
async function tokensOf(conversation: Conversation, prefix: PrefixText): Promise<number[]> {
  const { tokenizer } = conversation.machine;
  let ids: number[];
  if (typeof prefix === 'string') {
    ids = await common(async (next) => tokenizer.encode(prefix + next, { eos: false }));
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
