// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { makeModel } from '../../tools/make-model.mjs';
import { editModel } from './edit-model.js';
import { DEMO, loadModel } from './models.js';

const DICE = {
  name: 'roll_dice',
  description: 'Rolls a die',
  parameters: {
    type: 'object',
    properties: {
      sides: { type: 'integer', minimum: 2, maximum: 20 },
      note: { type: 'string', maxLength: 8 },
    },
    required: ['sides'],
  },
};
const NAMES = { name: 'names' };
const validate = new Ajv({ strict: false }).compile({
  ...DICE.parameters,
  additionalProperties: false,
});

const all = async (stream) => {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return parts;
};
const textOf = (parts) => parts.map(({ type, text }) => (type === 'text' ? text : '')).join('');
const one = { toolChoice: 'required', parallelToolCalls: false, seed: 4 };

let model;
beforeAll(async () => {
  model = await loadModel(DEMO);
});
afterAll(() => model.dispose());

test('log probabilities come with the parts, and tell what a call was held to', async () => {
  const session = await model.createSession({ tools: [DICE] });
  const stream = session.respond('Roll a die!', { ...one, logprobs: 2 });
  let told = 0;
  for await (const { type } of stream) {
    if (type === 'tool-call-delta') expect(stream.logprobs.length).toBeGreaterThan(told);
    told = stream.logprobs.length;
  }
  const { logprobs, tokens } = await stream.result;
  expect(stream.logprobs).toEqual(logprobs);
  expect(logprobs.map(({ token }) => token)).toEqual(tokens);
  // What every call is made of could be no other token.
  expect(logprobs.filter(({ allowed }) => allowed.count === 1).length).toBeGreaterThan(3);
  session.destroy();
});

test('a call, its result, an answer', async () => {
  const session = await model.createSession({ tools: [DICE, NAMES] });
  const stream = session.respond('Roll a die!', {
    ...one,
    seed: 1,
    toolChoice: { name: 'roll_dice' },
  });
  const parts = await all(stream);
  const { toolCalls, finishReason, text } = await stream.result;
  expect(finishReason).toBe('tool-calls');
  expect(text).toBe('');
  expect(toolCalls).toHaveLength(1);
  expect(toolCalls[0]).toMatchObject({ id: 'call_0', name: 'roll_dice' });
  expect(validate(toolCalls[0].arguments)).toBe(true);
  expect(parts.at(-2)).toEqual({ type: 'tool-call', ...toolCalls[0] });
  const { promptTokens, completionTokens } = parts.at(-1).usage;
  expect(session.contextUsage).toBe(promptTokens + completionTokens - 1);
  expect((await session.messages()).at(-1)).toEqual({ role: 'assistant', content: '', toolCalls });

  const result = { role: 'tool', toolCallId: 'call_0', name: 'roll_dice', content: '4' };
  const answer = session.respond([result], { toolChoice: 'none', maxTokens: 12, seed: 1 });
  const said = await all(answer);
  expect(said.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
  // The calls are held as they were written, where that is as the template spaces them: all that was
  // read before, and the call.
  expect((await answer.result).rereadTokens).toBe(0);
  const messages = await session.messages();
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(messages.at(-1).content).toBe(textOf(said));
  session.destroy();
});

test('ids go on, and tools go with clones and with what is saved', async () => {
  const session = await model.createSession({ tools: [NAMES], toolFormat: 'lfm2' });
  await all(session.respond('Go!', one));
  const copies = [await session.clone(), await model.restore(await session.save())];
  const rest = [{ role: 'tool', toolCallId: 'call_0', name: 'names', content: 'Ada' }];
  const want = await all(session.respond(rest, one));
  expect(want.at(-2)).toEqual({ type: 'tool-call', id: 'call_1', name: 'names', arguments: {} });
  for (const copy of copies) {
    expect(await all(copy.respond(rest, one))).toEqual(want);
    copy.destroy();
  }
  session.destroy();
});

test('other tools, from now on', async () => {
  const session = await model.createSession({ tools: [DICE] });
  await all(session.respond('Go!', { maxTokens: 5 }));
  const stream = session.respond('Again!', { ...one, tools: [NAMES] });
  await all(stream);
  const { toolCalls, rereadTokens } = await stream.result;
  expect(toolCalls.map(({ name }) => name)).toEqual(['names']);
  expect(rereadTokens).toBeGreaterThan(0);
  await expect(all(session.respond('x', { toolChoice: { name: 'roll_dice' } }))).rejects.toThrow(
    'no tool is called that',
  );
  session.destroy();
});

test('without tools it is the same text as a prompt gives', async () => {
  const [one, two] = [await model.createSession(), await model.createSession()];
  const options = { maxTokens: 40, seed: 9 };
  const text = textOf(await all(one.respond('Tell me a story.', options)));
  expect(text).toBe(await two.prompt('Tell me a story.', options));
  expect(await one.messages()).toEqual(await two.messages());
  for (const session of [one, two]) session.destroy();
});

test('a stop string, an abort and a reader that leaves', async () => {
  const session = await model.createSession({ tools: [NAMES] });
  const stopped = session.respond('Story!', { stop: ['a'], toolChoice: 'none', seed: 2 });
  expect(textOf(await all(stopped))).not.toContain('a');
  expect(await stopped.result).toMatchObject({ finishReason: 'stop', stopString: 'a' });
  const aborter = new AbortController();
  const aborted = session.respond('Story!', { signal: aborter.signal, toolChoice: 'none' });
  await expect(
    (async () => {
      for await (const _ of aborted) aborter.abort(new Error('enough'));
    })(),
  ).rejects.toThrow('enough');
  for await (const _ of session.respond('Story!', { toolChoice: 'none' })) break;
  expect(await session.prompt('Story!', { maxTokens: 3 })).not.toBe('');
  session.destroy();
});

const THINKS = `{% for m in messages %}<|im_start|>{{ m.role }}
{% if m.role == 'assistant' and m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% if enable_thinking is not defined or enable_thinking %}<think>
{% endif %}{% endif %}`;

describe('a model that thinks', () => {
  let thinker;
  beforeAll(async () => {
    const set = { 'tokenizer.chat_template': ['string', THINKS] };
    thinker = await loadModel(editModel(readFileSync(DEMO), { set }));
  });
  afterAll(() => thinker.dispose());

  test.each([0, 5, 20])('thinks %i tokens at most, and is held behind that', async (budget) => {
    const session = await thinker.createSession();
    const constraint = { type: 'choice', options: ['yes', 'no'] };
    const stream = session.respond('Well?', { thinking: { budget }, constraint, seed: 3 });
    const parts = await all(stream);
    const { text, reasoning, reasoningTokens } = await stream.result;
    expect(['yes', 'no']).toContain(text);
    // And the letters of the end of the thought, for which this vocabulary has no token.
    expect(reasoningTokens).toBeLessThanOrEqual(budget + 8);
    expect(parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')).toBe(
      reasoning ?? '',
    );
    expect((await session.messages()).at(-1)).toEqual({
      role: 'assistant',
      content: text,
      ...(reasoning === undefined ? {} : { reasoning }),
    });
    session.destroy();
  });

  test('is not asked to', async () => {
    const session = await thinker.createSession();
    const stream = session.respond('Well?', { thinking: false, maxTokens: 6, seed: 3 });
    const parts = await all(stream);
    expect(parts.some(({ type }) => type === 'reasoning')).toBe(false);
    expect(textOf(parts)).not.toBe('');
    session.destroy();
  });
});

test('whatever the weights, nothing but calls comes out', async () => {
  for (const seed of [1, 2, 3]) {
    const random = await loadModel(makeModel({ seed }));
    const session = await random.createSession({ tools: [DICE, NAMES] });
    for (let i = 0; i < 4; i++) {
      const options = { toolChoice: 'required', parallelToolCalls: i % 2 === 0, seed: i };
      const stream = session.respond(`${i}`, { ...options, temperature: 1, maxTokens: 120 });
      const parts = await all(stream);
      const { toolCalls } = await stream.result;
      expect(textOf(parts)).toBe('');
      for (const { name, arguments: given } of toolCalls) {
        if (name === 'roll_dice') expect(validate(given)).toBe(true);
        else expect([name, given]).toEqual(['names', {}]);
      }
    }
    await random.dispose();
  }
});

test.each([
  [{ tools: [{ name: 'two words' }] }, 'must be 1 to 128 letters'],
  [{ tools: [NAMES, NAMES] }, 'two tools are called names'],
  [{ tools: 'names' }, 'tools must be an array'],
  [{ toolChoice: 'sometimes' }, 'toolChoice must be'],
  [{ parallelToolCalls: 1 }, 'parallelToolCalls must be'],
  [{ thinking: 'hard' }, 'thinking must be'],
  [{ thinking: { budget: -1 } }, 'budget must be'],
  [{ toolchoice: 'auto' }, 'toolChoice'],
])('%j is refused', async (options, words) => {
  const session = await model.createSession();
  await expect((async () => all(session.respond('x', options)))()).rejects.toThrow(words);
  expect(await session.messages()).toEqual([]);
  session.destroy();
});

test.each([
  [{ role: 'user', content: '', toolCalls: [] }, 'toolCalls'],
  [{ role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'b' }] }, 'arguments'],
  [{ role: 'assistant', content: '', toolCalls: [{ name: 'b', arguments: {} }] }, 'id'],
  [{ role: 'user', content: '', reasoning: 'x' }, 'reasoning'],
  [{ role: 'user', content: '', toolCallId: 'x' }, 'toolCallId'],
  [{ role: 'tool', content: '', name: 3 }, 'name'],
])('%j is no message', async (message, words) => {
  const session = await model.createSession();
  await expect(session.append([message])).rejects.toThrow(words);
  session.destroy();
});
