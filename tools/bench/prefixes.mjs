// SPDX-License-Identifier: MIT

import { parseArgs } from 'node:util';

import { median } from './clock.mjs';
import { markdown } from './command-line.mjs';
import { madeModel } from './made-model.mjs';

const kPrecisions = /** @type {const} */ (['none', 'f32', 'f16', 'int8']);
const kQuestion = 'What is there to say about it?';

/**
 * The first token of a chat with a long system prompt: read, and from a kept state.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      shape: { type: 'string', default: 'qwen3.5-0.8b' },
      type: { type: 'string', default: 'q8_0' },
      tokens: { type: 'string', default: '1500' },
      repeat: { type: 'string', default: '3' },
      threads: { type: 'string', default: '1' },
    },
  });
  const { loadModel } = await import('fastweights');
  const file = await madeModel(values.shape, values.type);
  const rows = [];
  for (const precision of kPrecisions) {
    const model = await loadModel(file, {
      worker: false,
      threads: Number(values.threads),
      prefixes: precision !== 'none' && { memoryBytes: 1e9, precision },
    });
    /** @type {import('fastweights').Message[]} */
    const initialPrompts = [
      { role: 'system', content: await textOf(model, Number(values.tokens)) },
    ];
    const kept =
      precision === 'none' ? undefined : await timed(() => model.keepPrefix(initialPrompts));
    /** @type {number[]} */
    const times = [];
    let found;
    while (times.length < Number(values.repeat)) {
      const { value, ms } = await timed(async () => {
        const session = await model.createSession({ initialPrompts });
        await session.prompt(kQuestion, { maxTokens: 1 });
        session.destroy();
        return session.contextUsage;
      });
      found = value;
      times.push(ms);
    }
    rows.push([
      precision,
      String(found),
      kept ? (kept.value.bytes / 1e6).toFixed(1) : '',
      median(times).toFixed(0),
    ]);
    await model.dispose();
  }
  return markdown(['kept as', 'tokens of the chat', 'MB', 'first token, ms'], rows);
}

// Words of one token each or more, as many as the tokens asked for.
/** @type {(model: import('fastweights').Model, tokens: number) => Promise<string>} */
async function textOf(model, tokens) {
  const words = Array.from({ length: tokens }, (_, i) => ` w${(i * 7919) % 1000}`);
  const ids = await model.tokenize(words.join(''));
  return model.detokenize(ids.slice(0, tokens));
}

/**
 * @template T
 * @param {() => Promise<T>} work
 */
async function timed(work) {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}
