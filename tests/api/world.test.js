// SPDX-License-Identifier: MIT
// Chats with RWKV World's tokenizer and form, by a random model that is given that vocabulary.

import { editModel } from './edit-model.js';
import { collect, linearModel, loadModel } from './models.js';

const hex = (byte) => `\\x${byte.toString(16).padStart(2, '0')}`;
const texts = [
  '<s>',
  ...Array.from({ length: 256 }, (_, byte) => hex(byte)),
  '\\n\\n',
  'User',
  ' x',
];
const [STRING, INT] = ['string', 'int32'];
const bytes = editModel(linearModel(), {
  set: {
    'tokenizer.ggml.model': [STRING, 'rwkv'],
    'tokenizer.ggml.tokens': ['array', texts, STRING],
    'tokenizer.ggml.token_type': ['array', texts.map((_, id) => (id === 0 ? 3 : 1)), INT],
    'tokenizer.ggml.bos_token_id': ['uint32', 0],
    'tokenizer.ggml.eos_token_id': ['uint32', 0],
    'tokenizer.ggml.eot_token_id': ['uint32', 257],
  },
  drop: ['tokenizer.chat_template', 'tokenizer.ggml.merges', 'tokenizer.ggml.pre'],
});

let model;
beforeAll(async () => {
  model = await loadModel(bytes);
});
afterAll(() => model.dispose());

test('text is the longest tokens from left to right', async () => {
  expect(await model.tokenize('\n\n\nUser x')).toEqual([257, 11, 258, 259]);
  expect(await model.detokenize([257, 11, 258, 259])).toBe('\n\n\nUser x');
});

test('an answer goes on over blank lines and ends where a question would begin', async () => {
  const session = await model.createSession();
  const constraint = /one\n\ntwo\n\nUser: three/;
  const stream = session.promptStreaming('Hello.', { constraint, seed: 1 });
  const { text, stopString, finishReason } = await collect(stream);
  expect([text, stopString, finishReason]).toEqual(['one\n\ntwo', '\n\nUser:', 'stop']);
  // The next question goes on from what was written of it.
  const held = session.contextUsage;
  const next = '<s>User: Hello.\n\nAssistant: one\n\ntwo\n\nUser: And?\n\nAssistant:';
  const answer = session.promptStreaming('And?', { maxTokens: 3 });
  const { promptTokens } = await collect(answer);
  expect(session.contextUsage).toBeGreaterThan(held);
  expect((await model.tokenize(next)).slice(-promptTokens.length)).toEqual(promptTokens);
});
