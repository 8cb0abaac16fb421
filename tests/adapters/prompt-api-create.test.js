// SPDX-License-Identifier: MIT
// What `create` and `availability` look at, and what a monitor is told.
import { readFileSync } from 'node:fs';
import { LanguageModel, languageModelOf } from '../../dist/prompt-api.js';
import { DEMO, loadModel, rejection, withBuild } from '../api/models.js';

let model;
let Bound;
beforeAll(async () => {
  model = await loadModel(DEMO);
  Bound = languageModelOf(model);
});
afterAll(() => model.dispose());

test('what a bound class makes, and copies of it, are its instances', async () => {
  const session = await Bound.create();
  const copy = await session.clone();
  for (const one of [session, copy]) {
    expect(one).toBeInstanceOf(Bound);
    expect(one).toBeInstanceOf(LanguageModel);
    one.destroy();
  }
  expect(Bound.name).toBe('LanguageModel');
  const plain = await LanguageModel.create({ model });
  expect(plain).not.toBeInstanceOf(Bound);
  plain.destroy();
});

describe('what is expected', () => {
  const both = async (options) => {
    const ways = [Bound.availability(options), Bound.create(options)];
    const [told, made] = await Promise.allSettled(ways);
    made.value?.destroy();
    return [told.value ?? told.reason.name, made.reason?.name ?? 'made'];
  };

  test('is had where it is text in a language that has a name', async () => {
    for (const expected of [
      undefined,
      [],
      [{ type: 'text' }],
      [{ type: 'text', languages: ['EN', 'de-CH-1901', 'ja'] }],
      new Set([{ type: 'text', languages: new Set(['en']) }]),
    ]) {
      const options = { expectedInputs: expected, expectedOutputs: expected };
      expect(await both(options)).toEqual(['available', 'made']);
    }
    const tools = { expectedInputs: [{ type: 'tool-response' }] };
    expect(await both({ ...tools, expectedOutputs: [{ type: 'tool-call' }] })).toEqual([
      'available',
      'made',
    ]);
  });

  test.each([
    ['expectedInputs', { type: 'image' }],
    ['expectedOutputs', { type: 'audio' }],
    ['expectedOutputs', { type: 'tool-response' }],
    ['expectedInputs', { type: 'text', languages: ['en', 'unk'] }],
  ])('cannot be had: %s %j', async (name, expected) => {
    expect(await both({ [name]: [expected] })).toEqual(['unavailable', 'NotSupportedError']);
  });

  test.each([
    [{ type: 'soup' }, 'TypeError'],
    [{}, 'TypeError'],
    ['text', 'TypeError'],
    [{ type: 'text', languages: 'en' }, 'TypeError'],
    [{ type: 'text', languages: ['en-abc-invalid'] }, 'RangeError'],
  ])('is wrong: %j', async (expected, name) => {
    expect(await both({ expectedInputs: [expected] })).toEqual([name, name]);
    expect(await both({ expectedOutputs: [expected] })).toEqual([name, name]);
  });

  test('is wrong where it is no list', async () => {
    expect(await both({ expectedInputs: { type: 'text' } })).toEqual(['TypeError', 'TypeError']);
    expect(await both(7)).toEqual(['TypeError', 'TypeError']);
    const endless = {
      *[Symbol.iterator]() {
        for (;;) yield { type: 'text' };
      },
    };
    expect(await both({ expectedInputs: endless })).toEqual(['RangeError', 'RangeError']);
  });
});

describe('how answers are drawn', () => {
  test('has a name, which copies keep', async () => {
    const session = await Bound.create({ samplingMode: 'slightly-creative' });
    const copy = await session.clone();
    expect([session.samplingMode, copy.samplingMode]).toEqual([
      'slightly-creative',
      'slightly-creative',
    ]);
    const balanced = await Bound.create();
    expect(balanced.samplingMode).toBe('balanced');
    for (const one of [session, copy, balanced]) one.destroy();
    expect((await rejection(Bound.create({ samplingMode: 'wild' }))).name).toBe('TypeError');
    expect((await rejection(Bound.availability({ samplingMode: 'wild' }))).name).toBe('TypeError');
  });

  test('is told in numbers where there is no name', async () => {
    const say = async (options) => {
      const session = await Bound.create({ generation: { maxTokens: 12, seed: 3 }, ...options });
      const text = await session.prompt('Write a story about a fox.');
      session.destroy();
      return [session.samplingMode, text];
    };
    const [, greedy] = await say({ samplingMode: 'most-predictable' });
    expect(await say({ topK: 1, temperature: 1 })).toEqual([null, greedy]);
    const named = { samplingMode: 'most-predictable', temperature: 5 };
    expect(await say(named)).toEqual(['most-predictable', greedy]);
  });

  test('is not told of in pages, as in the standard', async () => {
    const session = await Bound.create({ topK: 3, temperature: 0.6 });
    expect([typeof session.topK, typeof session.temperature]).toEqual(['undefined', 'undefined']);
    expect('params' in Bound).toBe(false);
    session.destroy();
  });
});

describe('tools', () => {
  const tool = (more) => ({
    name: 'lookup',
    description: 'Looks something up.',
    inputSchema: { type: 'object', properties: {} },
    ...more,
  });
  const wrong = (tools) =>
    rejection(Bound.create({ tools, expectedOutputs: [{ type: 'tool-call' }] }));

  test.each([
    ['no object', [7]],
    ['no name', [tool({ name: undefined })]],
    ['an empty name', [tool({ name: '' })]],
    ['an empty description', [tool({ description: '' })]],
    ['one name twice', [tool(), tool()]],
    ['no schema', [tool({ inputSchema: undefined })]],
    ['a schema that is null', [tool({ inputSchema: null })]],
    ['a schema that is a text', [tool({ inputSchema: '{}' })]],
    ['a schema without a type', [tool({ inputSchema: {} })]],
    ["a schema that is not an object's", [tool({ inputSchema: { type: 'string' } })]],
    ['properties of another type', [tool({ inputSchema: { type: 'object', properties: 'x' } })]],
    ['required names of another type', [tool({ inputSchema: { type: 'object', required: 'x' } })]],
    [
      'a schema that JSON writes as none',
      [tool({ inputSchema: { type: 'object', toJSON: () => 1 } })],
    ],
  ])('are refused with %s', async (_, tools) => {
    expect((await wrong(tools)).name).toBe('TypeError');
  });

  test('are refused where no call is expected', async () => {
    for (const expectedOutputs of [undefined, [], [{ type: 'text' }]]) {
      const error = await rejection(Bound.create({ tools: [tool()], expectedOutputs }));
      expect([error.name, error.message]).toEqual([
        'TypeError',
        expect.stringMatching('expectedOutputs'),
      ]);
    }
  });

  test('fail with what their schemas throw', async () => {
    const thrown = new Error('no');
    const get = () => {
      throw thrown;
    };
    const schemas = [
      Object.defineProperty({ type: 'object' }, 'properties', { get }),
      Object.defineProperty({ type: 'object' }, 'more', { get, enumerable: true }),
      { type: 'object', toJSON: get },
    ];
    for (const inputSchema of schemas) expect(await wrong([tool({ inputSchema })])).toBe(thrown);
    const circular = { type: 'object' };
    circular.self = circular;
    expect((await wrong([tool(), tool({ name: 'b', inputSchema: circular })])).name).toBe(
      'TypeError',
    );
  });

  test('may be none', async () => {
    for (const tools of [undefined, []]) {
      const session = await Bound.create({ tools, generation: { maxTokens: 2 } });
      expect(typeof (await session.prompt('Hello'))).toBe('string');
      session.destroy();
    }
  });
});

describe('a monitor', () => {
  test('is told of 65 536ths', async () => {
    const Fresh = languageModelOf(new Blob([readFileSync(DEMO)]), withBuild());
    const events = [];
    const monitor = (m) => m.addEventListener('downloadprogress', (e) => events.push(e));
    const session = await Fresh.create({ monitor });
    session.destroy();
    expect(events.length).toBeGreaterThan(2);
    for (const { loaded, total, lengthComputable } of events) {
      expect([Number.isInteger(loaded * 65_536), total, lengthComputable]).toEqual([true, 1, true]);
    }
  });

  test('hears nothing after an abort, also of a model that is there', async () => {
    const heard = [];
    const controller = new AbortController();
    let begun;
    const first = new Promise((resolve) => {
      begun = resolve;
    });
    const monitor = (m) => {
      m.addEventListener('downloadprogress', ({ loaded }) => begun(heard.push(loaded)));
    };
    const made = rejection(Bound.create({ monitor, signal: controller.signal }));
    await first;
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await made).toBe(reason);
    expect(heard).toEqual([0]);
  });

  test('that throws ends the making', async () => {
    const thrown = new Error('no');
    const monitor = () => {
      throw thrown;
    };
    expect(await rejection(Bound.create({ monitor }))).toBe(thrown);
  });
});
