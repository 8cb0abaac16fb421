// SPDX-License-Identifier: MIT
// Chats and constraints with SentencePiece's alphabet, by a random model that is given one.

import { editModel } from './edit-model.js';
import { collect, linearModel, loadModel } from './models.js';

const hex = (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
const bytes = Array.from({ length: 256 }, hex);
const words = ['▁', 'h', 'i', 'hi', '▁hi', '{', '}', '"', ':', '▁{', '▁"', '"a', '[', ']'];
const texts = ['<unk>', '<s>', '</s>', ...bytes, ...words];
const kinds = [2, 3, 3, ...bytes.map(() => 6), ...words.map(() => 1)];
const model = await loadModel(
  editModel(linearModel(), {
    set: {
      'tokenizer.ggml.model': ['string', 'llama'],
      'tokenizer.ggml.tokens': ['array', texts, 'string'],
      'tokenizer.ggml.scores': ['array', texts.map((_, id) => -id), 'float32'],
      'tokenizer.ggml.token_type': ['array', kinds, 'int32'],
      'tokenizer.ggml.bos_token_id': ['uint32', 1],
      'tokenizer.ggml.eos_token_id': ['uint32', 2],
      'tokenizer.ggml.add_bos_token': ['bool', true],
      'tokenizer.chat_template': [
        'string',
        '{{ bos_token }}{% for m in messages %}[{{ m.content }}]{% endfor %}',
      ],
    },
    drop: ['tokenizer.ggml.merges', 'tokenizer.ggml.pre'],
  }),
);
afterAll(() => model.dispose());
const named = (ids) => ids.map((id) => texts[id]);

test('a text comes back without the space that is put before it', async () => {
  const ids = await model.tokenize('hi hi ü');
  expect(named(ids)).toEqual(['<s>', '▁hi', '▁hi', '▁', '<0xC3>', '<0xBC>']);
  expect(await model.detokenize(ids, { special: false })).toBe('hi hi ü');
});

test('what a chat goes on with has no space put before it', async () => {
  const session = await model.createSession();
  const first = await collect(session.promptStreaming('hi', { constraint: /hi hi/, seed: 3 }));
  expect(named(first.promptTokens)).toEqual(['<s>', '▁', '[', 'hi', ']']);
  expect(first.text).toBe('hi hi');
  const next = await collect(session.promptStreaming('hi', { maxTokens: 1 }));
  // After the end of the first question, a token of text.
  expect(named(next.promptTokens)).toEqual(['[', 'hi', '▁hi', ']', '[', 'hi', ']']);
});

test('a constraint is kept by bytes and by words', async () => {
  const schema = { type: 'object', properties: { a: { const: 'ü hi' } }, required: ['a'] };
  const constraint = { type: 'json_schema', schema: { ...schema, additionalProperties: false } };
  const { text } = await collect(model.generate('hi', { constraint, seed: 5, maxTokens: 100 }));
  expect(JSON.parse(text)).toEqual({ a: 'ü hi' });
});
