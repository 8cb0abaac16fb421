// SPDX-License-Identifier: MIT
// A conversation that outlives its page.
import { MODEL, untilReady } from './support/browser.js';
import { OPTIONS, uninterrupted } from './support/conversation.js';
import { openApiSite } from './support/site.js';

const site = openApiSite();

const reload = async () => {
  await site.page.reload();
  await untilReady(site.page);
};

test.each([true, false])('goes on after a reload (worker: %s)', async (worker) => {
  const expected = await uninterrupted(site.page);
  const before = await site.page.evaluate(
    async ([url, options, inWorker]) => {
      const model = await fastweights.loadModel(url, { worker: inWorker });
      const session = await model.createSession(options);
      const said = await session.prompt('Tell a story.', { maxTokens: options.maxTokens });
      await session.persist('my chat');
      // Reading on in the page that goes away leaves no trace.
      await session.prompt('Forget this.', { maxTokens: 5 });
      return said;
    },
    [MODEL, OPTIONS, worker],
  );
  expect(before).toBe(expected[0]);
  await reload();
  const after = await site.page.evaluate(
    async ([url, { maxTokens }, inWorker]) => {
      const model = await fastweights.loadModel(url, { worker: inWorker });
      const session = await model.resume('my chat');
      const said = [
        await session.prompt('And then?', { maxTokens }),
        await session.prompt('How does it end?', { maxTokens }),
      ];
      const list = await fastweights.storedSessions.list();
      await fastweights.storedSessions.delete('my chat');
      const gone = await outcome(model.resume('my chat'));
      await model.dispose();
      return { said, list, gone, messages: session.messageCount };
    },
    [MODEL, OPTIONS, worker],
  );
  expect(after.said).toEqual(expected.slice(1));
  expect(after.list).toEqual([expect.objectContaining({ name: 'my chat' })]);
  expect(after.gone).toMatchObject({ isModelError: true, code: 'not_found' });
});

test('a browser that is killed while it writes finds what it had kept before', async () => {
  const expected = await uninterrupted(site.page);
  await site.page.evaluate(
    async ([url, options]) => {
      const model = await fastweights.loadModel(url);
      const session = await model.createSession(options);
      await session.prompt('Tell a story.', { maxTokens: options.maxTokens });
      await session.persist('chat');
      // A later save of which only a part was written: as whoever was killed leaves it.
      const bytes = await session.save();
      const place = 'fastweights-sessions-2';
      const [key] = (await stored.names(place))[0].split('+');
      const later = `${key}+${Date.now() + 1000}-x+data0`;
      await stored.write(place, later, bytes.slice(0, bytes.length / 2));
    },
    [MODEL, OPTIONS],
  );
  await reload();
  const said = await site.page.evaluate(
    async ([url, { maxTokens }]) => {
      const model = await fastweights.loadModel(url);
      const session = await model.resume('chat');
      const next = await session.prompt('And then?', { maxTokens });
      await session.persist('chat');
      await model.dispose();
      return { next, kept: (await fastweights.storedSessions.list()).length };
    },
    [MODEL, OPTIONS],
  );
  expect(said).toEqual({ next: expected[1], kept: 1 });
});

test('a worker that is killed while it writes costs what was not kept', async () => {
  const expected = await uninterrupted(site.page);
  const said = await site.page.evaluate(
    async ([url, options]) => {
      const { maxTokens } = options;
      const worker = new Worker('/dist/worker.js', { type: 'module' });
      const lost = await fastweights.loadModel(url, { worker });
      const session = await lost.createSession(options);
      await session.prompt('Tell a story.', { maxTokens });
      await session.persist('killed');
      await session.promptStreaming('And then?', { maxTokens }).getReader().read();
      worker.terminate();
      const model = await fastweights.loadModel(url);
      const resumed = await model.resume('killed');
      const next = [await resumed.prompt('And then?', { maxTokens })];
      next.push(await resumed.prompt('How does it end?', { maxTokens }));
      await fastweights.storedSessions.delete('killed');
      await model.dispose();
      return next;
    },
    [MODEL, OPTIONS],
  );
  expect(said).toEqual(expected.slice(1));
});
