// SPDX-License-Identifier: MIT
// Conversations in a page: ways out of a generation, clones, the end of a model and of its worker.
import { makeModel } from '../../tools/make-model.mjs';
import { MODEL, openApiPage, untilWorkers } from './support/browser.js';
import { expectNothingWrong, openApiSite } from './support/site.js';

const REQUEST = 'Write a story about a fox named Lily.';
const site = openApiSite();

describe.each([true, false])('a session (worker: %s)', (worker) => {
  beforeAll(() =>
    site.page.evaluate(
      async ([url, inWorker]) => {
        globalThis.model = await fastweights.loadModel(url, { worker: inWorker });
      },
      [MODEL, worker],
    ),
  );
  afterAll(() => site.page.evaluate(() => model.dispose()));
  afterEach(() => expectNothingWrong(site));

  test('forgets its oldest turns where its window is full, and says so first', async () => {
    const file = makeModel({ shape: { layers: 2, fullAttentionInterval: 2, contextLength: 192 } });
    const { order, roles, messages } = await site.page.evaluate(
      async ([base64, inWorker]) => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const small = await fastweights.loadModel(bytes, { worker: inWorker });
        const session = await small.createSession({ temperature: 0 });
        const order = [];
        let roles;
        session.oncontextoverflow = ({ forgotten }) => {
          order.push('forgotten');
          roles = forgotten.map(({ role }) => role);
        };
        for (let i = 0; i < 20 && !roles; i++) {
          order.length = 0;
          for await (const _ of session.promptStreaming('x'.repeat(20), { maxTokens: 8 })) {
            order.push('piece');
          }
        }
        const messages = session.messageCount;
        await small.dispose();
        return { order, roles, messages };
      },
      [Buffer.from(file).toString('base64'), worker],
    );
    expect(order.indexOf('forgotten')).toBe(0);
    expect(roles).toEqual(['user', 'assistant']);
    expect(messages).toBeGreaterThan(2);
  });

  test('ends within one token when its reader leaves, and goes on', async () => {
    const seen = await site.page.evaluate(async (request) => {
      const session = await model.createSession({ temperature: 0 });
      const stream = session.promptStreaming(request);
      const pieces = [];
      for await (const piece of stream) {
        pieces.push(piece);
        if (pieces.length === 5) break;
      }
      const result = await stream.result;
      const { stats, contextUsage } = session;
      const next = await session.prompt('And then?', { maxTokens: 12 });
      const { tokens } = session.stats;
      session.destroy();
      return { pieces, result, stats, contextUsage, next, nextTokens: tokens.length };
    }, REQUEST);
    const { pieces, result, stats } = seen;
    expect(pieces).toHaveLength(5);
    expect(result.finishReason).toBe('cancelled');
    expect(result.text.startsWith(pieces.join(''))).toBe(true);
    // The stream writes one piece ahead of its reader.
    expect(result.tokens.length).toBeGreaterThanOrEqual(5);
    expect(result.tokens.length).toBeLessThanOrEqual(7);
    expect(stats.tokens).toEqual(result.tokens);
    // The last token is drawn but not yet read.
    expect(seen.contextUsage).toBe(result.promptTokens.length + result.tokens.length - 1);
    expect(seen.nextTokens).toBe(12);
    expect(seen.next).not.toBe('');
  });

  test.each(['prompt', 'promptStreaming', 'generate'])(
    '%s ends within one token by its signal, with the reason',
    async (way) => {
      const seen = await site.page.evaluate(
        async ([request, name]) => {
          const session = await model.createSession({ temperature: 0 });
          const aborter = new AbortController();
          const reason = { why: 'enough' };
          const options = { signal: aborter.signal, temperature: 0, maxTokens: 100_000 };
          let pieces = 0;
          let rejection;
          let result;
          if (name === 'prompt') {
            const answer = session.prompt(request, { ...options, ignoreEos: true });
            // The whole answer would take minutes; a call in between shows that it has begun.
            await model.memory();
            aborter.abort(reason);
            rejection = await answer.catch((error) => error);
            result = rejection;
          } else {
            const stream =
              name === 'generate'
                ? model.generate(request, options)
                : session.promptStreaming(request, options);
            try {
              for await (const _ of stream) {
                pieces += 1;
                if (pieces === 4) aborter.abort(reason);
              }
            } catch (error) {
              rejection = error;
            }
            result = await stream.result.catch((error) => error);
          }
          const tokens = session.stats?.tokens.length;
          const again = await session.prompt('And then?', { maxTokens: 8 });
          const reasons = [rejection === reason, result === reason];
          session.destroy();
          return { pieces, reasons, tokens, again };
        },
        [REQUEST, way],
      );
      expect(seen.reasons).toEqual([true, true]);
      expect(seen.again).not.toBe('');
      if (way !== 'prompt') expect(seen.pieces).toBeLessThanOrEqual(5);
      if (way === 'promptStreaming') {
        expect(seen.tokens).toBeGreaterThanOrEqual(seen.pieces);
        expect(seen.tokens).toBeLessThanOrEqual(seen.pieces + 2);
      }
    },
  );

  test('an aborted signal stops a call before it begins, and the reading of a prompt', async () => {
    const seen = await site.page.evaluate(async () => {
      const session = await model.createSession();
      const early = await session
        .prompt('Hello', { signal: AbortSignal.abort('early') })
        .catch((error) => error);
      const aborter = new AbortController();
      const long = session.append('A fox and a river. '.repeat(2000), { signal: aborter.signal });
      await model.memory();
      aborter.abort('late');
      const late = await long.catch((error) => error);
      const answer = await session.prompt('Hello', { maxTokens: 8 });
      session.destroy();
      return { early, late, answer };
    });
    expect(seen).toMatchObject({ early: 'early', late: 'late' });
    expect(seen.answer).not.toBe('');
  });

  test('a clone goes on as the original would, and each on its own', async () => {
    const seen = await site.page.evaluate(async (request) => {
      const session = await model.createSession({ temperature: 0 });
      const empty = session.contextUsage;
      await session.prompt(request, { maxTokens: 20 });
      const usage = session.contextUsage;
      const clone = await session.clone();
      const state = session.memory;
      const cloned = await clone.prompt('And then?', { maxTokens: 20 });
      const untouched = session.contextUsage;
      const original = await session.prompt('And then?', { maxTokens: 20 });
      const usages = [session.contextUsage, clone.contextUsage];
      session.destroy();
      const survived = await clone.prompt('The end?', { maxTokens: 4 });
      const after = clone.memory;
      clone.destroy();
      return { empty, usage, untouched, original, cloned, usages, survived, state, after };
    }, REQUEST);
    expect(seen.empty).toBe(0);
    expect(seen.usage).toBeGreaterThan(20);
    expect(seen.untouched).toBe(seen.usage);
    expect(seen.cloned).toBe(seen.original);
    expect(seen.usages[0]).toBe(seen.usages[1]);
    expect(seen.survived).not.toBe('');
    expect(seen.after.stateBytes).toBe(seen.state.stateBytes);
    expect(seen.after.kvBytes).toBe(0);
  });
});

test('dispose ends the worker, what runs in it and what comes after', async () => {
  await site.page.evaluate(async (url) => {
    globalThis.model = await fastweights.loadModel(url);
    globalThis.session = await model.createSession();
    globalThis.stream = model.generate('Once upon a time', { maxTokens: 100_000 });
    globalThis.reader = stream.getReader();
    await reader.read();
  }, MODEL);
  const seen = await site.page.evaluate(async () => {
    const toTheEnd = async () => {
      for (;;) if ((await reader.read()).done) return;
    };
    const reading = outcome(toTheEnd());
    await model.dispose();
    return {
      reading: await reading,
      result: await outcome(stream.result),
      prompt: await outcome(session.prompt('Hello')),
      memory: await outcome(model.memory()),
    };
  });
  await untilWorkers(site.page, 0);
  const disposed = { name: 'ModelError', code: 'disposed', isModelError: true };
  expect(seen.prompt).toMatchObject(disposed);
  expect(seen.memory).toMatchObject(disposed);
  expect(seen.reading).toMatchObject(disposed);
  expect(seen.result).toMatchObject(disposed);
  expect(site.wrong.splice(0)).toEqual([]);
});

test.each([
  ['is not there', '/tests/browser/pages/no-such-worker.js'],
  ['is no script', '/package.json'],
])('a worker that %s is an error and not a wait', async (_, address) => {
  const { page: own, context, wrong } = await openApiPage(site.browser, site.server);
  try {
    const seen = await own.evaluate(
      ([url, worker]) => outcome(fastweights.loadModel(url, { worker })),
      [MODEL, address],
    );
    expect(seen).toMatchObject({ name: 'ModelError', code: 'worker', isModelError: true });
    await untilWorkers(own, 0);
    // The browser reports the script on its own account; nothing else may go wrong.
    expect(wrong.filter((line) => !/Failed to load|MIME type/.test(line))).toEqual([]);
  } finally {
    await context.close();
  }
});
