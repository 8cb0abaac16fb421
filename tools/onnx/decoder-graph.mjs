// SPDX-License-Identifier: MIT
//
// The graph of a Qwen3.5 text model, of the operators that its published ONNX files are made of:
// ONNX Runtime's own for linear attention, short convolutions, softmax attention and products with
// 4-bit weights.

import { isFullAttention } from '../gguf/qwen35-shapes.mjs';
import { LayerBuilder } from './layer-builder.mjs';

/**
 * @import { Qwen35Shape } from '../gguf/qwen35-shapes.mjs'
 * @import { GraphBuilder } from './graph-builder.mjs'
 * @import { Value } from './model.js'
 * @import { Weights } from './weights.mjs'
 */

const kBatch = 'batch_size';
const kTokens = 'sequence_length';
const kAllTokens = 'total_sequence_length';
const kPast = 'past_sequence_length';
const kEnd = Number.MAX_SAFE_INTEGER;
// Positions whose rotations are in the file.
const kPositions = 8192;

/**
 * Rows of the embedding, and the states so far, to logits and the states after them.
 *
 * @param {GraphBuilder} graph
 * @param {Weights} weights
 * @param {Qwen35Shape} shape
 */
export function decoderGraph(graph, weights, shape) {
  const decoder = new Decoder(graph, weights, shape);
  for (let layer = 0; layer < shape.layers; layer++) decoder.layer(layer);
  return decoder.end();
}

class Decoder extends LayerBuilder {
  /** @type {Value[]} */
  #inputs;
  /** @type {Value[]} */
  #outputs = [];
  #shared;
  // What the layers before added up to, and what the last of them adds.
  #sum = 'inputs_embeds';
  /** @type {string | null} */
  #added = null;

  /**
   * @param {GraphBuilder} graph
   * @param {Weights} weights
   * @param {Qwen35Shape} shape
   */
  constructor(graph, weights, shape) {
    super(graph, weights, shape);
    this.#inputs = [
      ['inputs_embeds', [kBatch, kTokens, shape.modelDim]],
      ['attention_mask', [kBatch, kAllTokens], 'int64'],
      // Of time, height and width: of text all three are the same.
      ['position_ids', [3, kBatch, kTokens], 'int64'],
      ['num_logits_to_keep', [], 'int64'],
    ];
    this.#shared = this.#sharedByAttention();
  }

  /** @param {number} index */
  layer(index) {
    const block = `blk.${index}`;
    const input = this.#norm(`${block}.attn_norm.weight`);
    this.#added = isFullAttention(this.shape, index)
      ? this.#attention(index, block, input)
      : this.#gatedDelta(index, block, input);
    const { modelDim, feedForwardDim } = this.shape;
    const inner = this.#norm(`${block}.post_attention_norm.weight`);
    const gate = this.product(`${block}.ffn_gate.weight`, inner, modelDim, feedForwardDim);
    const up = this.product(`${block}.ffn_up.weight`, inner, modelDim, feedForwardDim);
    const gated = this.graph.op('Mul', [this.silu(gate), up]);
    this.#added = this.product(`${block}.ffn_down.weight`, gated, feedForwardDim, modelDim);
  }

  end() {
    const { modelDim, vocab, tied } = this.shape;
    const graph = this.graph;
    const hidden = this.#norm('output_norm.weight');
    // The last so many tokens; of 0 all.
    const start = graph.op('Reshape', [graph.op('Neg', ['num_logits_to_keep']), graph.whole([1])]);
    const kept = graph.op('Slice', [hidden, start, graph.whole([kEnd]), graph.whole([1])]);
    const head = tied ? 'token_embd.weight' : 'output.weight';
    this.product(head, kept, modelDim, vocab, 'logits');
    this.#outputs.unshift(['logits', [kBatch, 'num_logits_to_keep', vocab]]);
    return graph.model({ inputs: this.#inputs, outputs: this.#outputs });
  }

  #sharedByAttention() {
    const graph = this.graph;
    const { ropeBase, rotaryDim, contextLength } = this.shape;
    const positions = Math.min(kPositions, contextLength);
    const pairs = rotaryDim / 2;
    /** @type {(name: string, of: (angle: number) => number) => string} */
    const table = (name, of) =>
      this.weights.computed(
        name,
        [positions, pairs],
        Float32Array.from({ length: positions * pairs }, (_, i) =>
          of(Math.floor(i / pairs) * ropeBase ** (-(i % pairs) / pairs)),
        ),
      );
    const count = graph.op('ReduceSum', ['attention_mask', graph.whole([1])], { keepdims: 0 });
    const last = graph.op('Sub', [count, graph.whole([1])]);
    const all = graph.op('Gather', [graph.op('Shape', ['attention_mask']), graph.whole([1], [])]);
    return {
      positions: graph.op('Gather', ['position_ids', graph.whole([0], [])], { axis: 0 }),
      cosines: table('cos_cache', Math.cos),
      sines: table('sin_cache', Math.sin),
      lastOfSequence: graph.op('Cast', [last], { to: 6 }),
      allTokens: graph.op('Cast', [all], { to: 6 }),
    };
  }

  /** @type {(index: number, block: string, input: string) => string} */
  #attention(index, block, input) {
    const graph = this.graph;
    const { modelDim, queryHeads, keyValueHeads, headDim } = this.shape;
    const rows = queryHeads * headDim;
    const both = this.product(`${block}.attn_q.weight`, input, modelDim, 2 * rows);
    const [queries, gates] = this.split(this.heads(both, queryHeads, 2 * headDim), 3, [
      headDim,
      headDim,
    ]);
    const columns = keyValueHeads * headDim;
    const keys = this.product(`${block}.attn_k.weight`, input, modelDim, columns);
    const values = this.product(`${block}.attn_v.weight`, input, modelDim, columns);
    const query = this.headNorm(`${block}.attn_q_norm.weight`, queries, headDim);
    const key = this.headNorm(
      `${block}.attn_k_norm.weight`,
      this.heads(keys, keyValueHeads, headDim),
      headDim,
    );
    const cache = [kBatch, keyValueHeads, kPast, headDim];
    const after = [kBatch, keyValueHeads, kAllTokens, headDim];
    const { lastOfSequence, allTokens } = this.#shared;
    const [pastKey, presentKey] = this.#state(`key_values.${index}.key`, cache, after);
    const [pastValue, presentValue] = this.#state(`key_values.${index}.value`, cache, after);
    const read = `attention_${index}`;
    graph.microsoft(
      'GroupQueryAttention',
      [
        this.#rotated(this.flat(query, rows), queryHeads),
        this.#rotated(this.flat(key, columns), keyValueHeads),
        ...[values, pastKey, pastValue, lastOfSequence, allTokens],
      ],
      { num_heads: queryHeads, kv_num_heads: keyValueHeads },
      [read, presentKey, presentValue],
    );
    const open = graph.op('Sigmoid', [this.flat(gates, rows)]);
    const gated = graph.op('Mul', [read, open]);
    return this.product(`${block}.attn_output.weight`, gated, rows, modelDim);
  }

  /** @type {(index: number, block: string, input: string) => string} */
  #gatedDelta(index, block, input) {
    const graph = this.graph;
    const { modelDim, linearKeyHeads, linearValueHeads, linearHeadDim, convKernel } = this.shape;
    const keyRows = linearKeyHeads * linearHeadDim;
    const valueRows = linearValueHeads * linearHeadDim;
    const channels = 2 * keyRows + valueRows;
    /** @type {(name: string, rows: number) => string} */
    const product = (name, rows) => this.product(`${block}.${name}.weight`, input, modelDim, rows);
    /** @type {(name: string, shape: number[]) => string} */
    const weights = (name, shape) => this.weights.vector(`${block}.${name}`, shape);

    const mixed = graph.op('Transpose', [product('attn_qkv', channels)], { perm: [0, 2, 1] });
    const [pastConv, presentConv] = this.#state(`conv.${index}`, [
      kBatch,
      channels,
      convKernel - 1,
    ]);
    const convolved = `convolved_${index}`;
    graph.microsoft(
      'CausalConvWithState',
      [mixed, weights('ssm_conv1d.weight', [channels, 1, convKernel]), '', pastConv],
      { activation: 'silu' },
      [convolved, presentConv],
    );
    const rows = graph.op('Transpose', [convolved], { perm: [0, 2, 1] });
    const [query, key, value] = this.split(rows, 2, [keyRows, keyRows, valueRows]);
    /** @param {string} x */
    const unit = (x) =>
      this.flat(
        graph.op('LpNormalization', [this.heads(x, linearKeyHeads, linearHeadDim)], {
          axis: 3,
          p: 2,
        }),
        keyRows,
      );

    const step = graph.op('Softplus', [
      graph.op('Add', [
        product('ssm_alpha', linearValueHeads),
        weights('ssm_dt.bias', [linearValueHeads]),
      ]),
    ]);
    const decay = graph.op('Mul', [step, weights('ssm_a', [linearValueHeads])]);
    const rate = graph.op('Sigmoid', [product('ssm_beta', linearValueHeads)]);
    const [past, present] = this.#state(`recurrent.${index}`, [
      ...[kBatch, linearValueHeads, linearHeadDim, linearHeadDim],
    ]);
    const read = `read_${index}`;
    graph.microsoft(
      'LinearAttention',
      [unit(query), unit(key), value, past, decay, rate],
      { update_rule: 'gated_delta', q_num_heads: linearKeyHeads, kv_num_heads: linearValueHeads },
      [read, present],
    );
    const normed = this.headNorm(
      `${block}.ssm_norm.weight`,
      this.heads(read, linearValueHeads, linearHeadDim),
      linearHeadDim,
    );
    const gated = graph.op('Mul', [
      this.flat(normed, valueRows),
      this.silu(product('attn_gate', valueRows)),
    ]);
    return this.product(`${block}.ssm_out.weight`, gated, valueRows, modelDim);
  }

  /**
   * Names of a state before and after, as transformers.js has them.
   * @type {(name: string, before: Value[1], after?: Value[1]) => [past: string, present: string]}
   */
  #state(name, before, after = before) {
    const past = `past_${name}`;
    const present = `present_${name}`.replace('present_key_values', 'present');
    this.#inputs.push([past, before]);
    this.#outputs.push([present, after]);
    return [past, present];
  }

  /**
   * Adds what the last layer gave, and normalises the sum.
   * @param {string} name
   */
  #norm(name) {
    const graph = this.graph;
    const weight = this.weights.vector(name, [this.shape.modelDim]);
    const epsilon = { epsilon: { float: this.shape.rmsEpsilon } };
    if (!this.#added) return graph.op('SimplifiedLayerNormalization', [this.#sum, weight], epsilon);
    const [normed, sum] = [`${name}/normed`, `${name}/sum`];
    graph.microsoft('SkipSimplifiedLayerNormalization', [this.#added, this.#sum, weight], epsilon, [
      normed,
      '',
      '',
      sum,
    ]);
    this.#sum = sum;
    return normed;
  }

  /** @type {(x: string, heads: number) => string} */
  #rotated(x, heads) {
    const { positions, cosines, sines } = this.#shared;
    return this.graph.microsoft('RotaryEmbedding', [x, positions, cosines, sines], {
      num_heads: heads,
      rotary_embedding_dim: this.shape.rotaryDim,
    });
  }
}
