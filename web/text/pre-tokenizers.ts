// SPDX-License-Identifier: MIT

/** How text is cut into words before merging, for one `tokenizer.ggml.pre` name. */
export interface PreTokenizer {
  /** Matches the words one after another; every character belongs to a match. */
  readonly pattern: RegExp;
  /** Whether a word that is a token as a whole is taken without merging. */
  readonly ignoreMerges: boolean;
  /** Whether a text starts with the BOS token when the file does not say. */
  readonly addBos: boolean;
}

// JavaScript's \s contains U+FEFF and lacks U+0085, so white space is spelled by its property.
const S = '\\p{White_Space}';
const CONTRACTIONS = "'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]";
const SPACES = `${S}+(?!\\P{White_Space})|${S}+`;

const words = (letters: string, numbers: string): RegExp =>
  new RegExp(
    `${CONTRACTIONS}|[^\\r\\n\\p{L}\\p{N}]?[${letters}]+|${numbers}` +
      `| ?[^${S}${letters}\\p{N}]+[\\r\\n]*|${S}*[\\r\\n]+|${SPACES}`,
    'gu',
  );

const GPT2: PreTokenizer = {
  pattern: new RegExp(
    `'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^${S}\\p{L}\\p{N}]+|${SPACES}`,
    'gu',
  ),
  ignoreMerges: false,
  addBos: false,
};
const QWEN2: PreTokenizer = {
  pattern: words('\\p{L}', '\\p{N}'),
  ignoreMerges: false,
  addBos: false,
};
// Combining marks belong to the word they stand in.
const QWEN35: PreTokenizer = { ...QWEN2, pattern: words('\\p{L}\\p{M}', '\\p{N}') };
const DBRX: PreTokenizer = { ...QWEN2, pattern: words('\\p{L}', '\\p{N}{1,3}') };
const LLAMA3: PreTokenizer = { ...DBRX, ignoreMerges: true, addBos: true };

/** The pre-tokenizers by their names in files; names that llama.cpp treats alike share one. */
export const PRE_TOKENIZERS: ReadonlyMap<string, PreTokenizer> = new Map([
  ['qwen2', QWEN2],
  ['deepseek-r1-qwen', QWEN2],
  ['stablelm2', QWEN2],
  ['qwen35', QWEN35],
  ['gpt2', GPT2],
  ['gpt-2', GPT2],
  ['mpt', GPT2],
  ['olmo', GPT2],
  ['jais', GPT2],
  ['phi-2', GPT2],
  ['granite-docling', GPT2],
  ['llama3', LLAMA3],
  ['llama-v3', LLAMA3],
  ['llama-bpe', LLAMA3],
  ['falcon3', LLAMA3],
  ['falcon-h1', LLAMA3],
  ['pixtral', LLAMA3],
  ['lfm2', LLAMA3],
  ['dbrx', DBRX],
  ['smaug-bpe', DBRX],
]);
