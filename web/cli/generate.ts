// SPDX-License-Identifier: MIT
import type { EngineFacts, GenerationResult } from '../engine/types.js';
import type { GenerationStream } from '../generation-stream.js';
import type { Model } from '../model.js';
import type { GenerationOptions } from '../options.js';
import { number, openModel, printJson, readOptions, required, whole } from './options.js';

const OPTIONS = {
  prompt: { type: 'string' },
  chat: { type: 'boolean', default: false },
  system: { type: 'string' },
  thinking: { type: 'boolean' },
  'no-thinking': { type: 'boolean' },
  'max-tokens': { type: 'string' },
  temperature: { type: 'string' },
  'top-k': { type: 'string' },
  'top-p': { type: 'string' },
  'min-p': { type: 'string' },
  'repetition-penalty': { type: 'string' },
  seed: { type: 'string' },
  stop: { type: 'string', multiple: true },
  'ignore-eos': { type: 'boolean', default: false },
  draft: { type: 'string' },
} as const;

export const generate = {
  usage: `fastweights generate --model FILE --prompt TEXT [--chat] [--system TEXT] [--max-tokens N]
    [--temperature T] [--top-k N] [--top-p P] [--min-p P] [--repetition-penalty R] [--seed N]
    [--stop TEXT]... [--ignore-eos] [--thinking | --no-thinking] [--draft FILE]
  Goes on from the prompt, or with --chat answers it. --temperature 0 is greedy. --draft is a small
  model of the same vocabulary, which guesses tokens ahead.`,

  async run(args: string[]): Promise<void> {
    const values = readOptions(args, OPTIONS);
    const prompt = required(values, 'prompt');
    const aborter = new AbortController();
    process.once('SIGINT', () => aborter.abort(new Error('interrupted')));
    const options: GenerationOptions = {
      maxTokens: whole(values, 'max-tokens', 1),
      temperature: number(values, 'temperature'),
      topK: whole(values, 'top-k', 0),
      topP: number(values, 'top-p'),
      minP: number(values, 'min-p'),
      repetitionPenalty: number(values, 'repetition-penalty'),
      seed: whole(values, 'seed', 0),
      stop: values.stop as unknown as string[] | undefined,
      ignoreEos: values['ignore-eos'] === true,
      signal: aborter.signal,
    };
    await using model = await openModel(values, aborter.signal);
    const stream = await begin(model, prompt, values, options);
    for await (const piece of stream) if (!values.json) process.stdout.write(piece);
    const report = reportOf(model.facts, await stream.result);
    if (values.json) printJson(report);
    else summarise(report);
  },
};

async function begin(
  model: Model,
  prompt: string,
  values: Record<string, unknown>,
  options: GenerationOptions,
): Promise<GenerationStream> {
  const { system } = values;
  if (values.chat !== true && system === undefined) {
    return model.generate(prompt, options);
  }
  const session = await model.createSession({
    thinking: values.thinking === true ? true : values['no-thinking'] === true ? false : undefined,
    // The session draws with the seed from its first token on.
    seed: options.seed,
    signal: options.signal,
  });
  const messages = [
    ...(typeof system === 'string' ? [{ role: 'system' as const, content: system }] : []),
    { role: 'user' as const, content: prompt },
  ];
  return session.promptStreaming(messages, options);
}

function reportOf({ loadMs, threads }: EngineFacts, result: GenerationResult) {
  const { text, promptTokens, tokens, finishReason, seed, timings, memory, build } = result;
  const { weightsBytes, stateBytes, kvBytes, heapBytes } = memory;
  return {
    text,
    promptTokens,
    tokens,
    finishReason,
    seed,
    timings: { loadMs, ...timings },
    memory: { weightsBytes, stateBytes, kvBytes, heapBytes },
    build,
    threads,
  };
}

function summarise({ timings, promptTokens, tokens, build }: ReturnType<typeof reportOf>): void {
  process.stderr.write(
    `\n\n${promptTokens.length} tokens read at ${timings.prefillTokensPerSecond.toFixed(0)}/s, ` +
      `${tokens.length} written at ${timings.decodeTokensPerSecond.toFixed(0)}/s ` +
      `(${build}, loaded in ${timings.loadMs.toFixed(0)} ms)\n`,
  );
}
