// SPDX-License-Identifier: MIT
import { jest } from '@jest/globals';
import Ajv from 'ajv/dist/2020.js';
import { toolFormat } from '../../../build/web/engine/answering.js';
import { TOOL_FORMATS } from '../../../build/web/tools/format-names.js';
import { callsOf, drawAnswer, open } from '../../support/answers.js';
import { randomNumbers } from '../../support/byte-level.js';
import { makeTokenizer, randomSchema } from '../../support/constrained-text.js';

jest.setTimeout(100_000);

const tokenizer = makeTokenizer(420, {
  more: [
    ...['<tool_call>', '<TOOLCALL>', '<tool_calls>', '</think>', '{"name": "', 'parameter'].map(
      (text) => [text, 4],
    ),
    ...['<|tool_call_start|>', '<|tool_call_end|>', '<|tool_call|>', '<|user|>'].map((text) => [
      text,
      3,
    ]),
  ],
});
const ajv = () => new Ajv({ strict: false, logger: false });
const THINKS = '{% if "</think>" %}';

/** Tools of random schemas, whose names any format can write. */
function randomTools(random, count) {
  return Array.from({ length: count }, (_, i) => {
    const names = ['a', 'city', 'list_of'].slice(0, 1 + Math.floor(random() * 3));
    const properties = Object.fromEntries(names.map((name) => [name, randomSchema(random, 2)]));
    const required = names.filter(() => random() < 0.5);
    return {
      name: `tool_${i}`,
      parameters: { type: 'object', properties, required, additionalProperties: false },
    };
  });
}

// 167 of each format.
describe.each(TOOL_FORMATS)('%s', (format) => {
  test('of a thousand random schemas, nothing but calls comes out', async () => {
    const random = randomNumbers(11);
    let [calls, schemas, unfinished] = [0, 0, 0];
    while (schemas < 167) {
      const tools = randomTools(random, 1 + (schemas % 2));
      schemas += tools.length;
      const validators = new Map(
        tools.map(({ name, parameters }) => [name, ajv().compile(parameters)]),
      );
      const named = schemas % 3 === 0;
      const choice = named ? { name: 'tool_0' } : 'required';
      const asked = { tools, format, choice, parallel: random() < 0.5 };
      let drawn;
      try {
        drawn = await drawAnswer(tokenizer, asked, random);
      } catch (error) {
        // Some schemas allow nothing.
        expect(error).toBeInstanceOf(RangeError);
        continue;
      }
      const { parts, reader, whole, tokens } = drawn;
      if (!whole) {
        unfinished++;
        continue;
      }
      expect(parts.every(({ type }) => type.startsWith('tool-call'))).toBe(true);
      expect(reader.toolCalls.length).toBeGreaterThan(0);
      if (named || !asked.parallel) expect(reader.toolCalls).toHaveLength(1);
      for (const call of reader.toolCalls) {
        const validate = validators.get(call.name);
        const isValid = validate(call.arguments);
        if (!isValid)
          throw new Error(`${tokenizer.decode(tokens)}: ${ajv().errorsText(validate.errors)}`);
      }
      const deltas = callsOf(parts).map((call) => call.arguments);
      expect(deltas).toEqual(reader.toolCalls.map((call) => call.arguments));
      calls += reader.toolCalls.length;
    }
    expect(calls).toBeGreaterThan(40);
    expect(unfinished).toBeLessThan(40);
  });

  test('auto is free until it calls, none never does', async () => {
    const random = randomNumbers(5);
    const [tool] = randomTools(randomNumbers(2), 1);
    const tools = [{ ...tool, parameters: undefined }];
    let called = 0;
    for (let i = 0; i < 20; i++) {
      const favour = tokenizer.idOf(toolFormat('', format).begin);
      const asked = { tools, format, choice: 'auto' };
      const auto = await drawAnswer(tokenizer, asked, random, { favour });
      called += auto.reader.toolCalls.length;
      const none = await drawAnswer(tokenizer, { tools, format, choice: 'none' }, random);
      expect(none.parts.every(({ type }) => type === 'text')).toBe(true);
    }
    expect(called).toBeGreaterThan(10);
  });
});

test('a model that thinks first is held behind its thought', async () => {
  const random = randomNumbers(3);
  const tools = randomTools(randomNumbers(4), 2);
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const constraint = { type: 'json_schema', schema };
  const validate = ajv().compile(schema);
  for (let i = 0; i < 30; i++) {
    const thought = i % 2 === 0 ? { text: '<think>\n' } : { template: THINKS };
    const called = { ...thought, tools, choice: 'required', budget: 20 };
    const { reader, whole } = await drawAnswer(tokenizer, called, random);
    if (whole) expect(reader.toolCalls.length).toBeGreaterThan(0);
    if (whole) expect(reader.text).toBe('');
    const held = await drawAnswer(tokenizer, { ...thought, constraint, budget: 9 }, random);
    if (held.whole) expect(validate(JSON.parse(held.reader.text))).toBe(true);
  }
});

test.each([0, 1, 7, 30])('a thought has at most %i tokens', async (budget) => {
  const random = randomNumbers(6);
  for (let i = 0; i < 12; i++) {
    const { reading, constraint } = await open(tokenizer, { text: '<think>', budget });
    const bits = new Int32Array((tokenizer.vocabSize + 31) >> 5);
    let tokens = 0;
    let forced = 0;
    const close = tokenizer.idOf('</think>');
    while (reading.reader.thinks) {
      constraint.write(bits);
      const allowed = [];
      for (let id = 0; id < tokenizer.vocabSize; id++) {
        if ((bits[id >> 5] >>> (id & 31)) & 1) allowed.push(id);
      }
      const free = allowed.filter((id) => id !== close && tokens < budget);
      const id = free.length > 0 ? free[Math.floor(random() * free.length)] : close;
      if (tokens >= budget) forced++;
      // A character that is half written is completed first.
      const next = allowed.includes(id) ? id : allowed[0];
      constraint.read(next);
      reading.reader.push(tokenizer.decode([next]));
      tokens++;
      if (tokens > budget + 12) throw new Error('it thinks on');
    }
    expect(forced).toBeGreaterThan(0);
  }
});

test('control tokens that mark calls are not their letters', async () => {
  const [tool] = randomTools(randomNumbers(2), 1);
  const { reading, constraint } = await open(tokenizer, {
    tools: [{ name: tool.name }],
    format: 'lfm2',
    choice: 'required',
  });
  const bits = new Int32Array((tokenizer.vocabSize + 31) >> 5);
  constraint.write(bits);
  const id = tokenizer.idOf('<|tool_call_start|>');
  const allowed = [];
  for (let one = 0; one < tokenizer.vocabSize; one++) {
    if ((bits[one >> 5] >>> (one & 31)) & 1) allowed.push(one);
  }
  expect(allowed).toEqual([id]);
  expect(reading.reader.push('<|tool_call_start|>[')).toEqual([
    { type: 'text', text: '<|tool_call_start|>[' },
  ]);
});

test.each([
  [{ choice: 'required' }, TypeError, 'there are no tools'],
  [{ choice: { name: 'x' }, tools: [{ name: 'y' }] }, TypeError, 'names x'],
  [{ choice: 'often' }, TypeError, "'auto', 'required'"],
  [
    { tools: [{ name: 'y', parameters: { type: 'string' } }] },
    TypeError,
    'the tool y: its parameters must be a schema of an object',
  ],
  [
    {
      tools: [{ name: 'y', parameters: { type: 'object', properties: { 'a>b': {} } } }],
      format: 'qwen-xml',
    },
    TypeError,
    'cannot stand in a tag',
  ],
  [
    {
      tools: [{ name: 'y', parameters: { type: 'object', properties: { 'a b': {} } } }],
      format: 'lfm2',
    },
    TypeError,
    'no name in Python',
  ],
  [
    {
      tools: [
        { name: 'y', parameters: { type: 'object', properties: { a: false }, required: ['a'] } },
      ],
      choice: 'required',
    },
    RangeError,
    'none can be called',
  ],
])('%j is refused', async (asked, Kind, words) => {
  const failure = await open(tokenizer, asked).catch((error) => error);
  expect(failure).toBeInstanceOf(Kind);
  expect(failure.message).toContain(words);
});
