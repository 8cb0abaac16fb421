// SPDX-License-Identifier: MIT
// A user's program, alike on every host: `program.mjs MODEL LOADS`, where each load has options of its
// own. It disposes of nothing at its end, and must end all the same.
import { inspectModel, loadModel } from 'fastweights';

const [path, loads] = process.argv.slice(2);

async function use(options) {
  const model = await loadModel(path, options);
  let text = '';
  for await (const piece of model.generate('Once upon a time', { seed: 3, maxTokens: 60 })) {
    text += piece;
  }
  const session = await model.createSession({ seed: 7 });
  await session.prompt('Tell a story about a fox.', { maxTokens: 12 });
  const saved = await session.save();
  const next = await session.prompt('And then?', { maxTokens: 12 });
  const restored = await model.restore(saved);
  const again = await restored.prompt('And then?', { maxTokens: 12 });
  const kept = await keep(model, restored).catch(({ name, code }) => `${name}: ${code}`);
  const { build, threads } = model.facts;
  if (options.worker) await model.dispose();
  return { text, next, again, build, threads, kept };
}

async function keep(model, session) {
  await session.persist('kept');
  const { messageCount } = await model.resume('kept');
  return messageCount;
}

const results = [];
for (const options of JSON.parse(loads)) {
  results.push(await use(options).catch(({ name, message }) => ({ error: `${name}: ${message}` })));
}
const missing = await loadModel('missing.gguf').catch(({ name, code }) => [name, code]);
const { architecture, tensors } = await inspectModel(path);
console.log(JSON.stringify({ results, missing, architecture, tensors: tensors.length }));
