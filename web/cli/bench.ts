// SPDX-License-Identifier: MIT
import { rate } from '../engine/generation.js';
import type { GenerationResult, GenerationStream } from '../index.js';
import { openModel, printJson, readOptions, whole } from './options.js';
import { profileReport, profileTable } from './profile.js';

const OPTIONS = {
  prefill: { type: 'string' },
  decode: { type: 'string' },
  texts: { type: 'string' },
  repeat: { type: 'string' },
  profile: { type: 'boolean' },
} as const;

interface Run {
  prefillTokens: number;
  decodeTokens: number;
  prefillTokensPerSecond: number;
  decodeTokensPerSecond: number;
}

export const bench = {
  usage: `fastweights bench --model FILE [--prefill N] [--decode N] [--texts N] [--repeat N] [--profile]
  Tokens per second of reading N tokens (default 512) and of writing N (default 64): the medians of
  --repeat runs (default 3) after one that is not counted. With --texts N so many texts go on from
  the prompt together, and what they write per second is added up. --profile adds where the time of
  those runs went, part by part.`,

  async run(args: string[]): Promise<void> {
    const values = readOptions(args, OPTIONS);
    const prefill = whole(values, 'prefill', 1) ?? 512;
    const decode = whole(values, 'decode', 2) ?? 64;
    const texts = whole(values, 'texts', 1) ?? 1;
    const repeat = whole(values, 'repeat', 1) ?? 3;
    await using model = await openModel(values);
    const prompt = promptOf(model.vocabSize, prefill);
    const once = async (): Promise<Run> => {
      const started = performance.now();
      const options = { temperature: 0, maxTokens: decode, ignoreEos: true };
      const streams = await model.alternatives(prompt, texts, options);
      const prefillMs = performance.now() - started;
      const results = await Promise.all(streams.map(finished));
      // The first token was already decided by the prompt.
      const written = results.reduce((sum, { tokens }) => sum + tokens.length - 1, 0);
      return {
        prefillTokens: prefill,
        decodeTokens: written + texts,
        prefillTokensPerSecond: rate(prefill, prefillMs),
        decodeTokensPerSecond: rate(
          written,
          Math.max(...results.map(({ timings }) => timings.decodeMs)),
        ),
      };
    };
    await once();
    const runs: Run[] = [];
    const all = async () => {
      while (runs.length < repeat) runs.push(await once());
    };
    const tokens = { prefill: prefill * repeat, decode: decode * texts * repeat };
    const profile = values.profile ? profileReport(await model.profile(all), tokens) : await all();
    const middle = (pick: (run: Run) => number) =>
      runs.map(pick).sort((a, b) => a - b)[Math.floor(runs.length / 2)] as number;
    const { facts } = model;
    const report = {
      model: facts.name,
      build: facts.build,
      threads: facts.threads,
      texts,
      loadMs: facts.loadMs,
      prefillTokensPerSecond: middle((run) => run.prefillTokensPerSecond),
      decodeTokensPerSecond: middle((run) => run.decodeTokensPerSecond),
      runs,
      memory: await model.memory(),
      profile: profile ?? undefined,
    };
    if (values.json) printJson(report);
    else {
      process.stdout.write(
        `${report.build}: ${report.prefillTokensPerSecond.toFixed(1)} tokens/s read, ` +
          `${report.decodeTokensPerSecond.toFixed(1)} written, loaded in ${report.loadMs.toFixed(0)} ms\n`,
      );
      if (profile) process.stdout.write(`\n${profileTable(profile)}`);
    }
  },
};

async function finished(stream: GenerationStream): Promise<GenerationResult> {
  for await (const _ of stream);
  return stream.result;
}

// Tokens spread over the vocabulary: what they are does not change the work.
function promptOf(vocabSize: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (i * 7919) % vocabSize);
}
