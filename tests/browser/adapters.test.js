// SPDX-License-Identifier: MIT
// Others' interfaces in a page, before a model in a worker.
import { MODEL } from './support/browser.js';
import { expectNothingWrong, openApiSite } from './support/site.js';

const OPENING = 'Once upon a time, there was a';
const site = openApiSite();
afterEach(() => expectNothingWrong(site));

test('the Prompt API: downloads once, tells of it, answers and ends', async () => {
  const seen = await site.page.evaluate(async (url) => {
    const { languageModelOf } = await import('/dist/prompt-api.js');
    const LanguageModel = languageModelOf(url, { cache: true });
    const availability = [await LanguageModel.availability()];
    const events = [];
    const session = await LanguageModel.create({
      samplingMode: 'most-predictable',
      generation: { maxTokens: 8 },
      monitor: (m) => m.addEventListener('downloadprogress', (event) => events.push(event)),
    });
    availability.push(await LanguageModel.availability());
    const text = await session.prompt('Write a story about a fox.');
    const { contextUsage } = session;
    const needed = await session.measureContextUsage('More.');
    const copy = await session.clone();
    session.destroy();
    const gone = await outcome(session.prompt('More.'));
    const prefix = { role: 'assistant', content: 'The', prefix: true };
    const pieces = [];
    for await (const piece of copy.promptStreaming([{ role: 'user', content: 'More.' }, prefix])) {
      pieces.push(piece);
    }
    const grown = copy.contextUsage - contextUsage;
    copy.destroy();
    availability.push(await LanguageModel.availability());
    const loaded = events.map((event) => event.loaded);
    const real = events.every((event) => event instanceof ProgressEvent);
    return { availability, loaded, real, text, needed, gone, pieces, grown };
  }, MODEL);
  expect(seen.availability).toEqual(['downloadable', 'available', 'available']);
  expect([seen.loaded[0], seen.loaded.at(-1), seen.real]).toEqual([0, 1, true]);
  expect(seen.loaded.length).toBeGreaterThan(4);
  expect(seen.text).toBe(OPENING);
  expect(seen.gone.name).toBe('InvalidStateError');
  expect(seen.pieces.length).toBeGreaterThan(1);
  expect(seen.grown).toBeGreaterThan(seen.needed);
});

test('OpenAI and the AI SDK: the same words, and an end when nobody reads', async () => {
  const seen = await site.page.evaluate(async (url) => {
    const [{ createFetch }, { languageModel }] = await Promise.all([
      import('/dist/openai.js'),
      import('/dist/ai-sdk.js'),
    ]);
    const model = await fastweights.loadModel(url);
    const content = 'Write a story about a fox.';
    const ask = (extra) =>
      createFetch(model)('/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify({
          ...{ messages: [{ role: 'user', content }], temperature: 0, max_tokens: 8 },
          ...extra,
        }),
      });
    const whole = await (await ask()).json();
    const lines = (await (await ask({ stream: true })).text()).split('\n\n');
    await (await ask({ stream: true, max_tokens: 500 })).body.cancel();
    const prompt = [{ role: 'user', content: [{ type: 'text', text: content }] }];
    const { stream } = await languageModel(model).doStream({
      ...{ prompt, temperature: 0, maxOutputTokens: 8 },
    });
    const parts = [];
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
    }
    await model.dispose();
    return { whole, lines, parts };
  }, MODEL);
  expect(seen.whole.choices[0].message.content).toBe(OPENING);
  const chunks = seen.lines.slice(0, -2).map((line) => JSON.parse(line.slice('data: '.length)));
  const deltas = chunks.map(({ choices }) => choices[0].delta.content ?? '');
  expect(deltas.join('')).toBe(OPENING);
  const texts = seen.parts.filter(({ type }) => type === 'text-delta').map(({ delta }) => delta);
  expect(texts.join('')).toBe(OPENING);
  expect(seen.parts.at(-1).finishReason.unified).toBe('length');
});
