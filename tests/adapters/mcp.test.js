// SPDX-License-Identifier: MIT
// The files in docs/mcp.md, as they stand there: a page here, its server in a thread of its own. The
// small story model calls what it must, with arguments that mean nothing: `toolChoice` makes it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker as Thread } from 'node:worker_threads';
import { DEMO, loadModel, rejection } from '../api/models.js';

// Within the package: what is there is read as modules.
const parent = fileURLToPath(new URL('../../build', import.meta.url));
mkdirSync(parent, { recursive: true });
const folder = mkdtempSync(join(parent, 'mcp-'));
const guide = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
for (const [, name, code] of guide.matchAll(/```js\n\/\/ ([\w-]+\.js)\n(.*?)```/gs)) {
  writeFileSync(join(folder, name), code);
}

/** What browsers have, of a thread of Node's. */
class Worker extends EventTarget {
  constructor(url) {
    super();
    const start = `import('node:worker_threads').then(({ parentPort }) => {
      globalThis.self = parentPort;
      return import(${JSON.stringify(String(url))});
    });`;
    this.thread = new Thread(start, { eval: true });
    threads.push(this.thread);
    this.thread.on('message', (data) => this.dispatchEvent(new MessageEvent('message', { data })));
  }

  postMessage(data) {
    this.thread.postMessage(data);
  }
}

const threads = [];
let model;
let page;
beforeAll(async () => {
  model = await loadModel(DEMO);
  globalThis.Worker = Worker;
  page = await import(join(folder, 'page.js'));
});
afterAll(async () => {
  delete globalThis.Worker;
  await Promise.all(threads.map((thread) => thread.terminate()));
  await model.dispose();
  rmSync(folder, { recursive: true });
});

test('a model calls the tools of a server in a worker', async () => {
  const tools = await page.server.tools();
  expect(tools).toMatchObject([{ name: 'forecast', parameters: { required: ['city', 'days'] } }]);
  const session = await model.createSession({ tools, temperature: 0, maxTokens: 100 });
  const pieces = [];
  const options = { toolChoice: { name: 'forecast' } };
  await page.answer(session, 'Will it rain?', (text) => pieces.push(text), options);
  const [, called, result, said] = await session.messages();
  const [{ id, arguments: given }] = called.toolCalls;
  expect(['Ghent', 'Kyoto', 'Quito']).toContain(given.city);
  expect(result).toEqual({
    role: 'tool',
    toolCallId: id,
    name: 'forecast',
    content: `${given.city}: rain on ${given.days} of ${given.days} days`,
  });
  expect(said.content).toBe(pieces.join(''));
  expect(pieces.length).toBeGreaterThan(4);
  session.destroy();
});

test('what goes wrong is said in words', async () => {
  expect(await page.server.call('other', {})).toBe('Error: there is no tool other');
});

test('a server of another version is refused', async () => {
  const { connect } = await import(join(folder, 'mcp-client.js'));
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data: { id } }) =>
    port2.postMessage({ jsonrpc: '2.0', id, result: { protocolVersion: '1999-01-01' } });
  const error = await rejection(connect(port1));
  expect(error.message).toBe('the server speaks 1999-01-01, not 2025-11-25');
  port1.close();
});
