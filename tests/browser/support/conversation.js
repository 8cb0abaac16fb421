// SPDX-License-Identifier: MIT
// The conversation that tests interrupt.
import { MODEL } from './browser.js';

export const OPTIONS = { temperature: 0.9, seed: 11, maxTokens: 24 };

/** What it says in a page without interruption. */
export const uninterrupted = (page) =>
  page.evaluate(
    async ([url, options]) => {
      const model = await fastweights.loadModel(url);
      const session = await model.createSession(options);
      const said = [];
      for (const text of ['Tell a story.', 'And then?', 'How does it end?']) {
        said.push(await session.prompt(text, { maxTokens: options.maxTokens }));
      }
      await model.dispose();
      return said;
    },
    [MODEL, OPTIONS],
  );
