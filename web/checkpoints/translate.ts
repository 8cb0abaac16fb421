// SPDX-License-Identifier: MIT

import { ModelError, short } from '../errors.js';
import type { HeaderValue, TensorEntry } from '../gguf/types.js';
import { nearest } from '../option-names.js';
import { tokenizerMetadata } from '../text/tokenizer-json.js';
import type { CheckpointTexts } from './checkpoint-folder.js';
import { Config } from './config.js';
import { FAMILIES } from './families.js';
import { isObject, type JsonObject, parseJson } from './json.js';
import { Mapping, type VirtualTensor } from './mapping.js';

/**
 * What a checkpoint says, as a GGUF of it would: every field of config.json and every tensor is
 * either read or known not to matter.
 *
 * @throws ModelError `unsupported_architecture` for a `model_type` or a tensor that nobody reads,
 * `invalid_metadata` naming a field, `missing_tensor`, `shape_mismatch`, `unsupported_type`
 */
export function translate(
  texts: CheckpointTexts,
  tensors: readonly TensorEntry[],
): { metadata: Map<string, HeaderValue>; tensors: VirtualTensor[] } {
  const fields = parseJson(texts.config, 'config.json');
  const config = new Config(fields, 'config.json');
  const type = config.text('model_type');
  const family = Object.hasOwn(FAMILIES, type) ? FAMILIES[type] : undefined;
  if (!family) {
    const known = Object.keys(FAMILIES);
    const subject = short(type);
    const message = `model_type '${subject}' is not supported; the nearest is '${nearest(type, known)}' (of ${known.join(', ')})`;
    throw new ModelError('unsupported_architecture', message, { subject });
  }
  const mapping = new Mapping(family.architecture, tensors);
  family.map(config, mapping);
  config.finish();
  mapping.finish();
  const { vocabulary: rwkvVocabulary, generationConfig = endsOf(fields) } = texts;
  for (const [key, value] of tokenizerMetadata({ ...texts, generationConfig, rwkvVocabulary })) {
    mapping.metadata.set(key, value);
  }
  return mapping;
}

// Where texts begin and end, of checkpoints that say it in config.json alone.
function endsOf(fields: JsonObject): string {
  const inner = isObject(fields.text_config) ? fields.text_config : {};
  const names = ['bos_token_id', 'eos_token_id', 'pad_token_id'];
  const found = names.map((name) => [name, fields[name] ?? inner[name]]);
  return JSON.stringify(Object.fromEntries(found.filter(([, id]) => id !== undefined)));
}
