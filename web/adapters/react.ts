// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from 'react';
import type { GenerationOptions, Model, ModelSource, Session, SessionOptions } from '../index.js';
import { loadModel } from '../index.js';
import type { Chat, Loading, ModelOptions } from './react-types.js';

export type * from './react-types.js';

type Talk = { messages: Chat['messages']; session?: Promise<Session>; asking?: AbortController };
const NOTHING = { messages: [] as Chat['messages'], busy: false, error: undefined as unknown };

/** Loads a model, and frees it with the component. A new `source`, by identity, loads anew. */
export function useModel(source: ModelSource | undefined, options: ModelOptions = {}): Loading {
  const [loading, setLoading] = useState<Loading>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: options are those of the load
  useEffect(() => {
    setLoading({});
    if (source === undefined) return;
    const left = new AbortController();
    const { signal } = left;
    const show = (next: Loading) => signal.aborted || setLoading(next);
    const onProgress = (progress: Loading['progress']) => void show({ progress });
    const loaded = loadModel(source, { ...options, onProgress, signal });
    loaded.then((model) => show({ model })).catch((error) => show({ error }));
    return () => {
      left.abort();
      loaded.then((model) => model.dispose()).catch(() => {});
    };
  }, [source]);
  return loading;
}

/** A conversation with `model`, by `options` as they are at its first question. */
export function useChat(model: Model | undefined, options: SessionOptions = {}): Chat {
  const [shown, setShown] = useState(NOTHING);
  const talk = useRef<Talk>({ messages: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another model, another conversation
  useEffect(() => {
    const mine: Talk = { messages: [] };
    talk.current = mine;
    setShown(NOTHING);
    return () => {
      mine.asking?.abort();
      mine.session?.then((session) => session.destroy()).catch(() => {});
    };
  }, [model]);

  async function send(text: string, generation: GenerationOptions = {}) {
    const mine = talk.current;
    if (!model || mine.asking) return;
    mine.asking = new AbortController();
    const { signal } = mine.asking;
    const asked = [...mine.messages, { role: 'user', content: text } as const];
    let answer = '';
    const show = (error?: unknown) => {
      mine.messages = [...asked, { role: 'assistant', content: answer }];
      const busy = mine.asking !== undefined;
      if (talk.current === mine) setShown({ messages: mine.messages, busy, error });
    };
    let failure: unknown;
    try {
      show();
      mine.session ??= model.createSession(options);
      const stream = (await mine.session).promptStreaming(text, { ...generation, signal });
      for await (const piece of stream) {
        answer += piece;
        show();
      }
    } catch (error) {
      // A session that could not be made is made anew with the next question.
      await mine.session?.catch(() => delete mine.session);
      if (!signal.aborted) failure = error;
    }
    mine.asking = undefined;
    show(failure);
  }
  return { ...shown, send, stop: () => talk.current.asking?.abort() };
}
