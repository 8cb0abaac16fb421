// SPDX-License-Identifier: MIT
import { kBlock } from './weights.mjs';

/**
 * Token ids to rows of the embedding. Published files have GatherBlockQuantized, for which ONNX
 * Runtime's default build for browsers has nothing that runs on a processor: these are its steps.
 *
 * @param {import('./graph-builder.mjs').GraphBuilder} graph
 * @param {import('./weights.mjs').Weights} weights
 * @param {import('../gguf/qwen35-shapes.mjs').Qwen35Shape} shape
 */
export function embeddingGraph(graph, weights, { vocab, modelDim }) {
  const [codes, scales] = weights.matrix('token_embd.weight', [vocab, modelDim / 2]);
  const last = graph.whole([3]);
  const pairs = graph.op('Gather', [codes, 'input_ids']);
  const halves = [
    graph.op('BitwiseAnd', [pairs, graph.byte(15)]),
    graph.op('BitShift', [pairs, graph.byte(4)], { direction: 'RIGHT' }),
  ].map((half) => graph.op('Unsqueeze', [half, last]));
  const numbers = graph.op('Cast', [graph.op('Concat', halves, { axis: 3 })], { to: 1 });
  const blocks = graph.op('Reshape', [numbers, graph.whole([0, 0, modelDim / kBlock, kBlock])]);
  const centred = graph.op('Sub', [blocks, graph.float(8)]);
  const factors = graph.op('Unsqueeze', [graph.op('Gather', [scales, 'input_ids']), last]);
  const scaled = graph.op('Mul', [centred, factors]);
  graph.op('Reshape', [scaled, graph.whole([0, 0, modelDim])], {}, ['inputs_embeds']);
  return graph.model({
    inputs: [['input_ids', ['batch_size', 'sequence_length'], 'int64']],
    outputs: [['inputs_embeds', ['batch_size', 'sequence_length', modelDim]]],
  });
}
