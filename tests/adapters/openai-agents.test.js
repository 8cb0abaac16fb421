// SPDX-License-Identifier: MIT
import { Agent, Runner, tool } from '@openai/agents-core';
import { OpenAIProvider } from '@openai/agents-openai';
import OpenAI from 'openai';
import { z } from 'zod';
import { createFetch } from '../../dist/openai.js';
import { DEMO, loadModel } from '../api/models.js';
import { forcing } from './forced-calls.js';

let model;
beforeAll(async () => {
  model = await loadModel(DEMO);
});
afterAll(() => model.dispose());

const name = (useResponses, called) =>
  useResponses
    ? { type: 'function', name: called }
    : { type: 'function', function: { name: called } };

const Mood = z.object({ mood: z.enum(['good', 'bad']) });

/** An agent of two tools, and what they were given. */
function agentOf(given) {
  const record = (called, result) => (input) => {
    given.push([called, input]);
    return result;
  };
  const dice = tool({
    name: 'dice',
    description: 'Rolls a die.',
    parameters: z.object({ sides: z.enum(['6', '20']) }),
    execute: record('dice', '5'),
  });
  const weather = tool({
    name: 'weather',
    description: 'Tells the weather of a city.',
    parameters: z.object({ city: z.enum(['Rome', 'Oslo']) }),
    execute: record('weather', { sky: 'clear' }),
  });
  return new Agent({
    name: 'Helper',
    instructions: 'Help.',
    tools: [dice, weather],
    outputType: Mood,
    modelSettings: { temperature: 1, maxTokens: 200, parallelToolCalls: false },
  });
}

/** Whose answers call what is chosen for them: the small story model would tell a story. */
function runnerOf(useResponses, bodies) {
  const choices = [name(useResponses, 'dice'), name(useResponses, 'weather'), 'none'];
  const answering = createFetch(model);
  const watched = async (url, init) => {
    const response = await answering(url, init);
    const { stream } = JSON.parse(init.body);
    if (!stream) bodies.push(await response.clone().json());
    return response;
  };
  const openAIClient = new OpenAI({
    ...{ apiKey: '-', baseURL: 'http://model.invalid/v1', maxRetries: 0 },
    fetch: forcing(watched, choices),
  });
  const modelProvider = new OpenAIProvider({ openAIClient, useResponses });
  return new Runner({ modelProvider, model: 'story', tracingDisabled: true });
}

const GIVEN = [
  ['dice', { sides: expect.stringMatching(/^(6|20)$/) }],
  ['weather', { city: expect.stringMatching(/^(Rome|Oslo)$/) }],
];

const promptOf = ({ usage }) => usage.input_tokens ?? usage.prompt_tokens;

describe.each([
  ['the Responses API', true],
  ['chat completions', false],
])('an agent over %s', (_, useResponses) => {
  test('calls both of its tools, and ends', async () => {
    const [given, bodies] = [[], []];
    const result = await runnerOf(useResponses, bodies).run(agentOf(given), 'Roll, and look out.');
    expect(given).toEqual(GIVEN);
    expect(Mood.safeParse(result.finalOutput).success).toBe(true);
    expect(result.rawResponses).toHaveLength(3);
    // Each turn sends the whole conversation, which is not read again.
    for (const [turn, { usage }] of bodies.entries()) {
      const { cached_tokens } = usage.input_tokens_details ?? usage.prompt_tokens_details;
      expect(cached_tokens).toBeGreaterThanOrEqual(turn && promptOf(bodies[turn - 1]));
    }
  });

  test('does the same while it streams', async () => {
    const given = [];
    const runner = runnerOf(useResponses, []);
    const result = await runner.run(agentOf(given), 'Roll, and look out.', { stream: true });
    let text = '';
    for await (const event of result) {
      const { type, data } = event;
      if (type === 'raw_model_stream_event' && data.type === 'output_text_delta')
        text += data.delta;
    }
    await result.completed;
    expect(given).toEqual(GIVEN);
    expect(JSON.parse(text.slice(text.lastIndexOf('{')))).toEqual(result.finalOutput);
  });
});

test('an agent goes on from the response before', async () => {
  const [given, bodies] = [[], []];
  const runner = runnerOf(true, bodies);
  const agent = agentOf(given);
  const first = await runner.run(agent, 'Roll, and look out.');
  const last = bodies.at(-1);
  const previousResponseId = first.lastResponseId;
  const second = await runner.run(agent, 'And then?', { previousResponseId });
  expect(Mood.safeParse(second.finalOutput).success).toBe(true);
  const { cached_tokens } = bodies.at(-1).usage.input_tokens_details;
  expect(cached_tokens).toBeGreaterThanOrEqual(promptOf(last));
});
