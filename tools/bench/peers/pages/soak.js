// SPDX-License-Identifier: MIT
import { loadModel } from '/dist/index.js';

/**
 * @typedef {{ url: string, kind: string, count: number, threads: number }} Work
 * @typedef {(done: number, model?: import('fastweights').Model, versus?: () => Promise<number>) =>
 *     Promise<void>} Tell with what compares the text to a new one
 */

/** @type {Record<string, (work: Work, tell: Tell) => Promise<void>>} */
const KINDS = { tokens: writeTokens, loads: loadAndAbort, states: moveStates };

/** Tells a hundred times what there is. @param {Work} work */
export async function measure(work) {
  const step = Math.ceil(work.count / 100);
  let [last, since] = [0, performance.now()];
  await KINDS[work.kind](work, async (done, model, versus) => {
    if (done < last + step) return;
    const rate = (1000 * (done - last)) / (performance.now() - since);
    const againstNew = await versus?.();
    const { heapBytes = 0, heapInUse = 0 } = (await model?.memory()) ?? {};
    // @ts-expect-error: soak.mjs puts it there.
    await globalThis.tell({ done, rate, againstNew, heapBytes, heapInUse });
    [last, since] = [done, performance.now()];
  });
}

/** One session that goes on and on. @type {(work: Work, tell: Tell) => Promise<void>} */
async function writeTokens({ url, count, threads }, tell) {
  const model = await loadModel(url, { threads });
  const session = await model.createSession({ seed: 1 });
  const options = { maxTokens: Number.POSITIVE_INFINITY, ignoreEos: true };
  const text = session.promptStreaming('Tell me a story.', options).getReader();
  // In turns, so that what else the machine does meets both.
  const versus = async () => {
    const other = await model.createSession({ seed: 1 });
    const reader = other.promptStreaming('Tell me a story.', options).getReader();
    const times = [0, 0];
    for (let turn = 0; turn < 10; turn++) {
      for (const [i, one] of [reader, text].entries()) times[i] += await timeToRead(one, 50);
    }
    await reader.cancel();
    other.destroy();
    return times[0] / times[1];
  };
  // Control tokens have no text and are not counted.
  for (let done = 1; done <= count; done++) {
    await text.read();
    if (done % 1000 === 0) await tell(done, model, versus);
  }
  await text.cancel();
  await model.dispose();
}

/** @type {(text: ReadableStreamDefaultReader<string>, pieces: number) => Promise<number>} */
async function timeToRead(text, pieces) {
  const started = performance.now();
  for (let i = 0; i < pieces; i++) await text.read();
  return performance.now() - started;
}

/** Models that are loaded and disposed of at any moment. @type {(work: Work, tell: Tell) => Promise<void>} */
async function loadAndAbort({ url, count, threads }, tell) {
  for (let done = 1; done <= count; done++) {
    const aborter = new AbortController();
    const { signal } = aborter;
    const timer = setTimeout(() => aborter.abort('enough'), Math.random() * 600);
    try {
      const model = await loadModel(url, { threads, signal });
      try {
        await model.complete('Once upon a time', { maxTokens: 500, signal });
      } finally {
        await model.dispose();
      }
    } catch (error) {
      if (error !== 'enough') throw error;
    }
    clearTimeout(timer);
    await tell(done);
  }
}

/** States that are copied and thrown away. @type {(work: Work, tell: Tell) => Promise<void>} */
async function moveStates({ url, count, threads }, tell) {
  const model = await loadModel(url, { threads });
  const options = { maxTokens: 8, ignoreEos: true };
  for (let done = 1; done <= count; done++) {
    const session = await model.createSession({ seed: done });
    await session.prompt('Tell me a story.', options);
    const clone = await session.clone();
    const restored = await model.restore(await session.save());
    await restored.rewind(1);
    const [stays, leaves] = model.generateBatch(['Once upon a time', 'A fox'], options);
    const together = [clone, restored].map((one) => one.prompt('And then?', options));
    const reads = async () => {
      for await (const _ of stays);
    };
    const readsSome = async () => {
      for await (const _ of leaves) break;
    };
    await Promise.all([...together, reads(), readsSome()]);
    for (const one of [session, clone, restored]) one.destroy();
    await tell(done, model);
  }
  await model.dispose();
}
