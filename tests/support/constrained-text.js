// SPDX-License-Identifier: MIT
// Vocabularies for constraints, texts drawn by them, and random schemas.
import { constrain } from '../../build/web/constraints/constrain.js';
import { constraintSettings } from '../../build/web/constraints/constraint.js';
import { Tokenizer } from '../../build/web/text/tokenizer.js';
import { makeVocabulary, randomNumbers } from './byte-level.js';

const SAMPLES = [
  '{"name": "Ada", "age": 36, "tags": ["a", "b"]}',
  '[1.5, -20, true, false, null, 1e9]',
  '"\\n\\u001f\\""',
  '", "',
  '": {"',
  '"}]}',
  '},{',
  'héllo wörld ☕ 😀😀 日本語',
  '2024-01-31',
  'Hello world, and cats',
];

/**
 * A tokenizer whose tokens cross what JSON and UTF-8 keep apart.
 *
 * @param more other tokens, with their kinds
 */
export function makeTokenizer(size = 1500, { kinds = {}, missing = [], more = [] } = {}) {
  const { tokens, merges } = makeVocabulary(SAMPLES, size, randomNumbers(5));
  for (const token of ['{"', '":"', '"}', '": "', '","', '", "', '},{"']) {
    if (!tokens.includes(token)) tokens.push(token);
  }
  for (const id of missing) tokens[id] = `<gone ${id}>`;
  tokens.push('<|im_end|>', '<think>');
  const types = tokens.map((_, id) => (missing.includes(id) ? 5 : (kinds[id] ?? 1)));
  types[tokens.length - 1] = 4;
  types[tokens.length - 2] = 3;
  const eos = tokens.length - 2;
  for (const [token, kind] of more) {
    types.push(kind);
    tokens.push(token);
  }
  return Tokenizer.fromMetadata(
    new Map([
      ['tokenizer.ggml.model', 'gpt2'],
      ['tokenizer.ggml.pre', 'qwen2'],
      ['tokenizer.ggml.tokens', tokens],
      ['tokenizer.ggml.merges', merges],
      ['tokenizer.ggml.token_type', types],
      ['tokenizer.ggml.eos_token_id', eos],
    ]),
  );
}

export const open = (tokenizer, constraint, ends = tokenizer.endTokens) =>
  constrain(tokenizer, constraintSettings(constraint), ends);

/** Ids whose bits are set. */
export function idsOf(bits) {
  const found = [];
  for (const [word, value] of bits.entries()) {
    for (let bit = 0; bit < 32; bit++) if ((value >>> bit) & 1) found.push(32 * word + bit);
  }
  return found;
}

/**
 * Draws among the allowed tokens, the end as often as it may come after `patience` tokens.
 *
 * @returns {Promise<{ text: string, whole: boolean }>} not whole after `most` tokens
 */
export async function drawText(
  tokenizer,
  constraint,
  random,
  { most = 400, patience = 6, check } = {},
) {
  const held = await open(tokenizer, constraint);
  const bits = new Int32Array((tokenizer.vocabSize + 31) >> 5);
  const drawn = [];
  while (!held.over && drawn.length < most) {
    held.write(bits);
    const allowed = idsOf(bits);
    if (allowed.length === 0) throw new Error(`a dead end after ${tokenizer.decode(drawn)}`);
    const ends = allowed.filter((id) => tokenizer.endTokens.has(id));
    if (ends.length > 0 && drawn.length >= patience) return done(true);
    check?.(held, allowed);
    // After a while what closes is preferred, or most texts would never end.
    const closing =
      drawn.length < 2 * patience ? [] : allowed.filter((id) => CLOSING.test(tokenizer.text(id)));
    const from = closing.length > 0 && random() < 0.9 ? closing : allowed;
    const id = from[Math.floor(random() * from.length)];
    if (tokenizer.endTokens.has(id)) return done(true);
    drawn.push(id);
    held.read(id);
  }
  return done(held.over);

  function done(whole) {
    return { text: tokenizer.decode(drawn), whole };
  }
}

const CLOSING = /^["\]}]+$/;

/**
 * A random schema whose texts are short; with `depth` levels of objects and arrays.
 *
 * @param all keywords too of which some combinations are refused
 */
export function randomSchema(random, depth = 3, all = false) {
  const below = (count) => Math.floor(random() * count);
  const pick = (list) => list[below(list.length)];
  const inner = () => randomSchema(random, depth - 1, all);
  const some = (low, high) => (random() < 0.5 ? {} : { [low]: below(3), [high]: 3 + below(4) });
  const number = () => {
    const scale = pick([1, 1, 10, 100]);
    const low = (below(2000) - 1000) / scale;
    const high = low + below(1500) / scale;
    return {
      ...pick([{}, { minimum: low }, { exclusiveMinimum: low }]),
      ...pick([{}, { maximum: high }, { exclusiveMaximum: high + 1 }]),
    };
  };
  const leaves = [
    () => ({ type: 'string', ...some('minLength', 'maxLength') }),
    () => ({
      type: 'string',
      pattern: pick(['^[a-z]{2,5}$', 'a+b', '^é|ü$', '\\d\\d', '^"\\\\\\n', '^\\u0001😀?$']),
    }),
    () => ({ type: 'integer', ...number() }),
    () => ({ type: 'number', ...number() }),
    () => ({ type: pick(['boolean', 'null', 'string', 'number', 'integer']) }),
    () => ({ type: ['string', 'null'], maxLength: 4 }),
    () => ({ enum: [1, 'two', null, { three: [3, '"é"'] }, -0.5].slice(0, 1 + below(5)) }),
    () => ({ const: pick(['x', 0, { a: 1 }, ['\u2028', '\u0007']]) }),
  ];
  if (depth === 0) return pick(leaves)();
  const combined = [
    () => ({ allOf: [inner(), inner()] }),
    () => ({ ...inner(), not: inner() }),
    () => ({ oneOf: [inner(), inner()] }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword
    () => ({ if: inner(), then: inner(), else: inner() }),
    () => ({ type: 'number', multipleOf: pick([0.25, 3, 10]), ...number() }),
    () => ({
      type: 'object',
      patternProperties: { '^a': inner() },
      additionalProperties: inner(),
      maxProperties: 3,
    }),
    () => ({ type: 'object', propertyNames: { maxLength: 3 }, additionalProperties: inner() }),
    () => ({
      type: 'object',
      properties: { a: inner(), b: inner() },
      dependentRequired: { a: ['b'] },
      unevaluatedProperties: false,
    }),
    () => ({ type: 'array', items: inner(), contains: inner(), maxItems: 3 }),
    () => ({ type: 'array', items: { enum: [1, 'a', null] }, uniqueItems: true }),
    () => ({ type: 'string', format: pick(['date', 'ipv4', 'uuid', 'time']) }),
    () => ({ enum: [1, 'abc', { a: 1 }], anyOf: [inner(), inner()] }),
  ];
  if (all && random() < 0.4) return pick(combined)();
  return pick([
    ...leaves.slice(0, 3),
    () => {
      const names = ['a', 'b"', 'ç', 'long name', ''].slice(0, below(6));
      const properties = Object.fromEntries(names.map((name) => [name, inner()]));
      const required = names.filter(() => random() < 0.5);
      return {
        type: 'object',
        properties,
        required,
        ...pick([{}, { additionalProperties: false }, { additionalProperties: inner() }]),
      };
    },
    () => ({ type: 'array', items: inner(), ...some('minItems', 'maxItems') }),
    () => ({ type: 'array', prefixItems: [inner(), inner()], items: inner(), maxItems: 3 }),
    () => ({ anyOf: [inner(), inner()] }),
  ])();
}
