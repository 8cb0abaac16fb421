// SPDX-License-Identifier: MIT
import { loadModel, modelCache } from '/dist/index.js';

const kName = 'bench';
/** @type {import('fastweights').Message[]} */
const kPrompts = [{ role: 'system', content: 'You are a helpful assistant. '.repeat(40) }];

/**
 * @typedef {{ kind: string, url: string, threads: number }} Work
 * @param {Work} work
 * @returns {Promise<import('../../open.mjs').Opened>}
 */
export async function measure(work) {
  if (work.kind === 'read') return readAlone('read');
  if (work.kind === 'least') return startAndRead();
  const { url, threads, kind } = work;
  const cache = kind !== 'download' && (kind === 'file' ? true : { packed: true });
  const start = performance.now();
  const prefixes = kind === 'keep' || kind === 'prefix' ? { storedBytes: 1e9 } : false;
  const model = await loadModel(url, { threads, cache, prefixes });
  const openMs = performance.now() - start;
  const { packed, fromCache, weightsBytes: bytes } = model.facts;
  const wanted = {
    packed: /packed|prefix|session/.test(kind),
    fromCache: !/download|keep/.test(kind),
  };
  if (packed !== wanted.packed || fromCache !== wanted.fromCache)
    throw new Error(`${kind}: not so`);
  const session = await (kind === 'session'
    ? model.resume(kName)
    : model.createSession({ initialPrompts: kind === 'prefix' ? kPrompts : [] }));
  await session.prompt('Hello', { maxTokens: 1 });
  const firstTokenMs = performance.now();
  if (kind === 'keep') await keepAll(model);
  await model.dispose();
  return { openMs, firstTokenMs: kind === 'keep' ? undefined : firstTokenMs, bytes };
}

/** @param {import('fastweights').Model} model */
async function keepAll(model) {
  await model.keepPrefix(kPrompts);
  const chat = await model.createSession({ initialPrompts: kPrompts });
  await chat.prompt('Hello', { maxTokens: 8 });
  await chat.persist(kName);
  while (!(await modelCache.list()).every(({ packedBytes }) => packedBytes)) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * What nothing that reads the weights can do without.
 * @param {'read' | 'compile'} name
 * @returns {Promise<import('../../open.mjs').Opened>}
 */
async function readAlone(name) {
  const worker = new Worker('/tools/bench/peers/pages/open-read.js', { type: 'module', name });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
}

/** The same from the page's call on, with the core compiled before memory is filled: the least that opening takes in a worker. */
async function startAndRead() {
  const start = performance.now();
  const { bytes } = await readAlone('compile');
  return { openMs: performance.now() - start, bytes };
}
