// SPDX-License-Identifier: MIT
//
// npm run bench [-- NAME]: tokens per second, as a Markdown table with date, machine and command.
//   demo   the small story model, every build (the default)
//   shape  random weights at the shape of Qwen3.5-0.8B, several types (--shape, --types)
//   peers  the same file in other runtimes, in the same browser (--peers, --types, --threads,
//          --repeat, --shape, --prefill, --decode, --json FILE)
//   families  every architecture at a published shape, wllama beside it (--shapes, --types, --threads,
//          --prefill, --decode, --repeat, --json FILE)
//   engines  every build in Chromium, Firefox and WebKitGTK, wllama beside it (--engines, --shape,
//          --type, --threads, --prefill, --decode, --repeat, --json FILE)
//   retry  a long conversation whose last message is asked again or changed, here, in wllama and in
//          transformers.js (--peers, --types, --threads, --repeat, --shape, --json FILE)
//   products  one matrix product at a time, beside the engine's own limits (--types, --build,
//          --repeat)
//   kernels   one kernel of associative memories at a time, beside the engine's own limits, and whole
//          calls beside onnxruntime-web's LinearAttention (--build, --repeat, --json FILE, --engines)
//   prefixes  the first token of a chat with a long system prompt, read and from a kept state (--shape,
//          --type, --tokens, --repeat, --threads)
//   open      a model opened from a server, from its kept file and from packed weights, first tokens after
//          that, memory (--shape, --type, --threads, --repeat, --kinds)
//   compact   perplexity behind states that were written in fewer bytes (--model, --file, --context)
//   context  reading and writing behind many tokens whose keys and values are kept (--shape, --type,
//          --kv, --held, --threads, --prefill, --decode, --repeat)
//   batch  several texts written together (--shape, --types, --threads, --texts)
//   soak   a million tokens, a thousand loads and a thousand copied states in Chromium: memory and speed
//          at the start and at the end (--kinds, --tokens, --rounds, --threads)
//   threads  what 1, 2, 4 ... threads gain (--shape, --types, --threads, --prefill, --decode, --repeat)
//   speculate  texts with guesses that are checked together, and without (--model, --threads,
//          --repeat)
//   story  how well a model writes children's stories and talks about them (--model, --json FILE, --only,
//          --told, --seeds)
//   long   200 000 tokens in one session: speed and memory at its start and at its end

import { cpus } from 'node:os';

import { build } from './build.mjs';
import { endWith, optionsOf } from './options.mjs';

/** @type {Record<string, () => Promise<{ run: (args: string[]) => Promise<string> }>>} */
const kBenchmarks = {
  demo: () => import('./bench/demo.mjs'),
  shape: () => import('./bench/shape.mjs'),
  batch: () => import('./bench/batch.mjs'),
  long: () => import('./bench/long.mjs'),
  soak: () => import('./bench/soak.mjs'),
  products: () => import('./bench/products.mjs'),
  kernels: () => import('./bench/kernels.mjs'),
  prefixes: () => import('./bench/prefixes.mjs'),
  open: () => import('./bench/open.mjs'),
  compact: () => import('./bench/compact.mjs'),
  context: () => import('./bench/context.mjs'),
  peers: () => import('./bench/peers.mjs'),
  engines: () => import('./bench/engines.mjs'),
  families: () => import('./bench/families.mjs'),
  retry: () => import('./bench/retry.mjs'),
  threads: () => import('./bench/threads.mjs'),
  speculate: () => import('./bench/speculate.mjs'),
  story: () => import('./bench/story.mjs'),
};

// Those behind the name are the benchmark's own.
optionsOf(import.meta.filename, { strict: false });
const [name = 'demo', ...args] = process.argv.slice(2);
if (!Object.hasOwn(kBenchmarks, name)) {
  endWith(import.meta.filename, `there is no benchmark '${name}'`);
}
await build();
const { run } = await kBenchmarks[name]();
const table = await run(args);
const [{ model }] = cpus();
const command = [name, ...args].join(' ');
const date = new Date().toISOString().slice(0, 10);
process.stdout.write(
  `\n${date}, ${cpus().length} x ${model.trim()}, \`npm run bench -- ${command}\`\n\n`,
);
process.stdout.write(`${table}\n`);
