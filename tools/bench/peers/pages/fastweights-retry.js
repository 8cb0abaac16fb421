// SPDX-License-Identifier: MIT
import { loadModel } from '/dist/index.js';

/** @param {import('../../retry.mjs').Talk & { url: string }} talk @returns {Promise<import('../../retry.mjs').Retries>} */
export async function measure({ url, threads, turns, answer, edits }) {
  const model = await loadModel(url, { threads });
  const how = { temperature: 0, ignoreEos: true, logitBias: { [answer.token]: answer.bias } };
  const session = await model.createSession(how);
  for (const turn of turns) await session.prompt(turn, { maxTokens: answer.tokens });
  const heldTokens = session.contextUsage;

  const again = async (text) => {
    const asked = performance.now();
    await session.rewind(session.messageCount - 2);
    const answering = session.promptStreaming(text, { maxTokens: answer.tokens });
    let ms;
    for await (const _ of answering) ms ??= performance.now() - asked;
    return { ms, tokens: session.stats.promptTokens.length };
  };
  const runs = [];
  let last = turns.at(-1);
  for (const edit of edits) {
    runs.push({ retry: await again(last), edit: await again(edit) });
    last = edit;
  }
  const { build, facts } = model;
  await model.dispose();
  return { heldTokens, runs, threads: facts.threads, engine: `${build} build` };
}
