// SPDX-License-Identifier: MIT
// Prompts are read in batches, and the caller hears of each.
import { DEMO, ids, linearModel, loadModel, rejection, relativeError } from './models.js';

const GREEDY = { temperature: 0, ignoreEos: true, maxTokens: 8 };
const BATCH = 16;

let model;
beforeAll(async () => {
  model = await loadModel(linearModel(), { batchTokens: BATCH });
});
afterAll(() => model.dispose());

/** The reports that reading `total` tokens gives; before the last `begun`, a batch ends too. */
function expected(total, begun = 0) {
  const reports = [];
  for (let tokens = BATCH; tokens < total - begun; tokens += BATCH) reports.push({ tokens, total });
  if (begun > 0) reports.push({ tokens: total - begun, total });
  return [...reports, { tokens: total, total }];
}

test.each([1, 15, 16, 17, 32, 100])('%i tokens are reported batch by batch', async (total) => {
  for (const read of [
    (onPrefill) => model.complete(ids(total), { ...GREEDY, onPrefill }),
    (onPrefill) => model.generate(ids(total), { ...GREEDY, onPrefill }).result,
  ]) {
    const reports = [];
    const reading = read((report) => reports.push(report));
    // A stream reads its prompt at once; only its text waits for a reader.
    if (reports.length < expected(total).length) await Promise.race([reading, until(reports)]);
    expect(reports).toEqual(expected(total));
  }
  async function until(reports) {
    while (reports.at(-1)?.tokens !== total) await new Promise(setImmediate);
  }
});

test('a session reports what it reads in every call that reads', async () => {
  const reports = [];
  const onPrefill = (report) => reports.push(report);
  const take = () => reports.splice(0);
  const text = 'Tell me all there is to know about the recurrent state. '.repeat(3);
  const session = await model.createSession({
    initialPrompts: [{ role: 'system', content: text }],
    onPrefill,
  });
  expect(take()).toEqual(expected(session.contextUsage));
  const before = session.contextUsage;
  await session.append([{ role: 'user', content: text }], { onPrefill });
  expect(take()).toEqual(expected(session.contextUsage - before));
  // The state is kept where the question ends.
  const begun = await model.countTokens('<|im_start|>assistant\n');
  await session.prompt(text, { ...GREEDY, onPrefill });
  expect(take()).toEqual(expected(session.stats.promptTokens.length, begun));
  for await (const _ of session.promptStreaming(text, { ...GREEDY, onPrefill }));
  expect(take()).toEqual(expected(session.stats.promptTokens.length, begun));
  // Not called where it is not given again.
  await session.prompt(text, GREEDY);
  expect(take()).toEqual([]);
  session.destroy();
});

test('an abort between batches ends the call there, and the session can go on', async () => {
  const text = 'A long message that takes many batches. '.repeat(20);
  const fresh = await model.createSession();
  const answer = await fresh.prompt('Hello', GREEDY);
  for (const call of ['append', 'prompt']) {
    const session = await model.createSession();
    const aborter = new AbortController();
    const reason = new Error('enough');
    const reports = [];
    const onPrefill = (report) => {
      reports.push(report);
      if (reports.length === 3) aborter.abort(reason);
    };
    const options = { signal: aborter.signal, onPrefill };
    expect(await rejection(session[call](text, options))).toBe(reason);
    expect(reports.map(({ tokens }) => tokens)).toEqual([BATCH, 2 * BATCH, 3 * BATCH]);
    expect(reports[0].total).toBeGreaterThan(10 * BATCH);
    expect(await session.prompt('Hello', GREEDY)).toBe(answer);
    session.destroy();
  }
  fresh.destroy();
});

test('a callback that throws ends the call with what it throws', async () => {
  const mine = new Error('mine');
  const onPrefill = () => {
    throw mine;
  };
  expect(await rejection(model.complete('Hello', { onPrefill }))).toBe(mine);
  expect((await model.complete('Hello', GREEDY)).tokens).toHaveLength(8);
});

test('a model says the same whatever the size of its batches', async () => {
  const prompt = ids(300);
  const say = async (batchTokens) => {
    const other = await loadModel(DEMO, { batchTokens, threads: 1 });
    const { scratchBytes } = other.facts;
    const last = await other.logits(prompt);
    const all = await other.logits(prompt.slice(0, 40), { all: true });
    const { nll } = await other.perplexity('Once upon a time there was a fox. '.repeat(30), {
      context: 64,
    });
    await other.dispose();
    return { last, all, nll, scratchBytes };
  };
  const usual = await say(undefined);
  for (const batchTokens of [1, 7, 2048]) {
    const found = await say(batchTokens);
    expect(relativeError(found.last, usual.last)).toBeLessThan(1e-5);
    expect(relativeError(found.all, usual.all)).toBeLessThan(1e-5);
    expect(Math.abs(found.nll / usual.nll - 1)).toBeLessThan(1e-6);
    expect(Math.sign(found.scratchBytes - usual.scratchBytes)).toBe(batchTokens > 512 ? 1 : -1);
  }
});
