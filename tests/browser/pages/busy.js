// SPDX-License-Identifier: MIT
// What a tab keeps without an end until it is killed, and what another one finds of it afterwards.
const { loadModel, modelCache, storedSessions } = fastweights;

export const MODEL = '/tests/models/story-17m-q8_0.gguf';
const TINY = '/tests/golden/models/qwen3_5_linear/model-f32.gguf';
const PLACES = ['models', 'sessions', 'prefixes'].map((place) => `fastweights-${place}-2`);
const GREEDY = { temperature: 0, maxTokens: 4 };
const workers = [];
let stopping = false;

// Its own, so that it can be killed.
function worker() {
  workers.push(new Worker('/dist/worker.js', { type: 'module' }));
  return workers.at(-1);
}

export function killWorkers() {
  for (const one of workers.splice(0)) one.terminate();
}

/**
 * Keeps a session, prefixes and models, each of them again and again.
 *
 * @param report is told of what is kept, as soon as that has been said
 */
export async function work(tab, round, report) {
  const model = await loadModel(MODEL, { prefixes: { storedBytes: 1e9 }, worker: worker() });
  const session = await model.createSession();
  for (let n = 1; !stopping; n++) {
    await session.prompt(`${n}`, GREEDY);
    await session.persist(tab);
    await report({ sessions: { [tab]: n } });
    const prefix = `In the story ${round} of tab ${tab} there were ${n} foxes and`;
    await model.keepPrefix(prefix);
    await report({ prefixes: { [prefix]: n } });
    const url = `${TINY}?${tab}=${round}-${n}`;
    const kept = await loadModel(url, { cache: { required: true }, worker: worker() });
    await report({ models: { [new URL(url, location.href).href]: n } });
    await kept.dispose();
  }
  await model.dispose();
}

export function stop() {
  stopping = true;
}

/** What is wrong with what was reported, as sentences. */
export async function check({ sessions, prefixes, models }) {
  const wrong = [];
  const model = await loadModel(MODEL, { prefixes: { storedBytes: 1e9 } });
  const plain = await loadModel(MODEL);
  for (const [name, count] of Object.entries(sessions)) {
    const session = await model.resume(name);
    const asked = (await session.messages()).filter(({ role }) => role === 'user');
    const expected = asked.map((_, i) => `${i + 1}`);
    const found = asked.map(({ content }) => content);
    if (found.length < count) wrong.push(`session ${name}: ${found.length} of ${count} turns`);
    if (`${found}` !== `${expected}`) wrong.push(`session ${name}: says ${found}`);
    const again = await plain.createSession({ initialPrompts: await session.messages() });
    const [one, other] = [await session.prompt('!', GREEDY), await again.prompt('!', GREEDY)];
    if (one !== other) wrong.push(`session ${name}: goes on with ${one}, not ${other}`);
    session.destroy();
    again.destroy();
  }
  for (const prefix of Object.keys(prefixes)) {
    const prompt = `${prefix} a hen.`;
    const { text, prefixTokens } = await model.complete(prompt, GREEDY);
    if (!(prefixTokens > 0)) wrong.push(`prefix '${prefix}' is gone`);
    const { text: expected } = await plain.complete(prompt, GREEDY);
    if (text !== expected) wrong.push(`prefix '${prefix}': goes on with ${text}, not ${expected}`);
  }
  for (const url of Object.keys(models)) {
    const kept = await loadModel(url, { cache: true });
    if (!kept.facts.fromCache) wrong.push(`model ${url} is gone`);
    await kept.dispose();
  }
  // Each place is written to once more, which removes what was left.
  const last = await model.createSession();
  await last.persist('last');
  await model.keepPrefix(`The last of all is ${Math.random()}, and`);
  await (await loadModel(`${TINY}?last=${Math.random()}`, { cache: true })).dispose();
  await model.dispose();
  await plain.dispose();
  return wrong;
}

/** What is left over where nobody is at work any more, as sentences; nothing stays of anything. */
export async function clean() {
  const wrong = [];
  for (const { held, pending } of [await navigator.locks.query()]) {
    for (const { name } of [...held, ...pending]) wrong.push(`the lock ${name} stays`);
  }
  for (const place of PLACES) {
    const versions = new Map();
    for (const name of await stored.names(place)) {
      const [key, id, kind] = name.split('+');
      const version = versions.get(`${key}+${id}`) ?? { key, kinds: [] };
      versions.set(`${key}+${id}`, version);
      version.kinds.push(kind);
    }
    const keys = new Set();
    for (const [name, { key, kinds }] of versions) {
      // Of a model's file a download goes on with its pieces.
      const some = kinds.some((kind) => /^whole|^part/.test(kind));
      if (!some || keys.has(key)) wrong.push(`${place}/${name} is left over: ${kinds}`);
      keys.add(key);
    }
  }
  const model = await loadModel(MODEL, { prefixes: { storedBytes: 1e9 } });
  await model.deletePrefix();
  await model.dispose();
  await storedSessions.clear();
  await modelCache.clear();
  for (const place of PLACES) {
    for (const name of await stored.names(place)) wrong.push(`${place}/${name} is not cleared`);
  }
  return wrong;
}
