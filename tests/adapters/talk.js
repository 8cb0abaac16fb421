// SPDX-License-Identifier: MIT
// Components that use a conversation, and note what they saw.
import { act, createElement } from 'react';
import { create } from 'react-test-renderer';
import { useChat } from '../../dist/react.js';

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

/** React says that its test renderer has a successor; that one needs a document. */
export function withoutRenderersNotice() {
  const { error: print } = console;
  beforeAll(() => {
    console.error = (...args) => /react-test-renderer/.test(args[0]) || print(...args);
  });
  afterAll(() => {
    console.error = print;
  });
}

function Talk({ model, seen, options }) {
  seen.chat = useChat(model, options);
  return null;
}

/** Its `chat` is what the last render gave; `options` can be those of another render. */
export async function talk(model, options) {
  const seen = {};
  const element = (now) => createElement(Talk, { model, seen, options: now });
  let root;
  await act(async () => {
    root = create(element(options));
  });
  seen.render = (next) => act(async () => root.update(element(next)));
  seen.unmount = () => act(async () => root.unmount());
  return seen;
}
