// SPDX-License-Identifier: MIT
// What the package does in an engine that lacks some symbols, tried in a process without them.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BUILD } from './models.js';

const address = (path) => new URL(path, import.meta.url).href;

/** Runs a program there that prints one line of JSON; `model` is loaded, of random weights. */
async function run(program) {
  const whole = `
    import { readFileSync } from 'node:fs';
    import { loadModel } from '${address('../../dist/index.js')}';
    import { makeModel } from '${address('../../tools/make-model.mjs')}';
    const shape = { layers: 1, fullAttentionInterval: 0 };
    const model = await loadModel(makeModel({ shape }), { wasm: { build: ${JSON.stringify(BUILD)} } });
    ${program}`;
  const preload = fileURLToPath(new URL('without-symbols.mjs', import.meta.url));
  const args = ['--import', preload, '--input-type=module', '--eval', whole];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

test('no method is called undefined, and the registered symbols free models and sessions', async () => {
  const seen = await run(`
    const session = await model.createSession();
    const names = [session, model].map((one) =>
      Reflect.ownKeys(Object.getPrototypeOf(one)).map(String));
    await session[Symbol.for('Symbol.asyncDispose')]();
    const freed = (await model.memory()).stateBytes;
    model[Symbol.for('Symbol.dispose')]();
    const { code } = await model.memory().catch((error) => error);
    console.log(JSON.stringify({ has: 'dispose' in Symbol, names, freed, code }));`);
  expect(seen).toMatchObject({ has: false, freed: 0, code: 'disposed' });
  for (const names of seen.names) {
    expect(names).toContain('Symbol(Symbol.dispose)');
    expect(names).not.toContain('undefined');
  }
});

test('every stream is one that a loop reads, and that ends with the loop', async () => {
  const seen = await run(`
    import { LanguageModel } from '${address('../../dist/prompt-api.js')}';
    import { languageModel } from '${address('../../dist/ai-sdk.js')}';
    import { createFetch } from '${address('../../dist/openai.js')}';
    const prompt = 'Hi';
    const options = { maxTokens: 50, ignoreEos: true, seed: 1 };
    const language = await LanguageModel.create({ model, generation: options });
    const text = [{ role: 'user', content: [{ type: 'text', text: prompt }] }];
    const body = { messages: [{ role: 'user', content: prompt }], stream: true, max_tokens: 50 };
    const chunks = async () => {
      const request = { method: 'POST', body: JSON.stringify(body) };
      return (await createFetch(model)('http://model/v1/chat/completions', request)).body;
    };
    const streams = {
      generate: async () => model.generate(prompt, options),
      prompt: async () => language.promptStreaming(prompt),
      sdk: async () => (await languageModel(model).doStream({ prompt: text, maxOutputTokens: 50 })).stream,
      openai: chunks,
    };
    const read = {};
    for (const [name, open] of Object.entries(streams)) {
      const stream = await open();
      let parts = 0;
      for await (const _ of stream) parts += 1;
      const left = await open();
      for await (const _ of left) break;
      const { done } = await left.getReader().read();
      read[name] = { lacks: !(Symbol.asyncIterator in ReadableStream.prototype), parts: parts > 1, done };
    }
    console.log(JSON.stringify(read));
    await model.dispose();`);
  const each = { lacks: true, parts: true, done: true };
  expect(seen).toEqual({ generate: each, prompt: each, sdk: each, openai: each });
});
