// SPDX-License-Identifier: MIT

const kControl = 3;
const kUserDefined = 4;

// How the published tokenizer cuts a text before merging.
const kWords =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/**
 * The tokenizer of a GGUF file, as transformers.js reads one: what `tokenizer.json` and
 * `tokenizer_config.json` have.
 *
 * @param {Map<string, { value: any }>} metadata
 */
export function tokenizerFiles(metadata) {
  /** @type {(key: string) => any} */
  const value = (key) => metadata.get(`tokenizer.${key}`)?.value;
  /** @type {string[]} */
  const tokens = value('ggml.tokens');
  /** @type {number[]} */
  const types = value('ggml.token_type');
  const added = tokens.flatMap((content, id) =>
    types[id] === kControl || types[id] === kUserDefined
      ? [{ ...addedToken(content), id, special: types[id] === kControl }]
      : [],
  );
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false };
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: { type: 'NFC' },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: kWords }, behavior: 'Isolated', invert: false },
        { ...byteLevel, use_regex: false },
      ],
    },
    post_processor: null,
    decoder: { ...byteLevel, use_regex: false },
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: value('ggml.merges'),
    },
  };
  const config = {
    tokenizer_class: 'Qwen2Tokenizer',
    chat_template: value('chat_template'),
    add_prefix_space: false,
    clean_up_tokenization_spaces: false,
    eos_token: tokens[value('ggml.eos_token_id')],
    pad_token: tokens[value('ggml.padding_token_id')],
  };
  return { tokenizer, config };
}

/** @param {string} content */
function addedToken(content) {
  return { content, single_word: false, lstrip: false, rstrip: false, normalized: false };
}
