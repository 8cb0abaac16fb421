// SPDX-License-Identifier: MIT
// Random operations on a handful of sessions, each held to a list of messages and a place in a
// sequence of draws. RANDOM_OPERATIONS says how many a model goes through, RANDOM_SEED which: 2500 on
// each of two models, in each of the two versions of Node that the suite runs on.

import { jest } from '@jest/globals';
import { byteLevelVocabulary } from '../../tools/gguf/byte-level-vocabulary.mjs';
import { makeModel } from '../../tools/make-model.mjs';
import { randomNumbers } from '../support/byte-level.js';
import { editModel } from './edit-model.js';
import { loadModel, rejection } from './models.js';

const COUNT = Number(process.env.RANDOM_OPERATIONS ?? 2500);
const SEED = Number(process.env.RANDOM_SEED ?? 1);
const PATIENCE_MS = 60_000 + 60 * COUNT;
const MOST_SESSIONS = 6;
const MOST_MESSAGES = 14;
/** Draws of one seed that are looked at. */
const MOST_DRAWS = 3000;

// Answers are words of one letter: a token each, and as text the same tokens again. So what a
// session has written is what another one reads.
const VOCAB = 512;
const { tokens: TOKENS } = byteLevelVocabulary(VOCAB);
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => ` ${letter}`);
const LETTER_IDS = new Set(LETTERS.map((letter) => TOKENS.indexOf(letter.replace(' ', 'Ġ'))));
const letters = (bias) =>
  Object.fromEntries(TOKENS.map((_, id) => [id, LETTER_IDS.has(id) ? bias : -Infinity]));
const GREEDY = { temperature: 0, logitBias: letters(0) };
const DRAWN = { temperature: 1, topK: 0, topP: 1, minP: 0, logitBias: letters(0) };
// Beside so large a number nothing is left of a float32 logit: each letter is as likely as any other,
// whatever the text is, and which one it becomes is the generator's alone.
const FREE = { ...DRAWN, logitBias: letters(1e9) };

/** A model that keeps answers as they are once they are history; the made one trims them. */
const untrimmed = (file) =>
  editModel(file, {
    set: {
      'tokenizer.chat_template': [
        'string',
        "{% for m in messages %}<|im_start|>{{ m.role + '\n' + m.content }}<|im_end|>\n{% endfor %}" +
          '{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}',
      ],
    },
  });

/** Whole numbers below a bound, the same for the same seed. */
function randomBelow(seed) {
  const random = randomNumbers(seed);
  return (bound) => Math.floor(random() * bound);
}

/**
 * A session and what is true of it: its messages, of which generator the how manieth draw comes next,
 * and that as it was before each message with which a call began.
 *
 * @typedef {{ session: import('../../dist/index.js').Session, messages: object[],
 *   draws: { seed: number, count: number }, before: { seed: number, count: number }[] }} Truth
 */
async function play(model, count, seed) {
  const below = randomBelow(seed);
  const pick = (list) => list[below(list.length)];
  const words = (most) => Array.from({ length: 1 + below(most) }, () => pick(LETTERS).trim());
  const user = () => ({ role: 'user', content: words(10).join(' ') });
  const assistant = () => ({ role: 'assistant', content: words(5).join(' ') });
  /** @type {Truth[]} */
  const all = [];
  const done = {};

  const sequences = new Map();
  /** What `count` free draws give, from a place in the sequence of a seed on. */
  async function freeText({ seed: of, count: from }, length) {
    if (!sequences.has(of)) {
      const { text } = await model.complete('x', { ...FREE, seed: of, maxTokens: MOST_DRAWS });
      sequences.set(of, text);
    }
    return sequences.get(of).slice(2 * from, 2 * (from + length));
  }

  const began = (one) => {
    one.before[one.messages.length] = { ...one.draws };
  };
  /** A fresh session that has been told the same. */
  const retold = (messages) => model.createSession({ initialPrompts: messages });
  /** Tokens that one holds. */
  async function retoldTokens(messages) {
    const fresh = await retold(messages);
    await fresh[Symbol.asyncDispose]();
    return fresh.contextUsage;
  }

  // What an answer must have been, and what it leaves.
  async function answered(one, asked, { how, text, length }) {
    const prefix = asked.at(-1)?.prefix ? asked.at(-1).content : '';
    const said = prefix === '' ? asked : asked.slice(0, -1);
    one.before[one.messages.length + said.length] = { ...one.draws };
    if (how.seed !== undefined) one.draws = { seed: how.seed, count: 0 };
    if (how.logitBias === FREE.logitBias) {
      expect(text).toBe(await freeText(one.draws, length));
    } else if (below(3) === 0) {
      const fresh = await retold(one.messages);
      expect(await fresh.prompt(asked, { ...how, maxTokens: Math.max(1, length) })).toBe(text);
      if (length > 0) expect(one.session.contextUsage).toBe(fresh.contextUsage);
      await fresh[Symbol.asyncDispose]();
    }
    if (how.temperature > 0) one.draws.count += length;
    one.messages.push(...said, { role: 'assistant', content: prefix + text });
  }

  // Penalties look at what a session has read and written last.
  const penalty = () => pick([{}, { repetitionPenalty: 1.5, penaltyWindow: 8 }]);
  const howToAnswer = () => {
    const maxTokens = 1 + below(6);
    // A draw that depends on the text can be repeated from its seed, the others from anywhere.
    return pick([
      { ...GREEDY, ...penalty(), maxTokens },
      { ...DRAWN, maxTokens, seed: below(4) },
      { ...FREE, maxTokens },
      { ...FREE, maxTokens, seed: below(4) },
    ]);
  };

  async function prompt(one) {
    const asked = [...(below(4) === 0 ? [user(), assistant()] : []), user()];
    if (below(4) === 0) asked.push({ role: 'assistant', content: 'well', prefix: true });
    const how = howToAnswer();
    began(one);
    const text = await one.session.prompt(asked, how);
    await answered(one, asked, { how, text, length: how.maxTokens });
  }

  const operations = {
    async create() {
      if (all.length >= MOST_SESSIONS) return;
      const messages = pick([[], [{ role: 'system', content: 'be brief' }], [user(), assistant()]]);
      const draws = { seed: below(4), count: 0 };
      const options = {
        seed: draws.seed,
        checkpoints: pick([0, 1, 2, 5]),
        answerPlaces: pick([true, false]),
        initialPrompts: messages,
      };
      const session = await model.createSession(options);
      const one = { session, messages: [], draws, before: [] };
      if (messages.length > 0) began(one);
      one.messages.push(...messages);
      all.push(one);
    },
    prompt,
    async severalAtOnce() {
      await Promise.all(all.filter(() => below(2) === 0).map(prompt));
    },
    async leave(one) {
      const how = { ...howToAnswer(), maxTokens: 40 };
      const asked = [user()];
      const [stays, aborts] = [below(5), below(2) === 0];
      const aborter = new AbortController();
      began(one);
      const stream = one.session.promptStreaming(asked, { ...how, signal: aborter.signal });
      const reader = stream.getReader();
      let seen = '';
      for (let i = 0; i < stays; i++) seen += (await reader.read()).value;
      if (aborts) aborter.abort();
      else await reader.cancel();
      const outcome = await stream.result.catch(({ name }) => name);
      const now = await one.session.messages();
      if (now.length === one.messages.length) {
        // It was left before its prompt had been read.
        expect([stays, outcome]).toEqual([0, 'AbortError']);
        return;
      }
      const text = now.at(-1).content;
      expect(text.startsWith(seen)).toBe(true);
      // With guesses a piece may be of eight tokens.
      const most = model.facts.speculate ? 8 : 1;
      expect(text.length / 2).toBeLessThanOrEqual(most * (stays + 2));
      await answered(one, asked, { how, text, length: text.length / 2 });
    },
    async abortReading(one) {
      const aborter = new AbortController();
      const options = { signal: aborter.signal, onPrefill: () => aborter.abort() };
      const asked = [user(), assistant(), user()];
      began(one);
      const call = pick([
        () => one.session.prompt(asked, { ...options, seed: 77 }),
        () => one.session.append(asked, options),
      ]);
      expect((await rejection(call())).name).toBe('AbortError');
    },
    async append(one) {
      const messages = pick([[user()], [user(), assistant()], [user(), assistant(), user()]]);
      began(one);
      await one.session.append(messages);
      one.messages.push(...messages);
      expect(one.session.contextUsage).toBe(await retoldTokens(one.messages));
    },
    async clone(one) {
      if (all.length >= MOST_SESSIONS) return;
      all.push({ ...copyOf(one), session: await one.session.clone() });
    },
    async restore(one) {
      const session = await model.restore(await one.session.save(), { checkpoints: below(6) });
      if (all.length < MOST_SESSIONS) {
        all.push({ ...copyOf(one), session });
        return;
      }
      await one.session[Symbol.asyncDispose]();
      one.session = session;
    },
    async rewind(one, to = below(one.messages.length + 1)) {
      await one.session.rewind(to);
      if (to === one.messages.length) return;
      one.messages.length = to;
      // Where no call began, how far the draws were is not known.
      one.draws = { ...(one.before[to] ?? one.draws) };
      one.before.length = Math.min(one.before.length, to);
      expect(one.session.contextUsage).toBeLessThanOrEqual(await retoldTokens(one.messages));
    },
    async destroy(one) {
      all.splice(all.indexOf(one), 1);
      await one.session[Symbol.asyncDispose]();
    },
    async compare(one) {
      expect(await one.session.messages()).toEqual(one.messages);
      expect(one.session.messageCount).toBe(one.messages.length);
      const [next, fresh] = [await one.session.clone(), await retold(one.messages)];
      const asked = [user()];
      const how = { ...GREEDY, ...penalty(), maxTokens: 6 };
      expect(await next.prompt(asked, how)).toBe(await fresh.prompt(asked, how));
      expect(next.stats.tokens).toEqual(fresh.stats.tokens);
      expect(next.contextUsage).toBe(fresh.contextUsage);
      expect(await next.prompt(asked, { ...FREE, maxTokens: 4 })).toBe(
        await freeText(one.draws, 4),
      );
      for (const other of [next, fresh]) await other[Symbol.asyncDispose]();
    },
  };
  const copyOf = ({ messages, draws, before }) => ({
    messages: [...messages],
    draws: { ...draws },
    before: before.map((place) => ({ ...place })),
  });

  const names = Object.keys(operations);
  for (let i = 0; i < count; i++) {
    const one = all.length > 0 ? pick(all) : undefined;
    const long = one && one.messages.length > MOST_MESSAGES;
    const name = long ? 'rewind' : one ? pick(names) : 'create';
    if (long) await operations.rewind(one, below(4));
    else await operations[name](one);
    done[name] = (done[name] ?? 0) + 1;
  }
  for (const one of [...all]) {
    await operations.compare(one);
    await operations.destroy(one);
  }
  return done;
}

describe.each([
  ['linear', () => makeModel({ shape: { layers: 3, fullAttentionInterval: 0, vocab: VOCAB } })],
  [
    'hybrid',
    () => untrimmed(makeModel({ shape: { layers: 2, fullAttentionInterval: 2, vocab: VOCAB } })),
  ],
  [
    'guessed linear',
    () => makeModel({ shape: { layers: 3, fullAttentionInterval: 0, vocab: VOCAB } }),
    () => makeModel({ shape: { layers: 1, fullAttentionInterval: 1, vocab: VOCAB } }),
  ],
])('sessions of a %s model', (_, make, makeDraft) => {
  test(
    `are their messages and draws, through ${COUNT} random operations, and leave nothing`,
    async () => {
      // By this clock any pass takes as long as another, so that whatever may be guessed is.
      let now = 0;
      if (makeDraft) jest.spyOn(performance, 'now').mockImplementation(() => now++);
      const model = await loadModel(make(), { batchTokens: 16, draft: makeDraft?.() });
      await play(model, 100, SEED + 1);
      const { heapInUse, stateBytes, kvBytes, checkpointBytes } = await model.memory();
      expect([stateBytes, kvBytes, checkpointBytes]).toEqual([0, 0, 0]);
      const done = await play(model, COUNT, SEED);
      for (const times of Object.values(done)) expect(times).toBeGreaterThan(COUNT / 100);
      expect(Object.keys(done)).toHaveLength(11);
      expect((await model.memory()).heapInUse).toBe(heapInUse);
      await model.dispose();
      jest.restoreAllMocks();
    },
    PATIENCE_MS,
  );
});
