// SPDX-License-Identifier: MIT
// The package in a page: both builds, in a worker and in the page's own thread, from every kind of
// source. The model must be the same model everywhere.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureNode24 } from '../../tools/setup/node24.mjs';
import { MODEL, modelPath, openApiPage, projectFolder } from './support/browser.js';
import { BUILDS, engineName } from './support/engine.js';
import { serveFlawed } from './support/server.js';
import { openApiSite } from './support/site.js';

const PROMPT = 'Once upon a time';
const GOLDENS = join(projectFolder, 'tests/golden/models');
const LIMIT = 1e-4;

const site = openApiSite();
afterEach(() => {
  expect(unexpected(site)).toEqual([]);
  expect(site.server.violations).toEqual([]);
});

// Chromium itself says when a connection is lost, which some tests want.
const unexpected = ({ wrong }) => wrong.splice(0).filter((line) => !line.includes('net::ERR_'));

/** 64 greedy tokens, of a model that the page loads from `url` made into a `kind` of source. */
function write(options = {}, { kind = 'text', url = MODEL, page = site.page } = {}) {
  return page.evaluate(
    async ([given, make, from, prompt]) => {
      const phases = new Set();
      const progress = [];
      const onProgress = ({ phase, loaded, total }) => {
        phases.add(phase);
        progress.push([loaded, total]);
      };
      const source = await sources[make](from);
      const model = await fastweights.loadModel(source, { ...given, onProgress });
      const stream = model.generate(prompt, { temperature: 0, maxTokens: 64 });
      let text = '';
      for await (const piece of stream) text += piece;
      const { tokens, text: whole } = await stream.result;
      await model.dispose();
      return {
        text,
        whole,
        tokens,
        build: model.build,
        phases: [...phases],
        last: progress.at(-1),
      };
    },
    [options, kind, url, PROMPT],
  );
}

/** The same tokens by the command line. */
async function writeInNode(build) {
  const node = build === 'relaxed' ? await ensureNode24() : process.execPath;
  const { stdout } = await promisify(execFile)(node, [
    join(projectFolder, 'dist/cli.js'),
    ...['generate', '--json', '--build', build, '--model', modelPath],
    ...['--prompt', PROMPT, '--temperature', '0', '--max-tokens', '64'],
  ]);
  return JSON.parse(stdout);
}

describe.each(BUILDS)('the %s build', (build) => {
  const wasm = { build };
  let expected;
  beforeAll(async () => {
    expected = await writeInNode(build);
  });

  test.each([true, false])('writes what it writes in Node (worker: %s)', async (worker) => {
    const written = await write({ wasm, worker });
    expect(expected.tokens).toHaveLength(64);
    expect(written).toMatchObject({ build, tokens: expected.tokens, text: expected.text });
    expect(written.whole).toBe(written.text);
  });

  test.each(readdirSync(GOLDENS).filter((name) => name.startsWith('qwen3_5')))(
    'gives the logits of the reference for %s',
    async (name) => {
      const { sequences } = JSON.parse(await readFile(join(GOLDENS, name, 'fixture.json'), 'utf8'));
      const found = await site.page.evaluate(
        async ([url, given, ids]) => {
          const model = await fastweights.loadModel(url, { wasm: given });
          const rows = [];
          for (const list of ids) rows.push([...(await model.logits(list))]);
          await model.dispose();
          return rows;
        },
        [`/tests/golden/models/${name}/model-f32.gguf`, wasm, sequences.map(({ ids }) => ids)],
      );
      for (const [index, { logits, shape }] of sequences.entries()) {
        const { buffer, byteOffset, length } = await readFile(join(GOLDENS, name, logits));
        const all = new Float32Array(buffer.slice(byteOffset, byteOffset + length));
        expect(all).toHaveLength(shape[0] * shape[1]);
        const wanted = all.subarray(all.length - shape[1]);
        expect(found[index]).toHaveLength(shape[1]);
        expect(relativeError(found[index], wanted)).toBeLessThan(LIMIT);
      }
    },
  );
});

function relativeError(found, wanted) {
  let error = 0;
  let size = 0;
  for (const [i, value] of wanted.entries()) {
    error += (found[i] - value) ** 2;
    size += value ** 2;
  }
  return Math.sqrt(error / size);
}

describe.each([true, false])('a model (worker: %s)', (worker) => {
  let expected;
  beforeAll(async () => {
    expected = (await write({ worker })).text;
  });

  test.each(['text', 'url', 'blob', 'file', 'buffer', 'view', 'stream'])(
    'is the same from a source of kind %s',
    async (kind) => {
      const { text, phases, last } = await write({ worker }, { kind });
      expect(text).toBe(expected);
      expect(phases).toEqual([kind === 'text' || kind === 'url' ? 'download' : 'file']);
      const { length } = await readFile(modelPath);
      // Of a stream, which says nothing, the file's header tells how long it is.
      expect(last).toEqual([length, length]);
    },
  );

  test('holds its texts to a schema and to a regular expression', async () => {
    const texts = await site.page.evaluate(
      async ([url, inWorker]) => {
        const model = await fastweights.loadModel(url, { worker: inWorker });
        const properties = { name: { type: 'string', maxLength: 12 }, age: { type: 'integer' } };
        const required = ['name', 'age'];
        const schema = { type: 'object', properties, required, additionalProperties: false };
        const found = [];
        for (const constraint of [{ type: 'json_schema', schema }, /\d{4}-\d\d-\d\d/]) {
          const options = { constraint, temperature: 0, maxTokens: 80 };
          found.push((await model.complete('The fox was ', options)).text);
        }
        await model.dispose();
        return found;
      },
      [MODEL, worker],
    );
    const fox = JSON.parse(texts[0]);
    expect(fox).toEqual({ name: expect.any(String), age: expect.any(Number) });
    expect(texts[1]).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test('calls a tool by its schema, in parts', async () => {
    const [call, types] = await site.page.evaluate(
      async ([url, inWorker]) => {
        const model = await fastweights.loadModel(url, { worker: inWorker });
        const sides = { type: 'integer', minimum: 2, maximum: 9 };
        const parameters = { type: 'object', properties: { sides }, required: ['sides'] };
        const session = await model.createSession({ tools: [{ name: 'dice', parameters }] });
        const stream = session.respond('Roll!', { toolChoice: { name: 'dice' }, seed: 1 });
        const found = new Set();
        for await (const part of stream) found.add(part.type);
        const { toolCalls } = await stream.result;
        await model.dispose();
        return [toolCalls[0], [...found]];
      },
      [MODEL, worker],
    );
    expect(call).toMatchObject({ id: 'call_0', name: 'dice' });
    expect([2, 3, 4, 5, 6, 7, 8, 9]).toContain(call.arguments.sides);
    expect(types).toEqual(['tool-call-delta', 'tool-call', 'finish']);
  });

  test('survives a connection that drops, with ranges', async () => {
    const url = `${MODEL}?cut=5000000&worker=${worker}`;
    expect((await write({ worker }, { url })).text).toBe(expected);
    const [, second, ...others] = site.server.requestsOf(url);
    expect(others).toEqual([]);
    // WebKit forgets what has arrived and nobody has read when a connection ends.
    expect(second.range).toMatch(engineName === 'webkit' ? /^bytes=\d+-$/ : /^bytes=\d{6,7}-$/);
    expect(second.response.statusCode).toBe(206);
  });

  test('survives it without ranges', async () => {
    const simple = await serveFlawed(projectFolder, { ranges: false });
    const other = await openApiPage(site.browser, simple);
    try {
      const url = `${MODEL}?cut=5000000`;
      expect((await write({ worker }, { url, page: other.page })).text).toBe(expected);
      expect(simple.requestsOf(url).map(({ response }) => response.statusCode)).toEqual([200, 200]);
      expect(unexpected(other)).toEqual([]);
    } finally {
      await other.context.close();
      await simple.close();
    }
  });
});
