// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { LanguageModel, languageModelOf } from '../../dist/prompt-api.js';
import { makeModel } from '../../tools/make-model.mjs';
import { DEMO, hybridModel, loadModel, rejection, withBuild } from '../api/models.js';

const GREEDY = { samplingMode: 'most-predictable', generation: { maxTokens: 8 } };
const ASK = 'Write a story about a fox.';
const OPENING = 'Once upon a time, there was a';

let model;
beforeAll(async () => {
  model = await loadModel(DEMO);
});
afterAll(() => model.dispose());

const create = (options) => LanguageModel.create({ model, ...GREEDY, ...options });

// What closes an answer counts a turn later.
async function usage(session) {
  await session.measureContextUsage('');
  return session.contextUsage;
}

async function collect(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

describe('a conversation', () => {
  test('answers whole and in pieces, and goes on', async () => {
    const session = await create({
      initialPrompts: [{ role: 'system', content: [{ type: 'text', value: 'Be kind.' }] }],
    });
    expect(session.contextWindow).toBe(Number.POSITIVE_INFINITY);
    const empty = session.contextUsage;
    const needed = await session.measureContextUsage(ASK);
    expect(session.contextUsage).toBe(empty);
    const text = await session.prompt(ASK);
    expect(await usage(session)).toBe(empty + needed + (await session.measureContextUsage(text)));
    const again = await create({ initialPrompts: [{ role: 'system', content: 'Be kind.' }] });
    const pieces = await collect(again.promptStreaming(ASK));
    expect(pieces.length).toBeGreaterThan(4);
    expect(pieces.join('')).toBe(text);
    const copy = await session.clone();
    await session.append([{ role: 'user', content: 'A long one.' }]);
    expect(session.contextUsage).toBeGreaterThan(copy.contextUsage);
    expect(typeof (await copy.prompt('More.'))).toBe('string');
    for (const one of [session, again, copy]) one.destroy();
  });

  test('begins an answer as it is told to', async () => {
    const session = await create();
    const prefix = 'The old king';
    const rest = await session.prompt([
      { role: 'user', content: ASK },
      { role: 'assistant', content: prefix, prefix: true },
    ]);
    const raw = await model.complete(
      `<|im_start|>user\n${ASK}<|im_end|>\n<|im_start|>assistant\n${prefix}`,
      { temperature: 0, maxTokens: 8 },
    );
    expect(rest).toBe(raw.text);
    expect(rest).not.toContain(prefix);
    // The next prompt goes on from what is held: nothing is read twice.
    const held = await usage(session);
    const needed = await session.measureContextUsage('More.');
    const more = await session.prompt('More.');
    expect(await usage(session)).toBe(held + needed + (await session.measureContextUsage(more)));
    session.destroy();
  });

  test('takes turns', async () => {
    const session = await create();
    const both = await Promise.all([session.prompt(ASK), session.prompt(ASK)]);
    expect(both[0]).toBe(OPENING);
    const other = await create();
    expect(await other.prompt(ASK)).toBe(both[0]);
    expect(await other.prompt(ASK)).toBe(both[1]);
    session.destroy();
    other.destroy();
  });

  test('ends when its signal fires, its stream is left or it is destroyed', async () => {
    const session = await create({ generation: { maxTokens: 500 } });
    const reason = new Error('enough');
    const controller = new AbortController();
    const reader = session.promptStreaming(ASK, { signal: controller.signal }).getReader();
    await reader.read();
    const waiting = session.prompt(ASK, { signal: controller.signal });
    controller.abort(reason);
    expect(await rejection(waiting)).toBe(reason);
    expect(await rejection(reader.read().then(() => reader.read()))).toBe(reason);
    expect((await rejection(session.prompt(ASK, { signal: AbortSignal.abort() }))).name).toBe(
      'AbortError',
    );
    for await (const _ of session.promptStreaming(ASK)) break;
    const unread = session.promptStreaming(ASK);
    await unread.cancel();
    const running = rejection(session.prompt(ASK));
    await new Promise((resolve) => setTimeout(resolve, 20));
    session.destroy();
    expect((await running).name).toBe('InvalidStateError');
    expect((await rejection(session.prompt(ASK))).name).toBe('InvalidStateError');
    expect((await rejection(session.clone())).name).toBe('InvalidStateError');
    expect(typeof session.contextUsage).toBe('number');
    expect((await model.memory()).stateBytes).toBe(0);
  });

  test('ends with the signal that it was made with', async () => {
    const { stateBytes } = await model.memory();
    const controller = new AbortController();
    const { signal } = controller;
    const session = await create({ signal, generation: { maxTokens: 500, ignoreEos: true } });
    const copy = await session.clone();
    const other = await create({ signal });
    other.destroy();
    const reader = session.promptStreaming(ASK).getReader();
    await reader.read();
    const waiting = rejection(session.prompt(ASK));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await waiting).toBe(reason);
    expect(await rejection(reader.read().then(() => reader.read()))).toBe(reason);
    expect(await rejection(session.prompt(ASK))).toBe(reason);
    expect(await rejection(session.clone())).toBe(reason);
    expect((await rejection(other.prompt(ASK))).name).toBe('InvalidStateError');
    // A clone is by itself.
    expect(await copy.append('x')).toBeUndefined();
    copy.destroy();
    expect((await model.memory()).stateBytes).toBe(stateBytes);
  });

  test('refuses what it cannot do', async () => {
    const session = await create();
    const image = [{ role: 'user', content: [{ type: 'image', value: new Blob([]) }] }];
    const early = [
      { role: 'assistant', content: 'So', prefix: true },
      { role: 'user', content: ASK },
    ];
    expect((await rejection(session.prompt(image))).name).toBe('NotSupportedError');
    expect((await rejection(session.prompt(early))).name).toBe('SyntaxError');
    expect((await rejection(create({ expectedInputs: [{ type: 'audio' }] }))).name).toBe(
      'NotSupportedError',
    );
    expect((await rejection(LanguageModel.create())).name).toBe('NotSupportedError');
    expect(() => new LanguageModel()).toThrow('Illegal constructor');
    expect(await session.prompt(ASK)).toBe(OPENING);
    session.destroy();
  });

  test('is held to a constraint', async () => {
    const session = await create({ generation: { maxTokens: 40 } });
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const answer = await session.prompt(ASK, { responseConstraint: schema });
    expect(typeof JSON.parse(answer).ok).toBe('boolean');
    expect(await session.prompt(ASK, { responseConstraint: /yes|no/ })).toMatch(/^(yes|no)$/);
    const wrong = session.prompt(ASK, { responseConstraint: { type: 'date' } });
    expect((await rejection(wrong)).name).toBe('NotSupportedError');
    session.destroy();
  });
});

describe('what an answer is held to', () => {
  const schema = {
    type: 'object',
    properties: { ok: { type: 'boolean', description: 'whether the fox is well' } },
    required: ['ok'],
    additionalProperties: false,
  };
  const SAID = `${ASK}\n\nJSON schema:\n${JSON.stringify(schema)}\nYou MUST answer with JSON that matches the JSON schema above.`;

  test('is shown to the model, and counted', async () => {
    const plain = await create();
    const options = { responseConstraint: schema };
    const needed = await plain.measureContextUsage(ASK, options);
    expect(needed).toBe(await plain.measureContextUsage(SAID));
    const omitting = { ...options, omitResponseConstraintInput: true };
    expect(await plain.measureContextUsage(ASK, omitting)).toBe(
      await plain.measureContextUsage(ASK),
    );
    const wrapper = await plain.measureContextUsage('');
    await plain.prompt(ASK, options);
    expect(await usage(plain)).toBe(needed + 8 + wrapper);
    plain.destroy();
  });

  test('stands before what an answer begins with', async () => {
    const session = await create();
    const begun = [
      { role: 'user', content: ASK },
      { role: 'assistant', content: '{', prefix: true },
    ];
    const options = { responseConstraint: /\{"ok" ?: ?(true|false)}/ };
    const wanted = [
      {
        role: 'user',
        content: `${ASK}\n\nYou MUST answer with a text that matches the regular expression ${options.responseConstraint}`,
      },
      begun[1],
    ];
    expect(await session.measureContextUsage(begun, options)).toBe(
      await session.measureContextUsage(wanted),
    );
    expect(await session.prompt(begun, { ...options })).toMatch(/^"ok"/);
    session.destroy();
  });

  test('must be there to be omitted', async () => {
    const session = await create();
    const omitted = session.prompt(ASK, { omitResponseConstraintInput: true });
    expect((await rejection(omitted)).name).toBe('TypeError');
    session.destroy();
  });
});

describe('the context window', () => {
  const say = (session, text) => session.prompt([{ role: 'user', content: text }]);

  test('forgets the oldest turns, never the initial prompts, and says so', async () => {
    const small = await loadModel(hybridModel());
    const initialPrompts = [{ role: 'system', content: 'abcdefgh' }];
    const session = await create({ model: small, initialPrompts });
    const heard = [];
    session.addEventListener('contextoverflow', () => heard.push('listener'));
    session.oncontextoverflow = () => heard.push('handler');
    let largest = 0;
    for (let i = 0; i < 8; i++) {
      await say(session, 'x'.repeat(20));
      largest = Math.max(largest, session.contextUsage);
    }
    expect(heard.length).toBeGreaterThanOrEqual(2);
    expect(new Set(heard)).toEqual(new Set(['listener', 'handler']));
    expect(largest).toBeLessThanOrEqual(session.contextWindow);
    const error = await rejection(say(session, 'x'.repeat(400)));
    expect(error.name).toBe('QuotaExceededError');
    expect(error.quota).toBe(192);
    expect(error.requested).toBeGreaterThan(192);
    expect(typeof (await say(session, 'x'))).toBe('string');
    const long = [{ role: 'system', content: 'x'.repeat(400) }];
    const failed = await rejection(create({ model: small, initialPrompts: long }));
    expect(failed.name).toBe('QuotaExceededError');
    session.destroy();
    expect((await small.memory()).stateBytes).toBe(0);
    await small.dispose();
  });
});

describe('where the model comes from', () => {
  const loadOptions = withBuild();

  test('is loaded once for all of a source, told of, and freed with the last', async () => {
    const source = new Blob([readFileSync(DEMO)]);
    const Bound = languageModelOf(source, loadOptions);
    expect(await Bound.availability()).toBe('available');
    const loaded = [];
    const monitor = (m) => m.addEventListener('downloadprogress', (e) => loaded.push(e.loaded));
    const [one, two] = await Promise.all([Bound.create({ ...GREEDY, monitor }), Bound.create()]);
    expect(loaded[0]).toBe(0);
    expect(loaded.at(-1)).toBe(1);
    expect(loaded).toEqual([...new Set(loaded)].sort((a, b) => a - b));
    two.destroy();
    expect(await one.prompt(ASK)).toBe(OPENING);
    one.destroy();
    one.destroy();
  });

  test('is told apart by how it can be had', async () => {
    const has = (options) => LanguageModel.availability(options);
    expect(await has()).toBe('unavailable');
    expect(await has({ model })).toBe('available');
    expect(await has({ model: DEMO })).toBe('available');
    expect(await has({ model: 'https://example.org/m.gguf' })).toBe('downloadable');
    expect(await has({ model, expectedOutputs: [{ type: 'text', languages: ['en'] }] })).toBe(
      'available',
    );
    expect(await has({ model, expectedInputs: [{ type: 'image' }] })).toBe('unavailable');
  });

  test('a load that fails or is aborted leaves nothing, and can be tried again', async () => {
    const broken = new Blob([new Uint8Array(64)]);
    const error = await rejection(create({ model: broken, loadOptions }));
    expect([error.name, error.cause.code]).toEqual(['OperationError', 'invalid_header']);
    const source = new Blob([makeModel()]);
    const controller = new AbortController();
    const load = create({ model: source, loadOptions, signal: controller.signal });
    expect(await LanguageModel.availability({ model: source })).toBe('downloading');
    controller.abort();
    expect((await rejection(load)).name).toBe('AbortError');
    (await create({ model: source, loadOptions })).destroy();
  });
});
