// SPDX-License-Identifier: MIT
import { inspectModel, type Model } from '../index.js';
import { digestOf, KNOWN_MODELS, type KnownText } from './known-models.js';
import { openModel, printJson, readOptions, required, wasmOptions } from './options.js';

// What won by less may lose in other arithmetic.
const LEAST_MARGIN = 0.5;

interface CheckedToken {
  token: number;
  /** The one that is most likely here, after the same tokens. */
  found: number;
  /** By how much its logit is above the second one's. */
  margin: number;
  /** The same of whoever published the token. */
  publishedMargin?: number;
}

interface CheckedText {
  prompt: string;
  weights: string;
  from: string;
  agreeing: number;
  tokens: CheckedToken[];
  holds: boolean;
}

export const verify = {
  usage: `fastweights verify --model FILE
  For a file of a model whose greedy continuations somebody has published, known by its tensors'
  names and shapes: whether the same tokens come. Fails where they do not, or no model is known.`,

  async run(args: string[]): Promise<void> {
    const values = readOptions(args, {});
    const source = required(values, 'model');
    const { tensors } = await inspectModel(source, { wasm: wasmOptions(values) });
    const digest = digestOf(tensors);
    const known = KNOWN_MODELS.find((one) => one.digest === digest);
    if (!known) {
      const names = KNOWN_MODELS.map(({ name }) => name).join(', ');
      throw new Error(`no model with these tensors is known (${names} are); digest ${digest}`);
    }
    await using model = await openModel(values);
    const texts: CheckedText[] = [];
    for (const text of known.texts) texts.push(await check(model, text));
    const verified = texts.every(({ holds }) => holds);
    if (values.json) printJson({ model: known.name, digest, verified, texts });
    else process.stdout.write(report(known.name, texts));
    if (!verified) throw new Error(`${known.name}: other tokens come than were published`);
  },
};

// After the published tokens, so that one difference is not all that follows from it.
async function check(model: Model, text: KnownText): Promise<CheckedText> {
  const { prompt, tokens: published, margins, weights, from } = text;
  const before = await model.tokenize(prompt);
  const all = await model.logits([...before, ...published.slice(0, -1)], { all: true });
  const tokens = published.map((token, i) => {
    const at = (before.length - 1 + i) * model.vocabSize;
    return {
      token,
      ...bestOf(all.subarray(at, at + model.vocabSize)),
      publishedMargin: margins?.[i],
    };
  });
  const agreeing = tokens.filter(({ token, found }) => token === found).length;
  const holds = tokens.every(
    ({ token, found, margin, publishedMargin = margin }) =>
      token === found || publishedMargin < LEAST_MARGIN,
  );
  return { prompt, weights, from, agreeing, tokens, holds };
}

function bestOf(logits: Float32Array): { found: number; margin: number } {
  let found = 0;
  let second = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < logits.length; i++) {
    const logit = logits[i] as number;
    const best = logits[found] as number;
    if (logit > best) {
      second = best;
      found = i;
    } else if (logit > second) second = logit;
  }
  return { found, margin: (logits[found] as number) - second };
}

function report(name: string, texts: readonly CheckedText[]): string {
  return texts
    .map(({ prompt, weights, from, agreeing, tokens }) => {
      const lines = tokens.map(({ token, found, margin, publishedMargin }) => {
        const theirs = publishedMargin === undefined ? '' : `, theirs by ${publishedMargin}`;
        const here = token === found ? 'comes' : `not: ${found} comes`;
        return `  ${token} ${here}, by ${margin.toFixed(2)}${theirs}\n`;
      });
      const head = `${name}: ${agreeing} of ${tokens.length} tokens after ${JSON.stringify(prompt)}\n`;
      return `${head}  as ${from} has them, ${weights}\n${lines.join('')}`;
    })
    .join('\n');
}
