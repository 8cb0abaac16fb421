// SPDX-License-Identifier: MIT
import { addByteLevelTokenizer, hyperParameters } from './metadata-writer.mjs';
import { isFullAttention } from './qwen35-shapes.mjs';

/**
 * @import { Dialect, Qwen35Shape } from './qwen35-shapes.mjs'
 * @import { GgufWriter } from './writer.mjs'
 */

// The pairs of rotated dimensions that follow time, height and width; for text all three are the same position.
/** @param {number} rotaryDim */
function ropeSections(rotaryDim) {
  const pairs = rotaryDim / 2;
  const third = Math.round((pairs * 11) / 32);
  return [third, third, pairs - 2 * third];
}

/** @type {(writer: GgufWriter, shape: Qwen35Shape, dialect: Dialect) => void} */
function addHyperParameters(writer, shape, dialect) {
  const blocks = shape.layers + (shape.mtp ? 1 : 0);
  /** @type {<T>(value: (index: number) => T) => T[]} */
  const perBlock = (value) => Array.from({ length: blocks }, (_, index) => value(index));
  const { uint32, float32, array, flag } = hyperParameters(writer, 'qwen35');

  uint32('block_count', blocks);
  uint32('context_length', shape.contextLength);
  uint32('embedding_length', shape.modelDim);
  uint32('feed_forward_length', shape.feedForwardDim);
  uint32('attention.head_count', shape.queryHeads);
  if (dialect === 'ollama') {
    /** @param {number} index */
    const heads = (index) => (isFullAttention(shape, index) ? shape.keyValueHeads : 0);
    array('attention.head_count_kv', 'uint32', perBlock(heads));
  } else {
    uint32('attention.head_count_kv', shape.keyValueHeads);
  }
  uint32('attention.key_length', shape.headDim);
  uint32('attention.value_length', shape.headDim);
  float32('attention.layer_norm_rms_epsilon', shape.rmsEpsilon);
  // A loader that only knows the interval still finds every layer linear when the interval exceeds their number.
  uint32('full_attention_interval', shape.fullAttentionInterval || shape.layers + 1);
  float32('rope.freq_base', shape.ropeBase);
  uint32('rope.dimension_count', shape.rotaryDim);
  const sections = ropeSections(shape.rotaryDim);
  if (dialect === 'ollama') {
    array('mrope_sections', 'int32', sections);
    array('rope.mrope_section', 'int32', sections);
    array('rope.dimension_sections', 'int32', sections);
    flag('rope.mrope_interleaved', true);
    flag('ssm.v_head_reordered', true);
  } else {
    array('rope.dimension_sections', 'int32', [...sections, 0]);
  }
  uint32('ssm.conv_kernel', shape.convKernel);
  uint32('ssm.group_count', shape.linearKeyHeads);
  uint32('ssm.inner_size', shape.linearValueHeads * shape.linearHeadDim);
  uint32('ssm.state_size', shape.linearHeadDim);
  uint32('ssm.time_step_rank', shape.linearValueHeads);
  if (shape.mtp) uint32('nextn_predict_layers', 1);
}

/**
 * Hyper-parameters and tokenizer.
 * @param {GgufWriter} writer
 * @param {Qwen35Shape} shape
 * @param {{ dialect: Dialect, recurrentLayers?: boolean }} options recurrentLayers adds the list that
 *   newer files have
 */
export function addQwen35Metadata(writer, shape, { dialect, recurrentLayers = false }) {
  addHyperParameters(writer, shape, dialect);
  if (recurrentLayers) {
    const blocks = shape.layers + (shape.mtp ? 1 : 0);
    const flags = Array.from({ length: blocks }, (_, index) => !isFullAttention(shape, index));
    writer.addMetadata('qwen35.attention.recurrent_layers', 'array', flags, 'bool');
  }
  addByteLevelTokenizer(writer, shape.vocab, 'qwen35');
}
