// SPDX-License-Identifier: MIT
// What docs/features.json says of interfaces and no other test shows.
import { generateText } from 'ai';
import { languageModel } from '../../dist/ai-sdk.js';
import { createClient } from '../../dist/openai.js';
import { LanguageModel } from '../../dist/prompt-api.js';
import { DEMO, loadModel } from '../api/models.js';

const ASK = 'Write a story about a fox.';

let loaded;
let model;
beforeAll(async () => {
  loaded = await loadModel(DEMO, { prefixes: true });
  model = languageModel(loaded);
});
afterAll(() => loaded.dispose());

test('the AI SDK: the same seed, the same text', async () => {
  const write = async (seed) => {
    const asked = { model, prompt: ASK, temperature: 1.2, maxOutputTokens: 16, seed };
    return (await generateText(asked)).text;
  };
  const first = await write(3);
  expect(await write(3)).toBe(first);
  expect(await write(4)).not.toBe(first);
});

const TOLD = [
  { role: 'user', content: ASK },
  { role: 'assistant', content: 'There was a fox.' },
  { role: 'user', content: 'And then?' },
];

test('the AI SDK: another question in the place of the last goes on from what is held', async () => {
  const options = { model, temperature: 0, maxOutputTokens: 8 };
  const [first] = TOLD;
  const { text } = await generateText({ ...options, messages: [first] });
  const said = [first, { role: 'assistant', content: text }];
  const ask = (content) =>
    generateText({ ...options, messages: [...said, { role: 'user', content }] });
  await ask('And then?');
  const { usage } = await ask('And the end?');
  const { cacheReadTokens, noCacheTokens } = usage.inputTokenDetails;
  expect(cacheReadTokens).toBeGreaterThan(await loaded.countTokens([first]));
  expect(noCacheTokens).toBeLessThan(16);
});

test('OpenAI and the AI SDK: the same question again reads that question alone', async () => {
  const own = languageModel(loaded);
  const { completions } = createClient(loaded).chat;
  const [by, through] = [
    { temperature: 0, max_tokens: 8 },
    { temperature: 0, maxOutputTokens: 8 },
  ];
  const read = [];
  for (let i = 0; i < 2; i++) {
    const { usage } = await completions.create({ ...by, messages: TOLD });
    const ours = await generateText({ ...through, model: own, messages: TOLD });
    const { cached_tokens } = usage.prompt_tokens_details;
    read.push([usage.prompt_tokens - cached_tokens, ours.usage.inputTokenDetails.noCacheTokens]);
  }
  for (const again of read[1]) expect(again).toBeLessThan(12);
  expect(read[0][0]).toBeGreaterThan(30);
});

test('the AI SDK and the Prompt API begin from a kept prefix', async () => {
  const system = 'You tell stories for children, and they end well.';
  const { tokens } = await loaded.keepPrefix([{ role: 'system', content: system }]);
  const { usage } = await generateText({
    ...{ model, temperature: 0, maxOutputTokens: 4 },
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: ASK },
    ],
    allowSystemInMessages: true,
  });
  expect(usage.inputTokenDetails.cacheReadTokens).toBe(tokens);

  const initialPrompts = [{ role: 'system', content: system }];
  const session = await LanguageModel.create({ model: loaded, initialPrompts });
  expect(session.contextUsage).toBe(tokens);
  const [{ inMemory }] = await loaded.prefixes();
  expect(inMemory).toBe(true);
  session.destroy();
});
