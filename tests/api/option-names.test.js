// SPDX-License-Identifier: MIT
// A name that is no option of a call is refused by each of them, before anything is done.
import { AssociativeMemory, inspectModel } from '../../dist/index.js';
import { collect, linearModel, loadModel, rejection } from './models.js';

const file = linearModel();
let model;
let session;
let saved;
beforeAll(async () => {
  model = await loadModel(file);
  session = await model.createSession();
  saved = await session.save();
});
afterAll(() => model.dispose());

const rule = { rule: 'linear', keyDim: 4, valueDim: 4 };
const load = (options) => async () => loadModel(file, options);

test.each([
  ['loadModel', load({ thread: 2 }), 'thread', 'threads'],
  ['loadModel', load({ KV: 'bf16' }), 'KV', 'kv'],
  ['cache of loadModel', load({ cache: { Revalidate: true } }), 'cache.Revalidate', 'revalidate'],
  ['wasm of loadModel', load({ wasm: { buid: 'simd128' } }), 'wasm.buid', 'wasm.build'],
  ['prefixes of loadModel', load({ prefixes: { storeBytes: 1 } }), 'prefixes.storeBytes', 'stored'],
  ['inspectModel', () => inspectModel(file, { weight: 'qc8' }), 'weight', 'weights'],
  ['createSession', () => model.createSession({ tempreture: 1 }), 'tempreture', 'temperature'],
  ['restore', () => model.restore(saved, { checkpoint: 1 }), 'checkpoint', 'checkpoints'],
  ['resume', () => model.resume('chat', { checkpoint: 1 }), 'checkpoint', 'checkpoints'],
  ['complete', () => model.complete('Hi', { max_tokens: 2 }), 'max_tokens', 'maxTokens'],
  ['generate', async () => model.generate('Hi', { max_tokens: 2 }), 'max_tokens', 'maxTokens'],
  ['alternatives', () => model.alternatives('Hi', 2, { top_p: 1 }), 'top_p', 'topP'],
  ['generateBatch', async () => model.generateBatch(['Hi'], { topp: 1 }), 'topp', 'topP'],
  ['tokenize', () => model.tokenize('Hi', { specials: false }), 'specials', 'special'],
  ['detokenize', () => model.detokenize([1], { specials: false }), 'specials', 'special'],
  ['logits', () => model.logits([1], { ALL: true }), 'ALL', 'all'],
  ['perplexity', () => model.perplexity('Hi', { contexts: 2 }), 'contexts', 'context'],
  ['keepPrefix', () => model.keepPrefix('Hi', { think: true }), 'think', 'thinking'],
  ['session.prompt', () => session.prompt('Hi', { sed: 1 }), 'sed', 'seed'],
  ['session.promptStreaming', async () => session.promptStreaming('Hi', { sed: 1 }), 'sed', 'seed'],
  ['session.append', () => session.append('Hi', { onprefill() {} }), 'onprefill', 'onPrefill'],
  ['session.alternatives', () => session.alternatives('Hi', 2, { sed: 1 }), 'sed', 'seed'],
  ['session.save', () => session.save({ precison: 'f16' }), 'precison', 'precision'],
  ['session.state', () => session.state({ value: false }), 'value', 'values'],
  ['a memory', () => AssociativeMemory.create({ ...rule, keyHead: 1 }), 'keyHead', 'keyHeads'],
  [
    'wasm of a memory',
    () => AssociativeMemory.create({ ...rule, wasm: { binaries: 1 } }),
    'wasm.binaries',
    'wasm.binary',
  ],
  [
    'restore of a memory',
    () => AssociativeMemory.restore(new Uint8Array(8), { wasms: {} }),
    'wasms',
    'wasm',
  ],
])('%s', async (_, call, name, near) => {
  const error = await rejection(call());
  expect(error.name).toBe('TypeError');
  expect(error.message).toContain(name);
  expect(error.message).toMatch(new RegExp(`the nearest is .*${near}`));
});

test('undefined is not given, and nothing was done by the refusals', async () => {
  const { text } = await collect(model.generate('Hi', { max_tokens: undefined, maxTokens: 1 }));
  expect(typeof text).toBe('string');
  expect(session.contextUsage).toBe(0);
  expect((await model.memory()).stateBytes).toBe(model.facts.stateBytes);
});
