// SPDX-License-Identifier: MIT
import { byteLevelVocabulary, chatTemplate } from './byte-level-vocabulary.mjs';

/** @import { GgufWriter } from './writer.mjs' */

/**
 * Hyper-parameters under an architecture's prefix.
 * @param {GgufWriter} writer
 * @param {string} architecture
 */
export function hyperParameters(writer, architecture) {
  return {
    /** @type {(key: string, value: number) => void} */
    uint32: (key, value) => writer.addMetadata(`${architecture}.${key}`, 'uint32', value),
    /** @type {(key: string, value: number) => void} */
    float32: (key, value) => writer.addMetadata(`${architecture}.${key}`, 'float32', value),
    /** @type {(key: string, value: boolean) => void} */
    flag: (key, value) => writer.addMetadata(`${architecture}.${key}`, 'bool', value),
    /** @type {(key: string, elementType: string, value: number[]) => void} */
    array: (key, elementType, value) =>
      writer.addMetadata(`${architecture}.${key}`, 'array', value, elementType),
  };
}

/** @typedef {ReturnType<typeof hyperParameters>} HyperParameters */

/**
 * Sizes of Mamba's mixer.
 * @param {HyperParameters} writer
 * @param {{ convKernel: number, innerDim: number, stateDim: number, stepRank: number }} shape
 */
export function addMambaSizes({ uint32 }, shape) {
  uint32('ssm.conv_kernel', shape.convKernel);
  uint32('ssm.inner_size', shape.innerDim);
  uint32('ssm.state_size', shape.stateDim);
  uint32('ssm.time_step_rank', shape.stepRank);
}

/**
 * Those of Mamba-2's.
 * @param {HyperParameters} writer
 * @param {{ convKernel: number, innerDim: number, stateDim: number, heads: number, groups: number }} shape
 */
export function addMamba2Sizes(writer, shape) {
  addMambaSizes(writer, { ...shape, stepRank: shape.heads });
  writer.uint32('ssm.group_count', shape.groups);
}

/**
 * Heads of keys and values of each layer: 0 where a layer has no attention.
 * @param {HyperParameters} writer
 * @param {{ layers: number, attentionLayers: number[], keyValueHeads: number }} shape
 */
export function addKeyValueHeads({ array }, { layers, attentionLayers, keyValueHeads }) {
  const heads = Array.from({ length: layers }, (_, layer) =>
    attentionLayers.includes(layer) ? keyValueHeads : 0,
  );
  array('attention.head_count_kv', 'int32', heads);
}

/**
 * A byte-level vocabulary made up for a size, and ChatML.
 * @param {GgufWriter} writer
 * @param {number} vocab
 * @param {string} pre its pre-tokenizer
 */
export function addByteLevelTokenizer(writer, vocab, pre) {
  const { tokens, types, merges, endOfText, endOfTurn } = byteLevelVocabulary(vocab);
  /** @type {(key: string, type: string, value: unknown, elementType?: string) => void} */
  const add = (key, type, value, elementType) => {
    writer.addMetadata(`tokenizer.${key}`, type, value, elementType);
  };
  add('ggml.model', 'string', 'gpt2');
  add('ggml.pre', 'string', pre);
  add('ggml.tokens', 'array', tokens, 'string');
  add('ggml.token_type', 'array', types, 'int32');
  add('ggml.merges', 'array', merges, 'string');
  add('ggml.eos_token_id', 'uint32', endOfTurn);
  add('ggml.padding_token_id', 'uint32', endOfText);
  add('ggml.add_bos_token', 'bool', false);
  add('chat_template', 'string', chatTemplate);
}

const kByte = 6;
const kNormal = 1;

/**
 * RWKV's kind of vocabulary, made up: the end of text, every byte, then words of small letters with
 * and without a space before them.
 * @param {GgufWriter} writer
 * @param {number} vocab
 */
export function addRwkvTokenizer(writer, vocab) {
  const tokens = ['<s>'];
  const types = [3];
  for (let byte = 0; byte < 256 && tokens.length < vocab; byte++) {
    tokens.push(`\\x${byte.toString(16).padStart(2, '0')}`);
    types.push(kByte);
  }
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  let stems = [' ', ...letters];
  while (tokens.length < vocab) {
    stems = stems.flatMap((stem) => letters.map((letter) => stem + letter));
    for (const word of stems.slice(0, vocab - tokens.length)) {
      tokens.push(word);
      types.push(kNormal);
    }
  }
  writer.addMetadata('tokenizer.ggml.model', 'string', 'rwkv');
  writer.addMetadata('tokenizer.ggml.tokens', 'array', tokens, 'string');
  writer.addMetadata('tokenizer.ggml.token_type', 'array', types, 'int32');
  for (const role of ['bos', 'eos', 'unknown']) {
    writer.addMetadata(`tokenizer.ggml.${role}_token_id`, 'uint32', 0);
  }
}
