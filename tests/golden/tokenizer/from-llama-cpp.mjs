// SPDX-License-Identifier: MIT
//
// Writes llama-cpp.json beside this file from a checkout of llama.cpp (MIT): of each vocabulary in its
// models/ that has .inp and .out files those tokens and merges that can come up in these texts, with
// their ids and ranks' order. Run by hand, on built sources:
//
//   node tests/golden/tokenizer/from-llama-cpp.mjs PATH/llama.cpp/models

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readGgufHeader } from '../../../build/web/gguf/header.js';
import { toAlphabet } from '../../support/byte-level.js';
import { sourceOf } from '../../support/write-gguf.js';

const [folder] = process.argv.slice(2);
const SEPARATOR = '\n__ggml_vocab_test__\n';
// Kinds that are not supported.
const LEFT_OUT = ['bert-bge', 'deepseek-llm'];

const lists = [];
const vocabularies = {};
for (const file of readdirSync(folder).filter((name) => name.endsWith('.gguf.inp'))) {
  const name = file.replace(/^ggml-vocab-|\.gguf\.inp$/g, '');
  if (LEFT_OUT.includes(name)) continue;
  const path = join(folder, file.slice(0, -4));
  const texts = readFileSync(`${path}.inp`, 'utf8').split(SEPARATOR);
  const lines = readFileSync(`${path}.out`, 'utf8').split('\n');
  // The last text is cut off by a separator before it.
  if (texts.at(-1) === '') texts.pop();
  const expected = texts.map((_, i) => (lines[i].match(/\d+/g) ?? []).map(Number));
  const { header } = await readGgufHeader(sourceOf(new Uint8Array(readFileSync(path))));
  vocabularies[name] = { ...trim(header.metadata, texts), texts: listOf(texts), expected };
}
const file = new URL('llama-cpp.json', import.meta.url);
writeFileSync(file, `${JSON.stringify({ lists, vocabularies })}\n`);

function listOf(texts) {
  const known = lists.findIndex((list) => JSON.stringify(list) === JSON.stringify(texts));
  return known >= 0 ? known : lists.push(texts) - 1;
}

function trim(metadata, texts) {
  const value = (key) => metadata.get(`tokenizer.ggml.${key}`);
  const isByteLevel = value('model') === 'gpt2';
  const spaced = (text) => `\u2581${text.replaceAll(' ', '\u2581')}`;
  const written = texts.map((text) => (isByteLevel ? toAlphabet(text) : spaced(text))).join('\n');
  const raw = texts.join('\n');
  const tokens = value('tokens');
  const kinds = value('token_type');
  const ids = [...tokens.keys()].filter((id) => {
    const [text, kind] = [tokens[id], kinds[id]];
    if (kind === 6 || text.length === 1) return kind === 6 || written.includes(text);
    return written.includes(text) || (kind !== 1 && raw.includes(text));
  });
  const single = ['bos_token_id', 'eos_token_id', 'unknown_token_id'];
  for (const id of single.map(value)) if (id !== undefined && !ids.includes(id)) ids.push(id);
  const merges = (value('merges') ?? []).filter((merge) => {
    const space = merge.indexOf(' ', 1);
    return written.includes(merge.slice(0, space) + merge.slice(space + 1));
  });
  const keys = ['model', 'pre', 'add_bos_token', 'add_eos_token', 'add_space_prefix', ...single];
  return {
    ...Object.fromEntries(keys.map((key) => [key, value(key)])),
    ids,
    tokens: ids.map((id) => tokens[id]),
    kinds: ids.map((id) => kinds[id]),
    ...(value('scores') ? { scores: ids.map((id) => value('scores')[id]) } : {}),
    ...(merges.length > 0 ? { merges } : {}),
  };
}
