// SPDX-License-Identifier: MIT
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../support/file-server.js';
import { editModel } from './edit-model.js';
import {
  BUILD,
  collect,
  DEMO,
  demoReference,
  goldenPath,
  hybridModel,
  linearModel,
  loadModel,
} from './models.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cli-'));
const tiny = join(folder, 'tiny.gguf');
const hybrid = join(folder, 'hybrid.gguf');
writeFileSync(tiny, linearModel());
writeFileSync(hybrid, hybridModel());
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command; the build under test is named where the command takes it. */
function run(...args) {
  const build = BUILD && args.includes('--model') ? ['--build', BUILD] : [];
  return new Promise((resolve) => {
    // One that hangs fails its test, and not the whole suite, which would wait for it.
    const end = { timeout: 50_000, killSignal: 'SIGKILL' };
    const options = { encoding: 'utf8', maxBuffer: 2 ** 28, ...end };
    execFile(process.execPath, [CLI, ...args, ...build], options, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr });
    });
  });
}

/** Runs a command with --json; its output must be one line of JSON and nothing else. */
async function json(...args) {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.endsWith('\n')).toBe(true);
  expect(stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(stdout);
}

const [{ text: PROMPT, ids: PROMPT_IDS, greedy }] = demoReference.prompts;

describe('generate', () => {
  test('--json gives the text and everything about it', async () => {
    const found = await json(
      ...['generate', '--model', DEMO, '--prompt', PROMPT],
      ...['--max-tokens', '12', '--temperature', '0'],
    );
    expect(Object.keys(found)).toEqual(
      expect.arrayContaining([
        'text',
        'promptTokens',
        'tokens',
        'finishReason',
        'timings',
        'memory',
        'build',
      ]),
    );
    expect(found.text).toBe(', there was a little boy who loved to play with blocks');
    expect(found.tokens).toEqual(greedy.slice(0, 12));
    expect(found.promptTokens).toEqual(PROMPT_IDS);
    expect(found.finishReason).toBe('length');
    expect(found.build).toEqual(BUILD ?? expect.stringMatching(/^(simd128|relaxed)$/));
    const times = [
      'loadMs',
      'prefillMs',
      'prefillTokensPerSecond',
      'decodeMs',
      'decodeTokensPerSecond',
    ];
    for (const name of times) expect([name, found.timings[name] > 0]).toEqual([name, true]);
    const { weightsBytes, stateBytes, kvBytes, heapBytes } = found.memory;
    expect(weightsBytes).toBeGreaterThan(17e6);
    expect(stateBytes).toBeGreaterThanOrEqual(8 * 6 * 64 * 64 * 4);
    expect(kvBytes).toBe(0);
    expect(heapBytes).toBeGreaterThan(weightsBytes);
  });

  test('counts the KV pages of a model with softmax layers', async () => {
    const found = await json(
      ...['generate', '--model', hybrid, '--prompt', 'q'.repeat(60)],
      ...['--max-tokens', '20', '--ignore-eos'],
    );
    const tokens = found.promptTokens.length + found.tokens.length - 1;
    expect(tokens).toBeGreaterThan(64);
    expect(found.memory.kvBytes).toBe(Math.ceil(tokens / 64) * 64 * 256);
  });

  test('streams text to stdout and a summary to stderr', async () => {
    const { code, stdout, stderr } = await run(
      ...['generate', '--model', DEMO, '--prompt', PROMPT],
      ...['--max-tokens', '12', '--temperature', '0'],
    );
    expect(code).toBe(0);
    expect(stdout.trimEnd()).toBe(', there was a little boy who loved to play with blocks');
    expect(stderr).toMatch(/4 tokens .*12 /s);
  });

  test('takes the same seed for the same text', async () => {
    const args = ['generate', '--model', tiny, '--prompt', 'Hi', '--max-tokens', '20'];
    const options = ['--temperature', '1.5', '--top-k', '0', '--top-p', '1', '--min-p', '0'];
    const one = await json(...args, ...options, '--seed', '7');
    const same = await json(...args, ...options, '--seed', '7');
    const other = await json(...args, ...options, '--seed', '8');
    expect(same.tokens).toEqual(one.tokens);
    expect(other.tokens).not.toEqual(one.tokens);
    const model = await loadModel(tiny);
    const sampling = { temperature: 1.5, topK: 0, topP: 1, minP: 0, seed: 7, maxTokens: 20 };
    expect((await collect(model.generate('Hi', sampling))).tokens).toEqual(one.tokens);
    await model.dispose();
  });

  test('takes --stop several times', async () => {
    const found = await json(
      ...['generate', '--model', DEMO, '--prompt', PROMPT, '--temperature', '0'],
      ...['--stop', 'never there', '--stop', 'boy', '--stop', 'play'],
    );
    expect(found.text).toBe(', there was a little ');
    expect(found.finishReason).toBe('stop');
  });

  test('--chat and --system answer by the chat template', async () => {
    const args = [
      '--model',
      DEMO,
      '--prompt',
      'Tell me.',
      '--max-tokens',
      '8',
      '--temperature',
      '0',
    ];
    const chat = await json('generate', ...args, '--chat');
    const system = await json('generate', ...args, '--chat', '--system', 'You are brief.');
    const model = await loadModel(DEMO);
    const render = (text) => model.tokenize(text);
    expect(chat.promptTokens).toEqual(
      await render('<|im_start|>user\nTell me.<|im_end|>\n<|im_start|>assistant\n'),
    );
    expect(system.promptTokens).toEqual(
      await render(
        '<|im_start|>system\nYou are brief.<|im_end|>\n' +
          '<|im_start|>user\nTell me.<|im_end|>\n<|im_start|>assistant\n',
      ),
    );
    const session = await model.createSession({ temperature: 0 });
    expect(await session.prompt('Tell me.', { maxTokens: 8 })).toBe(chat.text);
    expect(chat.memory.stateBytes).toBe(model.facts.stateBytes);
    await model.dispose();
  });

  test('--ignore-eos goes on to the last token asked for', async () => {
    const found = await json(
      ...['generate', '--model', tiny, '--prompt', 'Hi', '--ignore-eos', '--max-tokens', '300'],
    );
    expect(found.tokens).toHaveLength(300);
  });

  test.each(['1', '2', '3'])('--build and --threads %s say what runs', async (threads) => {
    const { code, stdout } = await run(
      ...['generate', '--model', tiny, '--prompt', 'Hi', '--max-tokens', '1', '--json'],
      ...['--threads', threads, '--build', 'simd128'],
    );
    expect(code).toBe(0);
    const { build, threads: found } = JSON.parse(stdout);
    expect(build).toBe(BUILD ?? 'simd128');
    expect(found).toBe(Number(threads));
  });

  test('takes a URL as the model', async () => {
    const server = await serve({ '/tiny.gguf': { bytes: readFileSync(tiny) } });
    const found = await json(
      ...['generate', '--model', server.url('/tiny.gguf'), '--prompt', 'Hi', '--max-tokens', '2'],
    );
    expect(found.tokens.length).toBeGreaterThan(0);
    await server.close();
  });
});

describe('logits', () => {
  test('--json gives the row after the last token', async () => {
    const found = await json('logits', '--model', tiny, '--tokens', '1,2,3');
    expect(Object.keys(found)).toEqual(['tokens', 'shape', 'logits']);
    expect(found.tokens).toEqual([1, 2, 3]);
    expect(found.shape).toEqual([1, 512]);
    const model = await loadModel(tiny);
    const wanted = await model.logits([1, 2, 3]);
    expect(Float32Array.from(found.logits)).toEqual(Float32Array.from(wanted));
    await model.dispose();
  });

  test('--all --output writes every row as raw float32', async () => {
    const output = join(folder, 'logits.bin');
    const found = await json(
      'logits',
      '--model',
      tiny,
      '--prompt',
      'Hello',
      '--all',
      '--output',
      output,
    );
    const model = await loadModel(tiny);
    const tokens = await model.tokenize('Hello');
    expect(found.tokens).toEqual(tokens);
    expect(found.shape).toEqual([tokens.length, 512]);
    expect(found.logits).toBeUndefined();
    const bytes = readFileSync(output);
    const wanted = await model.logits(tokens, { all: true });
    expect(bytes.equals(Buffer.from(wanted.buffer))).toBe(true);
    await model.dispose();
  });

  test('says nothing when it writes a file without --json', async () => {
    const output = join(folder, 'quiet.bin');
    const { code, stdout } = await run(
      'logits',
      '--model',
      tiny,
      '--tokens',
      '5',
      '--output',
      output,
    );
    expect([code, stdout]).toEqual([0, '']);
    expect(readFileSync(output)).toHaveLength(512 * 4);
  });
});

describe('perplexity', () => {
  const text = join(folder, 'text.txt');
  writeFileSync(
    text,
    readFileSync(goldenPath(`demo/${demoReference.perplexity.text}`), 'utf8').slice(0, 2500),
  );

  test('--json gives the score', async () => {
    const found = await json('perplexity', '--model', DEMO, '--file', text, '--context', '256');
    expect(Object.keys(found)).toEqual(['tokens', 'scored', 'nll', 'perplexity', 'bitsPerByte']);
    const model = await loadModel(DEMO);
    expect(found).toEqual(await model.perplexity(readFileSync(text, 'utf8'), { context: 256 }));
    await model.dispose();
    expect(found.scored).toBe(Math.floor(found.tokens / 256) * 255);
    expect(found.perplexity).toBeCloseTo(Math.exp(found.nll / found.scored), 10);
    expect(found.perplexity).toBeLessThan(1.6);
  });

  test('without --json gives one line', async () => {
    const { code, stdout } = await run(
      'perplexity',
      '--model',
      tiny,
      '--file',
      text,
      '--context',
      '99',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^perplexity [\d.]+, [\d.]+ bits per byte, .*tokens\n$/);
  });
});

describe('inspect', () => {
  test('--json gives metadata, tensors and memory', async () => {
    const found = await json('inspect', '--model', DEMO);
    expect(Object.keys(found)).toEqual(['architecture', 'metadata', 'tensors', 'memory']);
    expect(found.architecture).toBe('qwen35');
    expect(found.metadata['qwen35.embedding_length']).toBe(384);
    expect(found.metadata['tokenizer.ggml.tokens']).toHaveLength(4096);
    expect(found.tensors.length).toBeGreaterThan(100);
    const embedding = found.tensors.find(({ name }) => name === 'token_embd.weight');
    expect(embedding).toEqual({
      name: 'token_embd.weight',
      type: 'Q8_0',
      shape: [384, 4096],
      bytes: (384 * 4096 * 34) / 32,
    });
    const loaded = await json('generate', '--model', DEMO, '--prompt', 'Hi', '--max-tokens', '1');
    expect(found.memory.weightsBytes).toBe(loaded.memory.weightsBytes);
    expect(found.memory.stateBytes).toBe(loaded.memory.stateBytes);
    expect(found.memory.kvBytesPerToken).toBe(0);
  });

  test('--weights says what the model would take in that form', async () => {
    const stored = await json('inspect', '--model', DEMO);
    const qc8 = await json('inspect', '--model', DEMO, '--weights', 'qc8');
    const found = await json(
      ...['generate', '--model', DEMO, '--prompt', 'Hi', '--max-tokens', '1', '--weights', 'qc8'],
    );
    // One scale a row, not one for every 32 weights.
    expect(qc8.memory.weightsBytes).toBeLessThan(0.98 * stored.memory.weightsBytes);
    expect(found.memory.weightsBytes).toBe(qc8.memory.weightsBytes);
  });

  test('--kv says what a token takes in that type, and is taken by every command', async () => {
    const bytes = async (kv) =>
      (await json('inspect', '--model', hybrid, ...kv)).memory.kvBytesPerToken;
    expect(await bytes(['--kv', 'bf16'])).toBe((await bytes(['--kv', 'f32'])) / 2);
    const read = ['generate', '--model', hybrid, '--prompt', 'Hi', '--max-tokens', '1'];
    const found = await json(...read, '--kv', 'int8');
    expect(found.memory.kvBytes).toBe(64 * (await bytes(['--kv', 'int8'])));
    const { code, stderr } = await run(...read, '--kv', 'f16');
    expect(code).toBe(2);
    expect(stderr).toContain('--kv must be one of f32, bf16, int8');
  });

  test('reads no weights', async () => {
    const server = await serve({
      '/demo.gguf': { bytes: readFileSync(DEMO), stallAfter: 1_000_000 },
    });
    const found = await json('inspect', '--model', server.url('/demo.gguf'));
    expect(found.architecture).toBe('qwen35');
    await server.close();
  });

  test('without --json lists them for people', async () => {
    const { code, stdout } = await run('inspect', '--model', tiny);
    expect(code).toBe(0);
    expect(stdout).toContain('general.architecture = "qwen35"');
    expect(stdout).toMatch(/token_embd\.weight {2}Q8_0 \[64, 512\]/);
  });
});

describe('bench', () => {
  test('--json gives rates, runs and memory', async () => {
    const found = await json(
      ...['bench', '--model', tiny, '--prefill', '64', '--decode', '8', '--repeat', '2'],
    );
    expect(found.runs).toHaveLength(2);
    for (const run of found.runs) {
      expect(run.prefillTokens).toBe(64);
      expect(run.decodeTokens).toBe(8);
    }
    for (const name of ['prefillTokensPerSecond', 'decodeTokensPerSecond', 'loadMs', 'threads']) {
      expect([name, found[name] > 0]).toEqual([name, true]);
    }
    expect(found.memory.weightsBytes).toBeGreaterThan(0);
    expect(found.build).toMatch(/^(simd128|relaxed)$/);
    expect(found).not.toHaveProperty('profile');
  });

  test('--profile charges all of the time to parts', async () => {
    const sizes = ['--prefill', '64', '--decode', '8', '--repeat', '2'];
    const { profile, runs } = await json('bench', '--model', hybrid, ...sizes, '--profile');
    for (const [phase, tokens] of [
      ['prefill', 64 * 2],
      ['decode', 8 * 2],
    ]) {
      const { parts, ...total } = profile[phase];
      expect(total).toEqual({ tokens, ms: expect.any(Number) });
      const shares = parts.map(({ share }) => share);
      expect(shares).toEqual([...shares].sort((a, b) => b - a));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
      expect(parts.map(({ part }) => part)).toEqual(
        expect.arrayContaining(['recurrence', 'softmax attention', 'gated norm', 'rest']),
      );
      const products = parts.filter(({ part }) => part.startsWith('product '));
      expect(products.map(({ part }) => part).join()).toMatch(/ \d+x\d+ \(.*ffn_gate, ffn_up/);
      for (const { calls, gops, gbps } of products) {
        expect([calls > 0, gops > 0, gbps > 0]).toEqual([true, true, true]);
      }
    }
    const readMs = runs.reduce((sum, run) => sum + 64e3 / run.prefillTokensPerSecond, 0);
    expect(profile.prefill.ms).toBeLessThan(readMs);
    expect(profile.decode.parts.find(({ part }) => part === 'sampler').calls).toBe(16);
  });

  test('--profile prints two tables', async () => {
    const sizes = ['--prefill', '16', '--decode', '2', '--repeat', '1'];
    const { code, stdout } = await run('bench', '--model', tiny, ...sizes, '--profile');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^prefill: 16 tokens, \d+ ms, [\d.]+ ms a token\npart +calls +ms +share/m,
    );
    expect(stdout).toMatch(/^decode: 2 tokens/m);
    expect(stdout).toMatch(/^recurrence +\d+ +[\d.]+ +[\d.]+ % +[\d.]+$/m);
  });
});

describe('errors', () => {
  const broken = join(folder, 'broken.gguf');
  writeFileSync(broken, readFileSync(tiny).subarray(0, 3000));
  const other = join(folder, 'other.gguf');
  writeFileSync(
    other,
    editModel(linearModel(), { set: { 'general.architecture': ['string', 'llama'] } }),
  );

  test.each([
    ['a file that is not there', ['--model', join(folder, 'no.gguf')], 'not_found'],
    ['a cut file', ['--model', broken], 'truncated'],
    ['a model of another kind', ['--model', other], 'unsupported_architecture'],
  ])('%s is told on stderr with exit code 1', async (_name, args, code) => {
    for (const command of [
      ['generate', '--prompt', 'Hi'],
      ['logits', '--tokens', '1'],
      ['inspect'],
      ['bench'],
      ['perplexity', '--file', CLI],
    ]) {
      const found = await run(...command, ...args, '--json');
      expect([found.code, found.stdout]).toEqual([1, '']);
      expect(found.stderr).toContain(`[${code}]`);
      expect(found.stderr).not.toMatch(/^ {4}at /m);
    }
  });

  test.each([
    ['a text that is not there', ['perplexity', '--model', tiny, '--file', join(folder, 'no.txt')]],
    ['a token outside the vocabulary', ['logits', '--model', tiny, '--tokens', '512']],
    ['a temperature below 0', ['generate', '--model', tiny, '--prompt', 'x', '--temperature=-1']],
    [
      'a window that is too long',
      ['perplexity', '--model', tiny, '--file', other, '--context', '9999999'],
    ],
    [
      'an output that cannot be written',
      ['logits', '--model', tiny, '--tokens', '1', '--output', join(folder, 'no', 'x')],
    ],
  ])('%s is told on stderr with exit code 1', async (_name, args) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^fastweights: ./);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  test.each([
    ['no command', []],
    ['an unknown command', ['write']],
    ['a command named like a property of objects', ['constructor']],
    ['an unknown option', ['generate', '--model', tiny, '--prompt', 'x', '--fast']],
    ['no model', ['generate', '--prompt', 'x']],
    ['no prompt', ['generate', '--model', tiny]],
    ['an empty number', ['generate', '--model', tiny, '--prompt', 'x', '--seed', '']],
    [
      'a number that is none',
      ['generate', '--model', tiny, '--prompt', 'x', '--temperature', 'hot'],
    ],
    [
      'a fraction of a token',
      ['generate', '--model', tiny, '--prompt', 'x', '--max-tokens', '1.5'],
    ],
    ['no threads', ['generate', '--model', tiny, '--prompt', 'x', '--threads', '0']],
    ['weights of no known form', ['inspect', '--model', tiny, '--weights', 'q4']],
    ['neither tokens nor a prompt', ['logits', '--model', tiny]],
    ['both tokens and a prompt', ['logits', '--model', tiny, '--tokens', '1', '--prompt', 'x']],
    ['tokens that are none', ['logits', '--model', tiny, '--tokens', '1,,2']],
    ['no text', ['perplexity', '--model', tiny]],
    ['a stray argument', ['inspect', '--model', tiny, 'more']],
  ])('%s is a wrong command line: exit code 2 and the usage', async (_name, args) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('--model FILE');
    if (args.length > 0) expect(stdout).toBe('');
  });

  test('an unknown build is a wrong command line', async () => {
    const found = await new Promise((resolve) => {
      const args = [CLI, 'generate', '--model', tiny, '--prompt', 'x', '--build', 'fast'];
      execFile(process.execPath, args, (error) => resolve(error.code));
    });
    expect(found).toBe(2);
  });

  test('help is not an error', async () => {
    for (const word of ['help', '--help', '-h']) {
      const { code, stdout } = await run(word);
      expect(code).toBe(0);
      for (const command of ['generate', 'logits', 'perplexity', 'bench', 'inspect']) {
        expect(stdout).toContain(`fastweights ${command}`);
      }
    }
    const { code, stdout } = await run('generate', '--help');
    expect([code, stdout.includes('fastweights generate')]).toEqual([0, true]);
  });

  test('a reader that goes away is not an error', async () => {
    const { stderr } = await new Promise((resolve) => {
      const command = `'${process.execPath}' '${CLI}' inspect --model '${DEMO}' | head -1`;
      execFile('sh', ['-c', command], (_error, stdout, stderr) => resolve({ stdout, stderr }));
    });
    expect(stderr).toBe('');
  });

  test('the command is there', () => {
    expect(existsSync(CLI)).toBe(true);
    expect(readFileSync(CLI, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
  });
});

describe('verify', () => {
  test('the small story model writes what its reference does', async () => {
    const found = await json('verify', '--model', DEMO);
    expect([found.model, found.verified]).toEqual(['fastweights story 17M', true]);
    const [{ tokens, agreeing, from }] = found.texts;
    expect(tokens.map(({ token }) => token)).toEqual(greedy.slice(0, tokens.length));
    expect(agreeing).toBe(tokens.length);
    for (const { margin } of tokens) expect(margin).toBeGreaterThan(0);
    expect(from).toMatch(/transformers/);
  });

  test('the same tensors with other weights do not', async () => {
    const file = join(folder, 'other.gguf');
    const bytes = readFileSync(DEMO);
    // Codes and scales of half the weights.
    for (let at = bytes.length / 2; at < bytes.length; at++) bytes[at | 0] ^= 0x0b;
    writeFileSync(file, bytes);
    const { code, stdout, stderr } = await run('verify', '--model', file, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ verified: false });
    expect(stderr).toMatch(/other tokens come/);
  });

  test('an unknown model is told of, with what is known', async () => {
    const { code, stderr } = await run('verify', '--model', tiny);
    expect(code).toBe(1);
    expect(stderr).toMatch(/no model with these tensors is known \(Qwen3.5-0.8B, /);
  });
});
