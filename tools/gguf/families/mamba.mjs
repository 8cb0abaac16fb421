// SPDX-License-Identifier: MIT
import { addByteLevelTokenizer, hyperParameters } from '../metadata-writer.mjs';
import { norm, projection, tensor } from '../tensors.mjs';

const published = {
  layers: 48,
  modelDim: 1024,
  innerDim: 2048,
  stateDim: 16,
  stepRank: 64,
  convKernel: 4,
  vocab: 50280,
  tied: true,
};

/** @type {(block: string, shape: typeof published) => import('../tensors.mjs').ModelTensor[]} */
const mixer = (block, { modelDim, innerDim, stateDim, stepRank, convKernel }) => [
  norm(`${block}.attn_norm.weight`, modelDim),
  projection(`${block}.ssm_in.weight`, modelDim, 2 * innerDim),
  tensor('conv')(`${block}.ssm_conv1d.weight`, convKernel, innerDim),
  tensor('zeros')(`${block}.ssm_conv1d.bias`, innerDim),
  projection(`${block}.ssm_x.weight`, innerDim, stepRank + 2 * stateDim),
  projection(`${block}.ssm_dt.weight`, stepRank, innerDim),
  tensor('timestep')(`${block}.ssm_dt.bias`, innerDim),
  tensor('decay')(`${block}.ssm_a`, stateDim, innerDim),
  norm(`${block}.ssm_d`, innerDim),
  projection(`${block}.ssm_out.weight`, innerDim, modelDim),
];

/**
 * state-spaces/mamba-*.
 * @type {import('../families.mjs').Family<typeof published>}
 */
export const mamba = {
  architecture: 'mamba',
  shapes: {
    'mamba-130m': { ...published, layers: 24, modelDim: 768, innerDim: 1536, stepRank: 48 },
    'mamba-370m': published,
    'tiny-mamba': {
      ...published,
      layers: 3,
      modelDim: 64,
      innerDim: 128,
      stateDim: 8,
      stepRank: 32,
      vocab: 512,
    },
  },
  tensors(shape) {
    const { layers, modelDim, vocab, tied } = shape;
    return [
      projection('token_embd.weight', modelDim, vocab),
      norm('output_norm.weight', modelDim),
      ...(tied ? [] : [projection('output.weight', modelDim, vocab)]),
      ...Array.from({ length: layers }, (_, i) => mixer(`blk.${i}`, shape)).flat(),
    ];
  },
  addMetadata(writer, shape) {
    const { uint32, float32 } = hyperParameters(writer, 'mamba');
    uint32('context_length', 1 << 20);
    uint32('embedding_length', shape.modelDim);
    uint32('feed_forward_length', 0);
    uint32('attention.head_count', 0);
    uint32('block_count', shape.layers);
    uint32('ssm.conv_kernel', shape.convKernel);
    uint32('ssm.inner_size', shape.innerDim);
    uint32('ssm.state_size', shape.stateDim);
    uint32('ssm.time_step_rank', shape.stepRank);
    float32('attention.layer_norm_rms_epsilon', 1e-5);
    addByteLevelTokenizer(writer, shape.vocab, 'olmo');
  },
};
