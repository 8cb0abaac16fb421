// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import type { MetadataValue } from '../gguf/types.js';
import type { Json } from './json-steps.js';
import { TokenKind } from './vocabulary.js';
import { append, escapeBytes } from './world.js';

const utf8 = new TextEncoder();

// A line: the id, a Python literal of text or bytes, and how many bytes those are.
const LINE = /^(\d+) (b?)(?:'(.*)'|"(.*)") (\d+)\r?$/u;
const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([\s\S]))|[^\\]+|\\$/gu;
const LETTERS: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"' },
};

// Beyond it there are no World vocabularies, and a wrong number is to cost nothing.
const MOST_TOKENS = 2 ** 20;

/**
 * The `tokenizer.ggml` keys of a World vocabulary: token 0, which it does not list, ends a document.
 *
 * @param config of tokenizer_config.json, which may name token 0
 * @throws ModelError `invalid_metadata` naming the line
 */
export function rwkvMetadata(text: string, config: Json): Map<string, MetadataValue> {
  const named = (config.added_tokens_decoder as Json | undefined)?.[0] as Json | undefined;
  const tokens = [typeof named?.content === 'string' ? named.content : '<s>'];
  const kinds: number[] = [TokenKind.Control];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, number, isBytes, single, double, count] = LINE.exec(line) ?? [];
    const id = Number(number);
    const bytes = unquote(single ?? double ?? '', isBytes === 'b');
    if (!bytes || bytes.length !== Number(count) || !(id > 0 && id < MOST_TOKENS)) {
      throw new ModelError(
        'invalid_metadata',
        `line ${index + 1} of the World vocabulary is no token`,
        {
          subject: 'rwkv_vocab_v20230424.txt',
        },
      );
    }
    tokens[id] = escapeBytes(bytes);
    kinds[id] = TokenKind.Normal;
  }
  for (let id = 0; id < tokens.length; id++) {
    tokens[id] ??= '';
    kinds[id] ??= TokenKind.Unused;
  }
  return new Map<string, MetadataValue>([
    ['tokenizer.ggml.model', 'rwkv'],
    ['tokenizer.ggml.tokens', tokens],
    ['tokenizer.ggml.token_type', kinds],
    ['tokenizer.ggml.bos_token_id', 0],
    ['tokenizer.ggml.eos_token_id', 0],
  ]);
}

// Undefined for what is no literal.
function unquote(literal: string, isBytes: boolean): Uint8Array | undefined {
  const bytes: number[] = [];
  const put = (code: number): void => {
    if (isBytes) bytes.push(code);
    else append(bytes, utf8.encode(String.fromCodePoint(code)));
  };
  for (const [part, hex, short, long, octal, letter] of literal.matchAll(ESCAPE)) {
    const digits = hex ?? short ?? long;
    const code = digits === undefined ? 0 : Number.parseInt(digits, 16);
    if (code > 0x10ffff) return undefined;
    if (digits !== undefined) put(code);
    else if (octal !== undefined) put(Number.parseInt(octal, 8));
    else if (letter !== undefined) {
      const char = LETTERS[letter];
      if (char === undefined) return undefined;
      put(char.charCodeAt(0));
    } else if (part === '\\') return undefined;
    else append(bytes, utf8.encode(part));
  }
  return Uint8Array.from(bytes);
}
