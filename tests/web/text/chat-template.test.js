// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ModelError } from '../../../build/web/errors.js';
import { ChatTemplate } from '../../../build/web/text/chat-template.js';

const tokens = ['<s>', '</s>'];
const tokenizer = {
  bosToken: 0,
  eosToken: 1,
  text: (id) => tokens[id],
  controlTexts: () => tokens,
  definedTexts: () => [],
};
const template = (source, parts = tokenizer) =>
  ChatTemplate.fromMetadata(new Map([['tokenizer.chat_template', source]]), parts);
const render = async (source, messages, options = { addGenerationPrompt: true }) =>
  (await template(source)).render(messages, options);

async function failure(work) {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error');
}

const user = (content) => ({ role: 'user', content });
const assistant = (content) => ({ role: 'assistant', content });
const system = (content) => ({ role: 'system', content });
const tool = (content) => ({ role: 'tool', content });

describe('a template in the manner of Qwen3.5', () => {
  const path = new URL('../../golden/tokenizer/qwen3_5.jinja', import.meta.url);
  let qwen;
  beforeAll(async () => {
    qwen = await template(readFileSync(fileURLToPath(path), 'utf8'));
  });
  const ask = (messages, thinking) =>
    qwen.render(messages, { addGenerationPrompt: true, thinking });
  const hi = '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n';

  test.each([
    [true, `${hi}<think>\n`],
    [false, `${hi}<think>\n\n</think>\n\n`],
    [undefined, `${hi}<think>\n`],
  ])('with thinking %s begins the answer so', (thinking, expected) => {
    expect(ask([user('  Hi\n')], thinking)).toBe(expected);
  });

  test('renders system and earlier turns, without earlier thoughts', () => {
    const messages = [
      system(' Be brief. '),
      user('One?'),
      assistant('<think>\nhm\n</think>\n\nOne.'),
      user('Two?'),
    ];
    expect(ask(messages, false)).toBe(
      '<|im_start|>system\nBe brief.<|im_end|>\n' +
        '<|im_start|>user\nOne?<|im_end|>\n' +
        '<|im_start|>assistant\nOne.<|im_end|>\n' +
        '<|im_start|>user\nTwo?<|im_end|>\n' +
        '<|im_start|>assistant\n<think>\n\n</think>\n\n',
    );
  });

  test('keeps the thoughts after the last question, and joins the results of tools', () => {
    const messages = [
      user('Go'),
      assistant('<think>\nuse it\n</think>\n\ncall'),
      tool('1'),
      tool('2'),
    ];
    expect(ask(messages)).toBe(
      '<|im_start|>user\nGo<|im_end|>\n' +
        '<|im_start|>assistant\n<think>\nuse it\n</think>\n\ncall<|im_end|>\n' +
        '<|im_start|>user\n<tool_response>\n1\n</tool_response>\n<tool_response>\n2\n</tool_response><|im_end|>\n' +
        '<|im_start|>assistant\n<think>\n',
    );
  });

  test('ends with the last turn when no answer is to follow', () => {
    const text = qwen.render([user('Hi')], { addGenerationPrompt: false });
    expect(text).toBe('<|im_start|>user\nHi<|im_end|>\n');
  });

  test.each([
    [[], 'No messages provided.'],
    [[user('a'), system('late')], 'System message must be at the beginning.'],
    [[assistant('a')], 'No user query found in messages.'],
  ])('refuses %j in its own words', async (messages, words) => {
    const error = await failure(() => ask(messages));
    expect([error.name, error.code]).toEqual(['ModelError', 'chat_template']);
    expect(error.message).toContain(words);
  });
});

test('knows the tokens of the model, or that there are none', async () => {
  const source = '{{ bos_token }}|{{ eos_token }}';
  expect(await render(source, [])).toBe('<s>|</s>');
  const bare = await template(source, {
    bosToken: undefined,
    eosToken: undefined,
    text: () => 'x',
    controlTexts: () => [],
    definedTexts: () => [],
  });
  expect(bare.render([], { addGenerationPrompt: false })).toBe('|');
});

test('passes thinking only when given, and no tools', async () => {
  const source =
    '{{ enable_thinking is defined }} {{ tools is defined }} {{ true if tools else false }}';
  expect((await render(source, [])).toLowerCase()).toBe('false false false');
  const given = await render(source, [], { addGenerationPrompt: true, thinking: false });
  expect(given.toLowerCase()).toBe('true false false');
});

test('tells the time to templates that ask', async () => {
  const year = await render("{{ strftime_now('%Y') }}", []);
  expect(Math.abs(Number(year) - new Date().getFullYear())).toBeLessThanOrEqual(1);
});

test('keeps text that looks like a template as it is', async () => {
  const content = '{{ 7 * 6 }} {% raw %} <|im_end|> \u0000 😀 \' " \\n';
  expect(await render('{{ messages[0].content }}', [user(content)])).toBe(content);
});

test('a file without a template has none', async () => {
  expect(await ChatTemplate.fromMetadata(new Map(), tokenizer)).toBeUndefined();
});

test.each(['{% if %}', '{{ ', '{% for x in y %}', 7])(
  '%j is a chat_template error',
  async (source) => {
    const error = await failure(() => template(source));
    expect(error).toBeInstanceOf(ModelError);
    expect([error.code, error.subject]).toEqual(['chat_template', 'tokenizer.chat_template']);
  },
);

test.each([
  '{{ messages.nothing() }}',
  '{{ messages[0].content | no_such_filter }}',
  "{{ raise_exception('no') }}",
])('%s fails as a chat_template error when rendered', async (source) => {
  expect((await failure(() => render(source, [user('a')]))).code).toBe('chat_template');
});

test.each([
  [[{ role: 'robot', content: 'a' }]],
  [[{ role: 'user', content: 7 }]],
  [[{ role: 'user' }]],
])('%j is no conversation', async (messages) => {
  await expect(render('x', messages)).rejects.toThrow(TypeError);
});
