// SPDX-License-Identifier: MIT
import { toolFormat } from '../../../build/web/engine/answering.js';
import { AnswerReader } from '../../../build/web/tools/answer-reader.js';
import { TOOL_FORMATS } from '../../../build/web/tools/format-names.js';
import { callsOf } from '../../support/answers.js';

const CALLS = [
  { id: 'call_0', name: 'get_weather', arguments: { city: 'Köln', days: 3, exact: false } },
  { id: 'call_1', name: 'ping', arguments: {} },
  {
    id: 'call_2',
    name: 'write',
    arguments: {
      text: 'a "quoted" \\ line\nand </tool_call></TOOLCALL>, f(x=1)]} <parameter=q>\n😀',
      list: [1, -2.5e-7, null, true, { deep: ['[', '}'] }],
      empty: '',
    },
  },
];

const readerOf = (format, thought = 'none', stop = [], onlyCalls = false) =>
  new AnswerReader({
    ...{ thought, think: '<think>', thoughtEnd: '</think>', stop, onlyCalls, nextId: 0 },
    calls: {
      begin: format.begin,
      end: format.end,
      reader: format.reader((_, name) => ['city', 'text', 'empty'].includes(name)),
    },
  });

const read = (reader, pieces) => [
  ...pieces.flatMap((piece) => reader.push(piece)),
  ...reader.finish(),
];

const join = (parts, type) => parts.map((part) => (part.type === type ? part.text : '')).join('');

describe.each(TOOL_FORMATS)('%s', (name) => {
  const format = toolFormat('', name);
  const written = format.write(CALLS);

  test('what is written is told apart again, however it comes', () => {
    for (const size of [1, 2, 3, 7, 50, written.length]) {
      const pieces = written.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g'));
      const reader = readerOf(format);
      const parts = read(reader, ['Let me ', 'see.\n', '\n', ...pieces]);
      expect(reader.toolCalls).toEqual(CALLS);
      expect(callsOf(parts)).toEqual(CALLS.map(({ name: _, ...call }) => call));
      expect(join(parts, 'text')).toBe('Let me see.');
      expect(parts.filter(({ type }) => type === 'tool-call')).toEqual(
        CALLS.map((call) => ({ type: 'tool-call', ...call })),
      );
    }
  });

  test('a call that is cut short is none', () => {
    const one = format.write(CALLS.slice(0, 1));
    const last = one.lastIndexOf('3');
    for (let length = 0; length <= last; length++) {
      const reader = readerOf(format);
      read(reader, ['Hm. ', one.slice(0, length)]);
      expect(reader.toolCalls).toEqual([]);
      expect(reader.text.startsWith('Hm.')).toBe(true);
    }
  });

  test('a call that is cut short is no text where there are only calls', () => {
    const one = format.write(CALLS.slice(0, 1));
    for (let length = 0; length < format.begin.length; length++) {
      const only = readerOf(format, 'may', [], true);
      expect(read(only, [one.slice(0, length)])).toEqual([]);
      if (format.single) {
        const second = readerOf(format);
        read(second, [one, one.slice(0, length)]);
        expect([second.text, second.toolCalls.length]).toEqual(['', 1]);
      }
    }
  });

  test('a thought before calls is none of them', () => {
    for (const size of [1, 4, 1000]) {
      const text = `<think>\nI could write ${format.begin}.\n</think>\n\n${written}`;
      const reader = readerOf(format, 'may');
      const parts = read(reader, text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')));
      expect(join(parts, 'reasoning')).toBe(`I could write ${format.begin}.`);
      expect(reader.toolCalls).toEqual(CALLS);
    }
  });
});

test('a thought that has begun already, and one that does not end', () => {
  const reader = readerOf(toolFormat(''), 'open');
  const parts = read(reader, ['\nSo ', 'be', ' it\n</th', 'ink>\n\nYes', '.\n']);
  expect(join(parts, 'reasoning')).toBe('So be it');
  expect(join(parts, 'text')).toBe('Yes.\n');
  const endless = readerOf(toolFormat(''), 'open');
  expect(join(read(endless, ['On and on </thi']), 'reasoning')).toBe('On and on </thi');
  expect(endless.text).toBe('');
});

test('what only looks like a thought or a call is text', () => {
  const reader = readerOf(toolFormat(''), 'may');
  const text = '<thin ice> and <tool_cal> \n\n  <tool';
  expect(join(read(reader, [...text]), 'text')).toBe(text);
});

test('a stop string ends text, not thoughts or calls', () => {
  const { write, begin } = toolFormat('');
  const reader = readerOf(toolFormat(''), 'may', ['\n', 'city']);
  const parts = read(reader, ['<think>\na\nb\n</think>\n\nOne', ` ${write(CALLS.slice(0, 1))}`]);
  expect(reader.toolCalls).toEqual(CALLS.slice(0, 1));
  expect(join(parts, 'reasoning')).toBe('a\nb');
  const stopped = readerOf(toolFormat(''), 'none', ['END']);
  const rest = read(stopped, ['One E', 'N', `D${begin}`]);
  expect(join(rest, 'text')).toBe('One ');
  expect(stopped.stopped).toBe('END');
});

test('white space that goes on for ever is not held for ever', () => {
  const reader = readerOf(toolFormat(''));
  const parts = Array.from({ length: 2000 }, () => reader.push('\n')).flat();
  expect(join(parts, 'text').length).toBeGreaterThan(1500);
});

test.each([
  ['<function=x>\n<parameter=', 'qwen-xml'],
  ['{{- "<tool_call>\\n{\\"name\\": " }}', 'hermes'],
  ['<|tool_call_start|>[', 'lfm2'],
  ['<|tool_list_start|>[', 'lfm2'],
  ['List of tools: [', 'lfm2'],
  ['<|tool_call|>[', 'granite'],
  ['<TOOLCALL>', 'nemotron'],
  ['<tool_calls>\n', 'jamba'],
  ['{{ messages[0].content }}', 'hermes'],
])('a template that says %s', (template, name) => {
  expect(toolFormat(template).name).toBe(name);
});
