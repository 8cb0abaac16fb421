// SPDX-License-Identifier: MIT
import { loadModel } from '/dist/index.js';

/**
 * @import { Retries, Start, Talk } from '../../retry.mjs'
 * @param {Talk & { url: string }} talk
 * @returns {Promise<Retries>}
 */
export async function measure({ url, threads, turns, answer, edits }) {
  const model = await loadModel(url, { threads });
  const how = { temperature: 0, ignoreEos: true, logitBias: { [answer.token]: answer.bias } };
  const session = await model.createSession(how);
  for (const turn of turns) await session.prompt(turn, { maxTokens: answer.tokens });
  const heldTokens = session.contextUsage;

  /** @type {(text: string) => Promise<Start>} */
  const again = async (text) => {
    const asked = performance.now();
    await session.rewind(session.messageCount - 2);
    const answering = session.promptStreaming(text, { maxTokens: answer.tokens });
    let ms = Number.NaN;
    for await (const _ of answering) if (Number.isNaN(ms)) ms = performance.now() - asked;
    const { promptTokens } = await answering.result;
    return { ms, tokens: promptTokens.length };
  };
  const runs = [];
  let last = turns[turns.length - 1];
  for (const edit of edits) {
    runs.push({ retry: await again(last), edit: await again(edit) });
    last = edit;
  }
  const { build, facts } = model;
  await model.dispose();
  return { heldTokens, runs, threads: facts.threads, engine: `${build} build` };
}
