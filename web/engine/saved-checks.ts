// SPDX-License-Identifier: MIT
// Whoever gave a saved session may have written it: a checksum proves no more than that it is whole.

import { ModelError } from '../errors.js';
import { checkBiases, type GenerationOptions, generationSettings } from '../options.js';
import { isCount } from '../storage/saved-file.js';
import type { Message } from '../text/message.js';
import { checkMessages } from '../text/messages.js';
import { checkTools } from '../text/tool.js';
import { checkToolFormat } from '../tools/format-names.js';
import type { Boundary } from './boundaries.js';
import type { Snapshot } from './conversation.js';
import type { LoadedModel } from './loaded-model.js';
import { unpackDefaults } from './saved-defaults.js';
import type { SavedMachine } from './saved-machine.js';

/** What a saved session says; its arrays are the state, the pages, and logits that are due. */
export interface SavedSession extends SavedMachine {
  /** Of the model that it goes with, and its name for people. */
  fingerprint: string;
  model: string | undefined;
  conversation: Snapshot;
  /** The defaults that its caller gave. */
  own: object;
}

const within = (value: unknown, end: number): value is number => isCount(value) && value <= end;

/**
 * Whether everything that a saved session says can be so of a session of this model.
 *
 * @returns its defaults, and its conversation of nothing but what was checked
 * @throws ModelError `invalid_header` naming what cannot
 */
export function checkSaved(
  saved: SavedSession,
  { wasm, facts, tokenizer }: LoadedModel,
): { own: GenerationOptions; conversation: Snapshot } {
  const { position, pending, history, conversation } = saved;
  const isToken = (id: unknown) => within(id, tokenizer.vocabSize - 1);
  const isTokens = (ids: unknown) => Array.isArray(ids) && ids.every(isToken);
  if (!conversation?.boundaries) throw wrong('places: it was saved before they were part of it');
  must('conversation', isConversation(conversation, isTokens));
  const { messages, boundaries, draws } = conversation;
  const { length } = conversation.tokens;
  must('position', within(position, Math.min(length, facts.contextWindow)));
  must('pending', pending === -1 || isToken(pending));
  must('history', isTokens(history) && history.length <= wasm.module.historyTokens);
  must('defaults', typeof saved.own === 'object' && saved.own !== null);
  try {
    const own = unpackDefaults(saved.own);
    checkBiases(generationSettings(own), tokenizer.vocabSize);
    return {
      own,
      conversation: {
        ...conversation,
        messages: messages.map(checkedMessage),
        tools: checkTools(conversation.tools ?? []),
        toolFormat: checkToolFormat(conversation.toolFormat),
        boundaries: boundaries.map((place) => ({
          messages: place.messages,
          length: place.length,
          tokens: place.tokens,
        })),
        draws: draws.map((draw) => draw && { seed: draw.seed, generator: draw.generator }),
      },
    };
  } catch (cause) {
    throw wrong('defaults', cause);
  }
}

function isConversation(
  { messages, initial, held, tokens, boundaries, thinking, draws }: Snapshot,
  isTokens: (ids: unknown) => boolean,
): boolean {
  if (typeof held !== 'string' || !isTokens(tokens)) return false;
  if (!Array.isArray(messages) || !messages.every(isMessage)) return false;
  if (!within(initial, messages.length)) return false;
  if (thinking !== undefined && typeof thinking !== 'boolean') return false;
  return (
    arePlaces(boundaries, {
      messages: messages.length + 1,
      length: held.length,
      tokens: tokens.length,
    }) &&
    Array.isArray(draws) &&
    draws.length === messages.length + 1 &&
    draws.at(-1) !== null &&
    draws.every((draw) => draw === null || isDraw(draw))
  );
}

// One after the other, as far as the text goes. The place where an answer begins is behind one message more.
function arePlaces(boundaries: readonly Boundary[], end: Boundary): boolean {
  if (!Array.isArray(boundaries)) return false;
  return boundaries.every((place, i) => {
    const next = boundaries[i + 1] ?? end;
    return (['messages', 'length', 'tokens'] as const).every((key) =>
      within(place?.[key], next?.[key] ?? -1),
    );
  });
}

// None is the beginning of an answer any more.
function checkedMessage({ prefix: _, ...message }: Message): Message {
  return checkMessages([message])[0] as Message;
}

function isMessage(message: Message): boolean {
  try {
    checkedMessage(message);
    return true;
  } catch {
    return false;
  }
}

function isDraw(draw: Snapshot['draws'][number]): boolean {
  const { seed, generator } = draw ?? {};
  const isWord = (word: unknown) => within(word, 2 ** 32 - 1);
  return (
    isCount(seed) && Array.isArray(generator) && generator.length === 2 && generator.every(isWord)
  );
}

function must(what: string, isSo: boolean): void {
  if (!isSo) throw wrong(what);
}

function wrong(what: string, cause?: unknown): ModelError {
  return new ModelError('invalid_header', `the saved session has no usable ${what}`, {
    subject: what,
    cause,
  });
}
