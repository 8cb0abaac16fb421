// SPDX-License-Identifier: MIT
// Keys beside `tokenizer.ggml`, for what only tokenizer.json can say. They are ours: no file has them.

/** `tokenizer.ggml.model` of what a tokenizer.json says. */
export const HUB_MODEL = 'huggingface';

/** What the keys begin with. */
export const HUB_PREFIX = 'tokenizer.huggingface.';

/** Whether an entry stands for a tokenizer.json. */
export const isOfHub = (key: string, value: unknown): boolean =>
  key.startsWith(HUB_PREFIX) || (key === 'tokenizer.ggml.model' && value === HUB_MODEL);

/** What `added_tokens` says of a token, as bits. */
export const AddedFlag = {
  LStrip: 1,
  RStrip: 2,
  SingleWord: 4,
  Normalized: 8,
  Special: 16,
} as const;
