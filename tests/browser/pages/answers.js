// SPDX-License-Identifier: MIT

/**
 * Does what a message to a service worker asks for and posts what comes of it to the port in it: a
 * value, or an error's name, code and message.
 */
export async function answer(fastweights, { data: { ask, options }, ports: [port] }) {
  try {
    port.postMessage({ value: await kAsked[ask](fastweights, options) });
  } catch ({ name, code, message }) {
    port.postMessage({ error: { name, code, message } });
  }
}

const MODEL = '/tests/models/story-17m-q8_0.gguf';

const kAsked = {
  async write({ loadModel }, options) {
    const model = await loadModel(MODEL, options);
    let text = '';
    for await (const piece of model.generate('Once upon a time', { seed: 3, maxTokens: 40 })) {
      text += piece;
    }
    const session = await model.createSession({ seed: 7 });
    await session.prompt('Tell a story.', { maxTokens: 8 });
    const saved = await session.save();
    const next = await session.prompt('And then?', { maxTokens: 12 });
    const restored = await model.restore(saved);
    const again = await restored.prompt('And then?', { maxTokens: 12 });
    const { text: day } = await model.complete('On ', { constraint: /\d{4}-\d\d/, seed: 1 });
    const { build, facts } = model;
    await model.dispose();
    return { text, next, again, day, build, threads: facts.threads };
  },

  async inspect({ inspectModel }) {
    return (await inspectModel(MODEL)).architecture;
  },

  async remember({ AssociativeMemory }) {
    const memory = await AssociativeMemory.create({ rule: 'delta', keyDim: 4, valueDim: 4 });
    memory.write({ key: [0, 1, 0, 0], value: [1, 2, 3, 4] });
    return [...memory.read([0, 1, 0, 0])];
  },

  async keep({ loadModel, modelCache }) {
    await modelCache.clear();
    const model = await loadModel(MODEL, { cache: true });
    await model.dispose();
    const kept = await modelCache.list();
    await modelCache.clear();
    return kept.map(({ bytes }) => bytes);
  },
};
