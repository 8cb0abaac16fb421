// SPDX-License-Identifier: MIT
import { setImmediate as nextTask } from 'node:timers/promises';
import { collect, DEMO, hybridModel, ids, linearModel, loadModel, rejection } from './models.js';

const GREEDY = { temperature: 0, ignoreEos: true };
const reason = (text) => Object.assign(new Error(text), { mine: true });

/** Text of about `count` tokens for a model whose every token is a byte or a few letters. */
const words = (count) => 'q'.repeat(count);

let demo;
let linear;
let hybrid;
beforeAll(async () => {
  demo = await loadModel(DEMO);
  linear = await loadModel(linearModel());
  hybrid = await loadModel(hybridModel());
});
afterAll(async () => {
  await demo.dispose();
  await linear.dispose();
  await hybrid.dispose();
});

describe('leaving a stream', () => {
  test.each([1, 3, 10])('after %i pieces draws at most one token more', async (count) => {
    const session = await demo.createSession();
    const stream = session.promptStreaming('Tell me a story.', { ...GREEDY, maxTokens: 200 });
    const seen = [];
    for await (const piece of stream) {
      seen.push(piece);
      if (seen.length === count) break;
    }
    const result = await stream.result;
    expect(result.finishReason).toBe('cancelled');
    expect(result.tokens.length).toBeLessThanOrEqual(count + 1);
    expect(result.text.startsWith(seen.join(''))).toBe(true);
    // The last token is drawn but not read.
    const { promptTokens, tokens } = session.stats;
    expect(tokens).toEqual(result.tokens);
    expect(session.contextUsage).toBe(promptTokens.length + tokens.length - 1);
    session.destroy();
  });

  test('leaves a session that goes on as one that was told so', async () => {
    const session = await demo.createSession();
    const stream = session.promptStreaming('Tell me a story.', { ...GREEDY, maxTokens: 200 });
    let pieces = 0;
    for await (const _ of stream) if (++pieces === 5) break;
    const { text } = await stream.result;
    const answer = await session.prompt('Go on.', { ...GREEDY, maxTokens: 12 });
    const fresh = await demo.createSession({
      initialPrompts: [
        { role: 'user', content: 'Tell me a story.' },
        { role: 'assistant', content: text },
      ],
    });
    expect(await fresh.prompt('Go on.', { ...GREEDY, maxTokens: 12 })).toBe(answer);
    session.destroy();
    fresh.destroy();
  });

  test('before the first piece is possible', async () => {
    const stream = linear.generate(ids(3000), { ...GREEDY, maxTokens: 50 });
    await stream.cancel();
    // What there was of it is told, or that it was broken off.
    const outcome = await stream.result.catch((error) => error);
    expect(['AbortError', undefined]).toContain(outcome.name);
    expect((await linear.memory()).stateBytes).toBe(0);
    await collect(linear.generate(ids(3), { ...GREEDY, maxTokens: 2 }));
  });
});

describe('aborting', () => {
  test('before a call rejects with the reason and does nothing', async () => {
    const session = await linear.createSession();
    const why = reason('before');
    const signal = AbortSignal.abort(why);
    const usage = session.contextUsage;
    expect(await rejection(session.prompt('Hello', { signal }))).toBe(why);
    expect(await rejection(session.append('Hello', { signal }))).toBe(why);
    expect(await rejection(linear.createSession({ signal }))).toBe(why);
    expect(await rejection(linear.logits([1], { signal }))).toBe(why);
    expect(await rejection(linear.complete([1], { signal }))).toBe(why);
    expect(await rejection(linear.perplexity('Hello', { signal, context: 2 }))).toBe(why);
    const stream = session.promptStreaming('Hello', { signal });
    expect(await rejection(stream.getReader().read())).toBe(why);
    expect(await rejection(stream.result)).toBe(why);
    expect(session.contextUsage).toBe(usage);
    expect((await session.prompt('Hello', { ...GREEDY, maxTokens: 2 })).length).toBeGreaterThan(0);
    session.destroy();
  });

  test('while the prompt is read rejects with the reason, and the session can be used', async () => {
    const session = await linear.createSession();
    await session.append('Hello');
    const why = reason('prefill');
    const aborter = new AbortController();
    const started = performance.now();
    const call = rejection(
      session.prompt(words(20_000), { ...GREEDY, maxTokens: 2, signal: aborter.signal }),
    );
    await nextTask();
    aborter.abort(why);
    expect(await call).toBe(why);
    const took = performance.now() - started;
    const answer = await session.prompt('Again', { ...GREEDY, maxTokens: 8 });
    const fresh = await linear.createSession();
    await fresh.append('Hello');
    expect(await fresh.prompt('Again', { ...GREEDY, maxTokens: 8 })).toBe(answer);
    const before = performance.now();
    await fresh.prompt(words(20_000), { ...GREEDY, maxTokens: 2 });
    expect(took).toBeLessThan((performance.now() - before) / 2);
    session.destroy();
    fresh.destroy();
  });

  test('while initial prompts, logits or a text are read ends them and frees their memory', async () => {
    const { heapInUse } = await linear.memory();
    const calls = [
      (signal) =>
        linear.createSession({
          signal,
          initialPrompts: [{ role: 'system', content: words(30_000) }],
        }),
      (signal) => linear.logits(ids(30_000), { signal }),
      (signal) => linear.perplexity(words(30_000), { signal, context: 100 }),
      (signal) => collect(linear.generate(ids(30_000), { signal })),
    ];
    for (const call of calls) {
      const why = reason('reading');
      const aborter = new AbortController();
      const outcome = rejection(call(aborter.signal));
      await nextTask();
      aborter.abort(why);
      expect(await outcome).toBe(why);
    }
    expect((await linear.memory()).heapInUse).toBe(heapInUse);
    expect((await linear.memory()).stateBytes).toBe(0);
  });

  test('while a text is written rejects within one token, and keeps what was written', async () => {
    const session = await demo.createSession();
    const why = reason('decode');
    const aborter = new AbortController();
    const stream = session.promptStreaming('Tell me a story.', {
      ...GREEDY,
      maxTokens: 500,
      signal: aborter.signal,
    });
    const reader = stream.getReader();
    const seen = [];
    for (let i = 0; i < 6; i++) seen.push((await reader.read()).value);
    aborter.abort(why);
    const rest = async () => {
      for (;;) {
        const { done } = await reader.read();
        if (done) throw new Error('the stream closed');
      }
    };
    expect(await rejection(rest())).toBe(why);
    expect(await rejection(stream.result)).toBe(why);
    expect(session.stats.tokens.length).toBeLessThanOrEqual(seen.length + 2);
    expect(session.stats.finishReason).toBe('cancelled');
    expect(session.contextUsage).toBe(
      session.stats.promptTokens.length + session.stats.tokens.length - 1,
    );
    expect((await session.prompt('Go on.', { ...GREEDY, maxTokens: 3 })).length).toBeGreaterThan(0);
    session.destroy();
  });

  test('prompt() while it writes rejects with the reason, whatever that is', async () => {
    const session = await demo.createSession();
    for (const why of [reason('an error'), 'a string', 0, undefined]) {
      const aborter = new AbortController();
      const call = session.prompt('Tell me a story.', {
        ...GREEDY,
        maxTokens: 5000,
        signal: aborter.signal,
      });
      const outcome = call.then(
        () => expect('the call').toBe('rejected'),
        (error) => error,
      );
      await nextTask();
      aborter.abort(why);
      expect(await outcome).toBe(aborter.signal.reason);
    }
    session.destroy();
  });

  test('a call that waits for its turn rejects at once', async () => {
    const session = await linear.createSession();
    const running = session.promptStreaming('One', { ...GREEDY, maxTokens: 100 });
    const reader = running.getReader();
    await reader.read();
    // Nobody reads on, so the first call keeps its turn.
    for (const wait of [
      (signal) => session.prompt('Two', { signal }),
      (signal) => session.append('Two', { signal }),
    ]) {
      const why = reason('waiting');
      const aborter = new AbortController();
      const outcome = rejection(wait(aborter.signal));
      await nextTask();
      aborter.abort(why);
      expect(await outcome).toBe(why);
    }
    await reader.cancel();
    expect((await session.prompt('Three', { ...GREEDY, maxTokens: 2 })).length).toBeGreaterThan(0);
    session.destroy();
  });

  test('after the end of a call changes nothing', async () => {
    const session = await linear.createSession();
    const aborter = new AbortController();
    const options = { ...GREEDY, maxTokens: 3, signal: aborter.signal };
    const stream = session.promptStreaming('Hello', options);
    const { text } = await collect(stream);
    aborter.abort(reason('late'));
    expect((await stream.result).text).toBe(text);
    await session.prompt('Hello', { ...GREEDY, maxTokens: 3 });
    session.destroy();
  });
});

describe('several at a time', () => {
  test('two prompts on one session take turns', async () => {
    const both = await demo.createSession();
    const options = { ...GREEDY, maxTokens: 12 };
    const answers = await Promise.all([
      both.prompt('A story about a fox.', options),
      both.prompt('And one about a bear.', options),
    ]);
    const one = await demo.createSession();
    expect(await one.prompt('A story about a fox.', options)).toBe(answers[0]);
    expect(await one.prompt('And one about a bear.', options)).toBe(answers[1]);
    expect(one.contextUsage).toBe(both.contextUsage);
    both.destroy();
    one.destroy();
  });

  test('two sessions that write in turns do not touch each other', async () => {
    for (const model of [demo, hybrid]) {
      const options = { ...GREEDY, maxTokens: 20 };
      const alone = [];
      for (const text of ['A fox.', 'A bear.']) {
        const session = await model.createSession();
        alone.push(await session.prompt(text, options));
        session.destroy();
      }
      const sessions = [await model.createSession(), await model.createSession()];
      const streams = ['A fox.', 'A bear.'].map((text, i) =>
        sessions[i].promptStreaming(text, options),
      );
      const together = ['', ''];
      const readers = streams.map((stream) => stream.getReader());
      for (let open = 2; open > 0; ) {
        open = 0;
        for (const [i, reader] of readers.entries()) {
          const { done, value } = await reader.read();
          if (!done) {
            together[i] += value;
            open += 1;
          }
        }
      }
      expect(together).toEqual(alone);
      for (const session of sessions) session.destroy();
    }
  });

  test('draws of one session do not depend on those of another', async () => {
    const options = { temperature: 1, topK: 0, seed: 9, maxTokens: 20, ignoreEos: true };
    const alone = await collect(linear.generate(ids(5), options));
    const [one, two, three] = await Promise.all([
      collect(linear.generate(ids(5), options)),
      collect(linear.generate(ids(6), { ...options, seed: 8 })),
      linear.logits(ids(300)),
    ]);
    expect(one.tokens).toEqual(alone.tokens);
    expect(two.tokens).not.toEqual(alone.tokens);
    expect(three).toHaveLength(linear.vocabSize);
  });
});

describe('a conversation', () => {
  const CHAT = [
    ['Write a story about a fox.', 24],
    ['Now one about a bear.', 24],
    ['The end?', 10],
  ];

  test('reads in each turn only what is new, and answers as one that is told it whole', async () => {
    const session = await demo.createSession({
      initialPrompts: [{ role: 'system', content: 'You tell stories.' }],
    });
    const history = [{ role: 'system', content: 'You tell stories.' }];
    let held = session.contextUsage;
    for (const [content, maxTokens] of CHAT) {
      const answer = await session.prompt(content, { ...GREEDY, maxTokens });
      const { promptTokens, tokens } = session.stats;
      const fresh = await demo.createSession();
      expect(
        await fresh.prompt([...history, { role: 'user', content }], { ...GREEDY, maxTokens }),
      ).toBe(answer);
      // Nothing is read twice: what was read grows by the prompt and all tokens but the last.
      expect(session.contextUsage).toBe(held + promptTokens.length + tokens.length - 1);
      expect(session.contextUsage).toBe(
        fresh.stats.promptTokens.length + fresh.stats.tokens.length - 1,
      );
      held = session.contextUsage;
      history.push({ role: 'user', content }, { role: 'assistant', content: answer });
      fresh.destroy();
    }
    expect(session.stats.promptTokens.length).toBeLessThan(20);
    session.destroy();
  });

  test('goes on after an answer that ended by itself', async () => {
    const session = await demo.createSession({ temperature: 0 });
    const answer = await session.prompt('Write a story about a fox.', { maxTokens: 1000 });
    expect(session.stats.finishReason).toBe('stop');
    const next = await session.prompt('Another one.', { maxTokens: 10 });
    expect(session.stats.promptTokens.length).toBeLessThan(20);
    const fresh = await demo.createSession({ temperature: 0 });
    const history = [
      { role: 'user', content: 'Write a story about a fox.' },
      { role: 'assistant', content: answer },
      { role: 'user', content: 'Another one.' },
    ];
    expect(await fresh.prompt(history, { maxTokens: 10 })).toBe(next);
    session.destroy();
    fresh.destroy();
  });

  test('is read again when a stop string cut the answer out of it', async () => {
    const whole = await demo.createSession();
    const options = { ...GREEDY, maxTokens: 30 };
    const stop = (await whole.prompt('Write a story about a fox.', options)).slice(30, 45);
    whole.destroy();
    const session = await demo.createSession();
    const answer = await session.prompt('Write a story about a fox.', { ...options, stop });
    expect(session.stats.stopString).toBe(stop);
    expect(answer).toHaveLength(30);
    const next = await session.prompt('Another one.', { ...GREEDY, maxTokens: 10 });
    const fresh = await demo.createSession();
    const history = [
      { role: 'user', content: 'Write a story about a fox.' },
      { role: 'assistant', content: answer },
      { role: 'user', content: 'Another one.' },
    ];
    expect(await fresh.prompt(history, { ...GREEDY, maxTokens: 10 })).toBe(next);
    expect(session.contextUsage).toBe(fresh.contextUsage);
    session.destroy();
    fresh.destroy();
  });

  test('that was appended to has less to read later', async () => {
    const long = 'Once there was a fox who lived in a wood. '.repeat(10);
    const session = await demo.createSession();
    await session.append(long);
    const { contextUsage } = session;
    expect(contextUsage).toBeGreaterThan(80);
    const answer = await session.prompt('Go on.', { ...GREEDY, maxTokens: 10 });
    expect(session.stats.promptTokens.length).toBeLessThan(20);
    expect(session.contextUsage).toBe(contextUsage + session.stats.promptTokens.length + 9);
    const fresh = await demo.createSession();
    const messages = [
      { role: 'user', content: long },
      { role: 'user', content: 'Go on.' },
    ];
    expect(await fresh.prompt(messages, { ...GREEDY, maxTokens: 10 })).toBe(answer);
    expect(fresh.stats.promptTokens.length).toBeGreaterThan(contextUsage);
    session.destroy();
    fresh.destroy();
  });

  test('can be cloned, and what a clone does leaves the original untouched', async () => {
    for (const model of [demo, hybrid]) {
      const options = { ...GREEDY, maxTokens: 10 };
      const prompts = ['A fox.', 'A bear.'];
      const original = await model.createSession();
      const twin = await model.createSession();
      await original.prompt('Hello.', options);
      await twin.prompt('Hello.', options);
      const clone = await original.clone();
      expect(clone.contextUsage).toBe(original.contextUsage);
      const other = await clone.prompt(prompts[1], options);
      const { contextUsage } = original;
      const answer = await original.prompt(prompts[0], options);
      expect(contextUsage).toBe(twin.contextUsage);
      expect(await twin.prompt(prompts[0], options)).toBe(answer);
      const later = await original.clone();
      original.destroy();
      const second = await later.prompt('And?', options);
      later.destroy();
      expect(await twin.prompt('And?', options)).toBe(second);
      expect(other).not.toBe(answer);
      expect((await clone.prompt('And?', options)).length).toBeGreaterThan(0);
      clone.destroy();
      twin.destroy();
    }
  });

  test('uses its own defaults, which a call may override', async () => {
    const session = await demo.createSession({ temperature: 0, logitBias: { 1234: 100 } });
    await session.prompt('Hello.', { maxTokens: 2 });
    expect(session.stats.tokens).toEqual([1234, 1234]);
    await session.prompt('Hello.', { maxTokens: 2, logitBias: { 99: 100 } });
    expect(session.stats.tokens).toEqual([99, 99]);
    await session.prompt('Hello.', { maxTokens: 2, logitBias: undefined });
    expect(session.stats.tokens).toEqual([1234, 1234]);
    session.destroy();
  });

  test('draws the same again with the same seed, and goes on drawing from call to call', async () => {
    const run = async (seed) => {
      const session = await demo.createSession({ temperature: 1.2, topK: 0, minP: 0, seed });
      const texts = [
        await session.prompt('A fox.', { maxTokens: 12 }),
        await session.prompt('A fox.', { maxTokens: 12 }),
      ];
      expect(session.stats.seed).toBe(seed);
      session.destroy();
      return texts;
    };
    const first = await run(4);
    expect(await run(4)).toEqual(first);
    expect(await run(5)).not.toEqual(first);
    expect(first[0]).not.toBe(first[1]);
  });
});

describe('memory', () => {
  test('of sessions comes back when they are destroyed', async () => {
    for (const model of [linear, hybrid]) {
      await collect(model.generate(ids(20), { ...GREEDY, maxTokens: 5 }));
      const before = await model.memory();
      const { stateBytes } = model.facts;
      expect([before.stateBytes, before.kvBytes]).toEqual([0, 0]);
      const sessions = [];
      for (let i = 0; i < 5; i++) {
        const session = await model.createSession();
        await session.prompt('Hello', { ...GREEDY, maxTokens: 3 });
        sessions.push(session);
      }
      sessions.push(await sessions[0].clone());
      const during = await model.memory();
      expect(during.stateBytes).toBe(6 * stateBytes);
      expect(during.heapInUse).toBeGreaterThanOrEqual(before.heapInUse + 6 * stateBytes);
      for (const session of sessions) await session[Symbol.asyncDispose]();
      expect(await model.memory()).toEqual({ ...before, heapBytes: during.heapBytes });
    }
  });

  test('is the same after twenty generations, whole, broken off and failed', async () => {
    for (const model of [linear, hybrid]) {
      await collect(model.generate(ids(70), { ...GREEDY, maxTokens: 20, logprobs: 3 }));
      const { heapInUse, heapBytes } = await model.memory();
      for (let i = 0; i < 20; i++) {
        const options = { ...GREEDY, maxTokens: 5, logprobs: 2, logitBias: { 3: 1 } };
        await collect(model.generate(ids(70), options));
        for await (const _ of model.generate(ids(30), options)) break;
        const signal = AbortSignal.abort(new Error('no'));
        await rejection(collect(model.generate(ids(30), { ...options, signal })));
        await model.logits(ids(20), { all: true });
        await model.perplexity('hello world', { context: 4 });
      }
      const after = await model.memory();
      expect(after.heapInUse).toBe(heapInUse);
      expect(after.heapBytes).toBe(heapBytes);
    }
  });

  test('of an all-linear model does not grow over 3000 tokens', async () => {
    // Places between messages are kept as messages come, up to so many.
    const session = await linear.createSession({ checkpoints: 0 });
    await session.prompt('Hello', { ...GREEDY, maxTokens: 20 });
    const before = await linear.memory();
    const { memory } = session;
    await session.prompt('More', { ...GREEDY, maxTokens: 3000 });
    expect(session.stats.tokens).toHaveLength(3000);
    expect(session.contextUsage).toBeGreaterThan(3020);
    expect(await linear.memory()).toEqual(before);
    expect(session.memory).toEqual(memory);
    expect(before.kvBytes).toBe(0);
    expect(session.contextWindow).toBe(Number.POSITIVE_INFINITY);
    session.destroy();
  });

  test('of a softmax layer grows by pages of 64 tokens', async () => {
    const { kvBytesPerToken } = hybrid.facts;
    // Keys and values of one layer: two heads of 32 bfloat16 each.
    expect(kvBytesPerToken).toBe(2 * 2 * 32 * 2);
    const session = await hybrid.createSession();
    const seen = new Set();
    for (let turn = 0; turn < 8; turn++) {
      await session.append([{ role: 'user', content: words(6) }]);
      const pages = Math.ceil(session.contextUsage / 64);
      expect(session.memory.kvBytes).toBe(pages * 64 * kvBytesPerToken);
      seen.add(pages);
    }
    expect([...seen]).toEqual([1, 2, 3].slice(0, seen.size));
    expect(seen.size).toBeGreaterThan(1);
    session.destroy();
  });
});

describe('the context window', () => {
  test('is told', () => {
    expect(hybrid.contextWindow).toBe(192);
    expect(linear.contextWindow).toBe(Number.POSITIVE_INFINITY);
  });

  test('ends a text that reaches it with the finish reason length', async () => {
    const { tokens, finishReason } = await collect(
      hybrid.generate(ids(180), { ...GREEDY, maxTokens: Infinity }),
    );
    expect(finishReason).toBe('length');
    // Twelve are read; the one drawn after them need not be.
    expect(tokens.length).toBeGreaterThanOrEqual(12);
    expect(tokens.length).toBeLessThanOrEqual(13);
    const full = await collect(hybrid.generate(ids(192), { ...GREEDY, maxTokens: 10 }));
    expect(full.finishReason).toBe('length');
    expect(full.tokens.length).toBeLessThanOrEqual(1);
  });

  test('that a prompt exceeds is an error before anything is read', async () => {
    const error = await rejection(collect(hybrid.generate(ids(193), GREEDY)));
    expect(error.name).toBe('ModelError');
    expect(error.code).toBe('context_full');

    const session = await hybrid.createSession();
    await session.prompt('Hello', { ...GREEDY, maxTokens: 20 });
    const { contextUsage } = session;
    for (const call of [
      () => session.prompt(words(200), GREEDY),
      () => session.append(words(200)),
      () => collect(session.promptStreaming(words(200), GREEDY)),
    ]) {
      expect((await rejection(call())).code).toBe('context_full');
      expect(session.contextUsage).toBe(contextUsage);
    }
    await session.prompt('Hi', { ...GREEDY, maxTokens: 2 });
    // What it held is still there: only the new turn was read.
    const { promptTokens } = session.stats;
    expect(session.contextUsage).toBe(contextUsage + promptTokens.length + 1);
    session.destroy();
  });

  test('ends an answer, and the next prompt is told that the session is full', async () => {
    const session = await hybrid.createSession();
    await session.prompt(words(40), { ...GREEDY, maxTokens: 1000 });
    expect(session.stats.finishReason).toBe('length');
    expect(session.contextUsage).toBeLessThanOrEqual(192);
    expect(session.contextUsage).toBeGreaterThanOrEqual(191);
    expect((await rejection(session.prompt('Hi', GREEDY))).code).toBe('context_full');
    session.destroy();
  });

  test('bounds logits and perplexity too', async () => {
    await expect(hybrid.perplexity(words(500), { context: 193 })).rejects.toThrow(RangeError);
    await hybrid.perplexity(words(500), { context: 192 });
    expect((await rejection(hybrid.logits(ids(193)))).code).toBe('context_full');
    expect((await rejection(hybrid.logits(ids(193), { all: true }))).code).toBe('context_full');
    await hybrid.logits(ids(192));
  });
});

describe('the end', () => {
  const CALLS = {
    'session.prompt': (_model, session) => session.prompt('Hi', GREEDY),
    'session.promptStreaming': (_model, session) => collect(session.promptStreaming('Hi', GREEDY)),
    'session.append': (_model, session) => session.append('Hi'),
    'session.clone': (_model, session) => session.clone(),
    'model.generate': (model) => collect(model.generate('Hi', GREEDY)),
    'model.complete': (model) => model.complete('Hi', GREEDY),
    'model.createSession': (model) => model.createSession(),
    'model.logits': (model) => model.logits([1, 2]),
    'model.perplexity': (model) => model.perplexity('Hello', { context: 2 }),
    'model.tokenize': (model) => model.tokenize('Hi'),
    'model.detokenize': (model) => model.detokenize([1]),
    'model.countTokens': (model) => model.countTokens('Hi'),
    'model.memory': (model) => model.memory(),
  };

  test.each(Object.keys(CALLS).filter((name) => name.startsWith('session')))(
    '%s after the session is destroyed is the error disposed',
    async (name) => {
      const session = await linear.createSession();
      session.destroy();
      session.destroy();
      const error = await rejection(CALLS[name](linear, session));
      expect([error.name, error.code]).toEqual(['ModelError', 'disposed']);
    },
  );

  test.each(Object.keys(CALLS))(
    '%s after the model is disposed of is the error disposed',
    async (name) => {
      const model = await loadModel(linearModel());
      const session = await model.createSession();
      await model.dispose();
      await model.dispose();
      const error = await rejection(CALLS[name](model, session));
      expect([error.name, error.code]).toEqual(['ModelError', 'disposed']);
      session.destroy();
      await session[Symbol.asyncDispose]();
    },
  );

  test('what is known of a model stays known', async () => {
    const model = await loadModel(linearModel());
    await model.dispose();
    expect(model.vocabSize).toBe(512);
    expect(model.architecture).toBe('qwen35');
    expect(model.name).toBe('random-3x64');
    expect(model.facts.weightsBytes).toBeGreaterThan(0);
  });

  // Calls that are under way when their model or session goes: none may hang, and what they throw
  // must say why.
  const RUNNING = {
    'reading a prompt': (_model, session) => session.prompt(words(30_000), GREEDY),
    'writing an answer': (_model, session) => session.prompt('Hi', { ...GREEDY, maxTokens: 1e5 }),
    'waiting for its turn': (_model, session) => {
      session.prompt('Hi', { ...GREEDY, maxTokens: 1e5 }).catch(() => {});
      return session.append('Hi');
    },
    'a stream that nobody reads until then': async (_model, session, gone) => {
      const stream = session.promptStreaming('Hi', { ...GREEDY, maxTokens: 1e5 });
      const reader = stream.getReader();
      await reader.read();
      await gone;
      while (!(await reader.read()).done);
      throw new Error('the stream closed');
    },
  };
  const MODEL_RUNNING = {
    ...RUNNING,
    'a text': (model) => collect(model.generate('Hi', { ...GREEDY, maxTokens: 1e5 })),
    'a whole text': (model) => model.complete('Hi', { ...GREEDY, maxTokens: 1e5 }),
    'reading a long text': (model) => collect(model.generate(ids(50_000), GREEDY)),
    logits: (model) => model.logits(ids(50_000)),
    perplexity: (model) => model.perplexity(words(50_000), { context: 1000 }),
    'initial prompts': (model) =>
      model.createSession({ initialPrompts: [{ role: 'user', content: words(30_000) }] }),
  };

  test.each(Object.keys(RUNNING))('destroying a session ends %s', async (name) => {
    const { heapInUse } = await linear.memory();
    const session = await linear.createSession();
    let tellGone;
    const gone = new Promise((resolve) => {
      tellGone = resolve;
    });
    const call = rejection(RUNNING[name](linear, session, gone));
    for (let i = 0; i < 5; i++) await nextTask();
    await session[Symbol.asyncDispose]();
    tellGone();
    const error = await call;
    expect([error.code, error.message]).toEqual(['disposed', expect.any(String)]);
    expect((await linear.memory()).heapInUse).toBe(heapInUse);
  });

  test.each(Object.keys(MODEL_RUNNING))('disposing of a model ends %s', async (name) => {
    const model = await loadModel(linearModel());
    const session = await model.createSession();
    let tellGone;
    const gone = new Promise((resolve) => {
      tellGone = resolve;
    });
    const call = rejection(MODEL_RUNNING[name](model, session, gone));
    for (let i = 0; i < 5; i++) await nextTask();
    await model.dispose();
    tellGone();
    const error = await call;
    expect([error.code, error.message]).toEqual(['disposed', expect.any(String)]);
  });

  test('a trap ends every call, those that wait for a turn too', async () => {
    const model = await loadModel(linearModel());
    const session = await model.createSession();
    const reader = session.promptStreaming('a', GREEDY).getReader();
    await reader.read();
    const waiting = rejection(session.prompt('b'));
    const onPrefill = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    const trapped = await rejection(model.complete('c', { onPrefill }));
    expect(trapped).toMatchObject({ code: 'wasm' });
    expect(await waiting).toMatchObject({ code: 'wasm' });
    expect(await rejection(model.countTokens('d'))).toMatchObject({ code: 'disposed' });
    await model.dispose();
  });

  test('using and await using free sessions and models', async () => {
    const model = await loadModel(linearModel());
    const session = await model.createSession();
    session[Symbol.dispose]();
    expect((await rejection(session.prompt('Hi'))).code).toBe('disposed');
    model[Symbol.dispose]();
    expect((await rejection(model.memory())).code).toBe('disposed');
    const other = await loadModel(linearModel());
    await other[Symbol.asyncDispose]();
    expect((await rejection(other.memory())).code).toBe('disposed');
  });
});
