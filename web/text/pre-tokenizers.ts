// SPDX-License-Identifier: MIT

/** How text is cut into words before merging, for one `tokenizer.ggml.pre` name. */
export interface PreTokenizer {
  /** One after the other; what none matches is a word, too. */
  readonly patterns: readonly RegExp[];
  /** Whether a word that is a token as a whole is taken without merging. */
  readonly ignoreMerges: boolean;
  /** Whether a text starts with the BOS token when the file does not say. */
  readonly addBos: boolean;
}

// JavaScript's \s contains U+FEFF and lacks U+0085, so white space is spelled by its property.
const S = '\\p{White_Space}';
const CONTRACTIONS = "'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]";
const SPACES = `${S}+(?!\\P{White_Space})|${S}+`;
const CJK = '[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+';

const preTokenizer = (...patterns: string[]): PreTokenizer => ({
  patterns: patterns.map((pattern) => new RegExp(pattern, 'gu')),
  ignoreMerges: false,
  addBos: false,
});

const words = (letters: string, numbers: string): string =>
  `${CONTRACTIONS}|[^\\r\\n\\p{L}\\p{N}]?[${letters}]+|${numbers}` +
  `| ?[^${S}${letters}\\p{N}]+[\\r\\n]*|${S}*[\\r\\n]+|${SPACES}`;

/** GPT-2's words (Radford et al. 2019). */
export const GPT2_WORDS = `'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^${S}\\p{L}\\p{N}]+|${SPACES}`;

const DEFAULT = preTokenizer('[\\p{P}$+<=>^~|]+', GPT2_WORDS, '\\p{N}+', '[0-9][0-9][0-9]');
const FALCON = preTokenizer('[\\p{P}$+<=>^~|`]+', GPT2_WORDS, '[0-9][0-9][0-9]');
const GPT2 = preTokenizer(GPT2_WORDS);
const STARCODER = preTokenizer('\\p{N}', GPT2_WORDS);
const QWEN2 = preTokenizer(words('\\p{L}', '\\p{N}'));
// Combining marks belong to the word they stand in.
const QWEN35 = preTokenizer(words('\\p{L}\\p{M}', '\\p{N}'));
const DBRX = preTokenizer(words('\\p{L}', '\\p{N}{1,3}'));
const LLAMA3: PreTokenizer = { ...DBRX, ignoreMerges: true, addBos: true };
const DEEPSEEK_V3 = preTokenizer(
  '\\p{N}{1,3}',
  CJK,
  '[!"#$%&\'()*+,\\-.\\/:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+' +
    `| ?[\\p{P}\\p{S}]+[\\r\\n]*|${S}*[\\r\\n]+|${SPACES}`,
);
const DEEPSEEK_CODER = preTokenizer(
  '[\\r\\n]',
  `${S}?\\p{L}+`,
  `${S}?\\p{P}+`,
  '[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+',
  '\\p{N}',
);

const NAMES: readonly [PreTokenizer, string][] = [
  [DEFAULT, 'default'],
  [FALCON, 'falcon'],
  [
    GPT2,
    'gpt2 gpt-2 gpt-neox mpt olmo jais phi-2 granite-docling exaone4 trillion gigachat mellum modern-bert',
  ],
  [STARCODER, 'starcoder refact command-r smollm codeshell exaone minerva-7b mellum2'],
  [QWEN2, 'qwen2 deepseek-r1-qwen stablelm2 hunyuan solar-open megrez grok-2 kormo f2llmv2'],
  [QWEN35, 'qwen35'],
  [DBRX, 'dbrx smaug-bpe glm4 chatglm-bpe'],
  [LLAMA3, 'llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2'],
  [DEEPSEEK_V3, 'deepseek-v3 hunyuan-dense joyai-llm'],
  [DEEPSEEK_CODER, 'deepseek-coder'],
];

/** The pre-tokenizers by their names in files; names that llama.cpp treats alike share one. */
export const PRE_TOKENIZERS: ReadonlyMap<string, PreTokenizer> = new Map(
  NAMES.flatMap(([found, names]) => names.split(' ').map((name) => [name, found] as const)),
);
