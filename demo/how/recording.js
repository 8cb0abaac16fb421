// SPDX-License-Identifier: MIT

/**
 * @import { LayerState, Model } from 'fastweights'
 *
 * A token that was read, and a layer before and after it.
 * @typedef {{ text: string, position: number, before: LayerState, after: LayerState }} Moment
 */

const QUESTION = 'Tell me a bedtime story.';
const TOKENS = 48;

/**
 * Writes an answer and looks at one layer after every token of it. The same each time.
 *
 * @param {Model} model
 * @param {number} layer
 * @param {(share: number) => void} tell how much of it is written
 * @returns {Promise<{ lead: string, moments: Moment[] }>} `lead` was written before the first moment
 */
export async function record(model, layer, tell) {
  const session = await model.createSession({ thinking: false });
  try {
    const options = { temperature: 0, maxTokens: TOKENS, seed: 1 };
    const stream = session.promptStreaming(QUESTION, options);
    let over = false;
    const ended = () => {
      over = true;
    };
    stream.result.then(ended, ended);
    /** @type {Map<number, LayerState>} */
    const states = new Map();
    let pieces = 0;
    let read = 0;
    for await (const _ of stream) {
      if (pieces === 0) read = session.contextUsage;
      pieces += 1;
      // The engine reads a token to draw the next one, and is one token ahead of its stream's reader,
      // no more: so no state is missed. The last token is never read.
      for (let tokens = 0; tokens < read + pieces && !over; ) {
        const state = await session.state({ layer });
        tokens = state.tokens;
        states.set(tokens, state.layers[0]);
        await new Promise((resolve) => setTimeout(resolve));
      }
      tell(pieces / TOKENS);
    }
    const { tokens } = await stream.result;
    /** @type {Moment[]} */
    const moments = [];
    for (const [position, after] of [...states].sort(([a], [b]) => a - b)) {
      const before = states.get(position - 1);
      if (!before) continue;
      const text = await model.detokenize([tokens[position - read - 1]]);
      moments.push({ text, position, before, after });
    }
    const lead = tokens.slice(0, moments[0].position - read - 1);
    return { lead: await model.detokenize(lead), moments };
  } finally {
    session.destroy();
  }
}
