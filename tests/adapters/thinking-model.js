// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { openGguf } from '../../tools/gguf/reader.mjs';
import { makeModel } from '../../tools/make-model.mjs';
import { editModel } from '../api/edit-model.js';
import { DEMO } from '../api/models.js';

const TEMPLATE = `{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}<|im_end|>
{% endfor %}<|im_start|>assistant
{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% else %}<think>
{% endif %}`;

/** The small story model with a template that makes it think before it answers, unless it is not to. */
export const thinkingModel = () =>
  editModel(readFileSync(DEMO), { set: { 'tokenizer.chat_template': ['string', TEMPLATE] } });

const BRIEF_TEMPLATE = [
  '{% for message in messages %}<|im_start|>{{ message.role }}',
  '{{ message.content }}<|im_end|>',
  '{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant',
  '<think>',
  '{% if enable_thinking is defined and not enable_thinking %}',
  '</think>',
  '',
  '{% endif %}{% endif %}',
].join('\n');

const USER_DEFINED = 4;

/**
 * A small random model that begins its answers with a thought. Its last word of the vocabulary is the
 * end of one, which it draws after some hundred tokens: a vocabulary of this size has no such token.
 */
export function brieflyThinkingModel() {
  const model = makeModel({ shape: { layers: 3, fullAttentionInterval: 0 } });
  const { metadata } = openGguf(model);
  const listOf = (key) => [...metadata.get(`tokenizer.ggml.${key}`).value];
  const [tokens, types, merges] = ['tokens', 'token_type', 'merges'].map(listOf);
  const end = tokens.indexOf(merges.pop().replace(' ', ''));
  tokens[end] = '</think>';
  types[end] = USER_DEFINED;
  return editModel(model, {
    set: {
      'tokenizer.chat_template': ['string', BRIEF_TEMPLATE],
      'tokenizer.ggml.tokens': ['array', tokens, 'string'],
      'tokenizer.ggml.token_type': ['array', types, 'int32'],
      'tokenizer.ggml.merges': ['array', merges, 'string'],
    },
  });
}
