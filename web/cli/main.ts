#!/usr/bin/env node
// SPDX-License-Identifier: MIT
import { setTimeout } from 'node:timers/promises';
import { bench } from './bench.js';
import { generate } from './generate.js';
import { inspect } from './inspect.js';
import { logits } from './logits.js';
import { CommandLineError } from './options.js';
import { perplexity } from './perplexity.js';
import { verify } from './verify.js';

const COMMANDS: Record<string, { run(args: string[]): Promise<void>; usage: string }> = {
  generate,
  logits,
  perplexity,
  bench,
  inspect,
  verify,
};

const USAGE = `fastweights: linear-attention language models on the CPU

${Object.values(COMMANDS)
  .map(({ usage }) => usage)
  .join('\n\n')}

Every command takes --model FILE (a path or URL of a GGUF, or of the folder of a safetensors
checkpoint; a folder's URL ends in /), --json (one JSON object on stdout and
nothing else), --build simd128|relaxed (default: relaxed where the engine has it), --threads N,
--weights stored|q8_0|q4_0|q4_k|qc8 (all but stored: matrices are quantised while the model loads,
with qc8 to int8 with one scale a row), --kv f32|bf16|int8 (how softmax layers keep keys and
values) and --speculate (texts are written with guesses).
`;

async function main(): Promise<number> {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(USAGE);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    process.stderr.write(`fastweights: there is no command '${name}'\n\n${USAGE}`);
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${command.usage}\n`);
    return 0;
  }
  try {
    await command.run(args);
    return 0;
  } catch (error) {
    const { name: kind, message, code } = error as Error & { code?: string };
    process.stderr.write(`fastweights: ${code ? `[${code}] ` : ''}${message || kind}\n`);
    if (error instanceof CommandLineError) process.stderr.write(`\n${command.usage}\n`);
    return error instanceof CommandLineError ? 2 : 1;
  }
}

// Whoever reads the output may have seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const code = await main();
// Writing to a pipe is asynchronous on Windows.
for (const stream of [process.stdout, process.stderr]) {
  await new Promise<void>((written) => stream.write('', () => written()));
}
// The end of a Node 20 process waits for compilations that wait for a collection by the thread that
// waits for them (nodejs/node#54918). Of 1000 processes, four at once on two cores, three never ended
// by themselves, and five where exit() came at once; none where compilations had 20 ms to end.
await setTimeout(20);
process.exit(code);
