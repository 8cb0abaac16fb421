// SPDX-License-Identifier: MIT
// Answers that are drawn at random within what they may be, and told apart.
import { answering, toolFormat } from '../../build/web/engine/answering.js';
import { generationSettings } from '../../build/web/options.js';
import { knownTo } from '../../build/web/text/template-messages.js';
import { TextStream } from '../../build/web/text/text-stream.js';
import { idsOf } from './constrained-text.js';

const CLOSING = /^["\]})>\n]+$|^<\/|^\n<\/|tool_call_end|TOOLCALL/;

/** What an answer to a prompt is told apart and held by, as a conversation asks for it. */
export function open(tokenizer, { text = '', prefix = '', messages = [], tools = [], ...options }) {
  const { format = 'hermes', template = '', constraint, stop = [], ...answer } = options;
  const asked = {
    ...{ text, prefix, messages, tools },
    ...{ knows: knownTo(template), format: toolFormat(template, format) },
  };
  const settings = generationSettings({ constraint, stop });
  const defaults = { tools: undefined, choice: undefined, parallel: true };
  return answering(tokenizer, asked, settings, { ...defaults, ...answer });
}

/**
 * Draws tokens until the answer is over, what closes being preferred after `patience` of them, and
 * one token wherever it may be, if one is favoured.
 *
 * @returns {Promise<{ parts: object[], reader: object, whole: boolean, tokens: number[] }>} not whole
 *     after `most` tokens
 */
export async function drawAnswer(tokenizer, asked, random, settings = {}) {
  const { most = 1500, patience = 12, favour } = settings;
  const { reading, constraint } = await open(tokenizer, asked);
  const { reader, shown } = reading;
  const stream = new TextStream(tokenizer, [], shown);
  const bits = new Int32Array((tokenizer.vocabSize + 31) >> 5);
  const parts = [];
  const tokens = [];
  let whole = false;
  while (!whole && tokens.length < most) {
    if (constraint.over) {
      whole = true;
      break;
    }
    constraint.write(bits);
    const allowed = idsOf(bits);
    if (allowed.length === 0) throw new Error(`a dead end after ${tokenizer.decode(tokens)}`);
    const ends = allowed.filter((id) => tokenizer.endTokens.has(id));
    const late = tokens.length >= patience;
    if (ends.length > 0 && late) break;
    const closing = late ? allowed.filter((id) => CLOSING.test(tokenizer.decode([id]))) : [];
    const from = closing.length > 0 && random() < 0.9 ? closing : allowed;
    const drawn = from[Math.floor(random() * from.length)];
    const id = allowed.includes(favour) && random() < 0.2 ? favour : drawn;
    if (tokenizer.endTokens.has(id)) break;
    tokens.push(id);
    parts.push(...reader.push(stream.push(id)));
    constraint.read(id);
  }
  whole = tokens.length < most;
  parts.push(...reader.push(stream.finish()), ...reader.finish());
  return { parts, reader, whole, tokens };
}

/** The calls that deltas add up to. */
export function callsOf(parts) {
  const texts = new Map();
  for (const { type, id, delta } of parts) {
    if (type === 'tool-call-delta') texts.set(id, (texts.get(id) ?? '') + delta);
  }
  return [...texts].map(([id, text]) => ({ id, arguments: JSON.parse(text) }));
}
