// SPDX-License-Identifier: MIT
import { ChatTemplate } from '../../../build/web/text/chat-template.js';

const tokenizer = {
  bosToken: 0,
  eosToken: 0,
  text: () => '<s>',
  controlTexts: () => ['<s>'],
  definedTexts: () => [],
};
const of = (template, model = 'rwkv') => {
  const metadata = new Map([['tokenizer.ggml.model', model]]);
  if (template !== undefined) metadata.set('tokenizer.chat_template', template);
  return ChatTemplate.fromMetadata(metadata, tokenizer);
};
const world = of();
const user = (content) => ({ role: 'user', content });
const assistant = (content) => ({ role: 'assistant', content });
const ask = (messages, thinking) => world.render(messages, { addGenerationPrompt: true, thinking });

test('a chat is paragraphs of speakers', () => {
  expect(ask([user('Hello!')])).toBe('<s>User: Hello!\n\nAssistant:');
  const messages = [
    { role: 'system', content: 'Be brief.' },
    user('A'),
    assistant(' B'),
    user('C'),
  ];
  expect(ask(messages)).toBe(
    '<s>System: Be brief.\n\nUser: A\n\nAssistant: B\n\nUser: C\n\nAssistant:',
  );
  expect(world.render(messages, { addGenerationPrompt: false })).toMatch(/User: C\n\n$/);
});

test('questions have no blank lines, answers keep theirs', () => {
  expect(ask([user('\na\n\n\nb\r\n\r\nc\n')])).toBe('<s>User: a\nb\nc\n\nAssistant:');
  expect(ask([user('a'), assistant(' b\n\nc\n'), user('d')])).toContain(
    'Assistant: b\n\nc\n\nUser',
  );
});

test('answers begin with thoughts or without, and earlier thoughts are left out', () => {
  expect(ask([user('a')], true)).toMatch(/\n\nAssistant: <think>$/);
  expect(ask([user('a')], false)).toMatch(/\n\nAssistant: <think>\n<\/think>$/);
  expect(ask([user('a'), assistant(' <think>hm</think>\nb'), user('c')])).toContain(
    'Assistant: b\n',
  );
});

test('an answer ends where the next question begins', () => {
  expect(world.stops).toEqual(['\n\nUser:']);
  expect(of('{{ messages[0].content }}').stops).toEqual(['\n\nUser:']);
  expect(of('{{ messages[0].content }}', 'gpt2').stops).toEqual([]);
});

test('a template of the file goes first, but for the name that old converters wrote', () => {
  expect(of('x{{ messages[0].content }}').render([user('a')], { addGenerationPrompt: true })).toBe(
    'xa',
  );
  expect(of('rwkv-world').render([user('a')], { addGenerationPrompt: true })).toBe(
    ask([user('a')]),
  );
  expect(of(undefined, 'gpt2')).toBeUndefined();
});

test('what a tool gives is said by the user', () => {
  expect(ask([{ role: 'tool', content: 'x' }])).toBe(
    '<s>User: <tool_response>\nx\n</tool_response>\n\nAssistant:',
  );
});
