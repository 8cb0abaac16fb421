// SPDX-License-Identifier: MIT
import type { EngineFacts, MemoryUse } from '../engine.js';
import type { GenerationResult } from '../generation.js';
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
} as const;

/** Softmax layers keep keys and values in pages of this many tokens. */
const PAGE_TOKENS = 64;

export const generate = {
  usage: `fastweights generate --model FILE --prompt TEXT [--chat] [--system TEXT] [--max-tokens N]
    [--temperature T] [--top-k N] [--top-p P] [--min-p P] [--repetition-penalty R] [--seed N]
    [--stop TEXT]... [--ignore-eos] [--thinking | --no-thinking]
  Goes on from the prompt, or with --chat answers it. --temperature 0 is greedy.`,

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
    const { stream, memory } = await begin(model, prompt, values, options);
    for await (const piece of stream) if (!values.json) process.stdout.write(piece);
    const result = await stream.result;
    const report = reportOf(model.facts, result, await memory());
    if (values.json) printJson(report);
    else summarise(report);
  },
};

async function begin(
  model: Model,
  prompt: string,
  values: Record<string, unknown>,
  options: GenerationOptions,
): Promise<{ stream: GenerationStream; memory(): Promise<MemoryUse> }> {
  const { system } = values;
  if (values.chat !== true && system === undefined) {
    return { stream: model.generate(prompt, options), memory: () => model.memory() };
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
  const stream = session.promptStreaming(messages, options);
  return { stream, memory: async () => session.memory };
}

function reportOf(facts: EngineFacts, result: GenerationResult, memory: MemoryUse) {
  const { text, promptTokens, tokens, finishReason, seed, timings } = result;
  // The last token has been drawn but not read.
  const pages = Math.ceil((promptTokens.length + tokens.length - 1) / PAGE_TOKENS);
  return {
    text,
    promptTokens,
    tokens,
    finishReason,
    seed,
    timings: { loadMs: facts.loadMs, ...timings },
    memory: {
      weightsBytes: memory.weightsBytes,
      // A text that has ended has given its session back: its size is known from the model.
      stateBytes: memory.stateBytes || facts.stateBytes,
      kvBytes: memory.kvBytes || pages * PAGE_TOKENS * facts.kvBytesPerToken,
      heapBytes: memory.heapBytes,
    },
    build: facts.build,
    threads: facts.threads,
  };
}

function summarise({ timings, promptTokens, tokens, build }: ReturnType<typeof reportOf>): void {
  process.stderr.write(
    `\n\n${promptTokens.length} tokens read at ${timings.prefillTokensPerSecond.toFixed(0)}/s, ` +
      `${tokens.length} written at ${timings.decodeTokensPerSecond.toFixed(0)}/s ` +
      `(${build}, loaded in ${timings.loadMs.toFixed(0)} ms)\n`,
  );
}
