// SPDX-License-Identifier: MIT
// Runs blocks one after another, each a module, and says of each what came of it: `runner.js FOLDER
// NAME...`, a line of JSON each. A process of its own, since blocks change the global scope.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { act, createElement } from 'react';
import { create } from 'react-test-renderer';
import { give, openPage } from './given.js';

const kLimitMs = 30_000;

const [folder, ...names] = process.argv.slice(2);
const say = (outcome) => process.stdout.write(`${JSON.stringify(outcome)}\n`);

openPage();
await give();
globalThis.IS_REACT_ACT_ENVIRONMENT = true;
const shown = [];
for (const name of ['log', 'warn', 'error']) {
  console[name] = (...words) => shown.push(words.map(String).join(' '));
}

for (const name of names) {
  shown.length = 0;
  globalThis.session = await model.createSession();
  await session.append([
    { role: 'user', content: 'Tell a story about a fox.' },
    { role: 'assistant', content: 'There was a fox.' },
  ]);
  const began = performance.now();
  const late = new Promise((_, reject) =>
    setTimeout(reject, kLimitMs, new Error('takes too long')),
  );
  late.catch(() => {});
  const error = await Promise.race([run(name), late]).then(
    () => undefined,
    (reason) => reason?.stack ?? String(reason),
  );
  say({ name, error, shown: shown.length, ms: Math.round(performance.now() - began) });
  session.destroy();
}
process.exit(0);

async function run(name) {
  const made = await import(pathToFileURL(join(folder, name)).href);
  for (const [key, value] of Object.entries(made)) {
    if (typeof value?.close === 'function') value.close();
    if (/^[A-Z]/.test(key) && typeof value === 'function') await render(value);
  }
}

/** Shows a component, and presses its button once there is one, until that shows. */
async function render(component) {
  let root;
  await act(async () => {
    root = create(createElement(component));
  });
  await changed(root, component.name, shownBy(root));
  const [button] = root.root.findAllByType('button');
  if (button) {
    const before = shownBy(root);
    await act(async () => button.props.onClick());
    await changed(root, `the button of ${component.name}`, before);
  }
  await act(async () => root.unmount());
}

function shownBy(root) {
  return JSON.stringify(root.toJSON());
}

async function changed(root, name, before) {
  for (let i = 0; shownBy(root) === before; i++) {
    if (i === 100) throw new Error(`${name} shows nothing but ${before}`);
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  }
}
