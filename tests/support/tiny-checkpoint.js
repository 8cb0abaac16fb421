// SPDX-License-Identifier: MIT
// A checkpoint of an LFM2 of two layers: a convolution, and attention.
import { safetensors, tensorOf } from './safetensors.js';

const DIM = 16;
const VOCAB = 32;
const FEED_FORWARD = 48;

/** config.json of it. */
export const tinyConfig = {
  ...{ model_type: 'lfm2', hidden_size: DIM, num_hidden_layers: 2, vocab_size: VOCAB },
  ...{ num_attention_heads: 4, num_key_value_heads: 2, max_position_embeddings: 256 },
  ...{ layer_types: ['conv', 'full_attention'], conv_L_cache: 3, norm_eps: 1e-5 },
  ...{ rope_theta: 10000, tie_word_embeddings: true, intermediate_size: FEED_FORWARD },
};

/**
 * Its tensors, of values that are the same each time.
 *
 * @param {string} dtype of all of them
 * @returns {Record<string, { shape: number[], dtype?: string, bytes: Uint8Array }>}
 */
export function tinyTensors(dtype = 'F32') {
  let state = 1;
  const next = () => {
    state = (state * 48271) % 2147483647;
    return (state / 2147483647 - 0.5) / 2;
  };
  const tensors = {};
  const add = (name, ...shape) => {
    const values = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, next);
    tensors[name] = tensorOf(
      shape,
      name.includes('norm') ? values.map((v) => v + 1) : values,
      dtype,
    );
  };
  add('model.embed_tokens.weight', VOCAB, DIM);
  add('model.embedding_norm.weight', DIM);
  for (const [i, prefix] of ['model.layers.0.', 'model.layers.1.'].entries()) {
    add(`${prefix}feed_forward.w1.weight`, FEED_FORWARD, DIM);
    add(`${prefix}feed_forward.w2.weight`, DIM, FEED_FORWARD);
    add(`${prefix}feed_forward.w3.weight`, FEED_FORWARD, DIM);
    add(`${prefix}ffn_norm.weight`, DIM);
    add(`${prefix}operator_norm.weight`, DIM);
    if (i === 0) {
      add(`${prefix}conv.conv.weight`, DIM, 1, 3);
      add(`${prefix}conv.in_proj.weight`, 3 * DIM, DIM);
      add(`${prefix}conv.out_proj.weight`, DIM, DIM);
      continue;
    }
    add(`${prefix}self_attn.q_layernorm.weight`, 4);
    add(`${prefix}self_attn.k_layernorm.weight`, 4);
    add(`${prefix}self_attn.q_proj.weight`, DIM, DIM);
    add(`${prefix}self_attn.k_proj.weight`, DIM / 2, DIM);
    add(`${prefix}self_attn.v_proj.weight`, DIM / 2, DIM);
    add(`${prefix}self_attn.out_proj.weight`, DIM, DIM);
  }
  return tensors;
}

/**
 * Tensors in several files, with the index of them.
 *
 * @returns {Record<string, Buffer>} by name
 */
export function sharded(tensors, count) {
  const names = Object.keys(tensors);
  const files = {};
  const weight_map = {};
  for (let i = 0; i < count; i++) {
    const file = `model-0000${i + 1}-of-0000${count}.safetensors`;
    const own = names.filter((_, at) => at % count === i);
    files[file] = safetensors(Object.fromEntries(own.map((name) => [name, tensors[name]])));
    for (const name of own) weight_map[name] = file;
  }
  const index = { metadata: { total_size: 1 }, weight_map };
  files['model.safetensors.index.json'] = Buffer.from(JSON.stringify(index));
  return files;
}
