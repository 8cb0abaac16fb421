// SPDX-License-Identifier: MIT
// The app that every bundler gets: it writes, and shows what it wrote.
import { loadModel } from 'fastweights';
import { createClient } from 'fastweights/openai';
import { options } from './options.js';

async function write() {
  const asked = new URLSearchParams(location.search);
  const threads = Number(asked.get('threads') ?? 1);
  const model = await loadModel(asked.get('model'), { threads, ...options(asked) });
  const { text } = await model.complete('Once upon a time', { temperature: 0, maxTokens: 12 });
  // What is fetched only when it is first used.
  const session = await model.createSession({ temperature: 0 });
  const answer = await session.prompt('Tell a story.', { maxTokens: 8 });
  const { choices } = await createClient(model).chat.completions.create({
    messages: [{ role: 'user', content: 'Tell a story.' }],
    temperature: 0,
    max_tokens: 8,
  });
  const same = choices[0].message.content === answer;
  const constraint = { type: 'json_schema', schema: { enum: ['{"a"}'] } };
  const { text: held } = await model.complete('It is', { constraint });
  const written = { text, answer, same, held, threads: model.facts.threads };
  await model.dispose();
  return written;
}

write()
  .catch((error) => ({ error: `${error.name} ${error.code ?? ''}: ${error.message}` }))
  .then((shown) => {
    const output = document.querySelector('output') ?? document.createElement('output');
    output.textContent = JSON.stringify(shown);
    document.body.append(output);
  });
