// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from 'react';
import {
  type GenerationOptions,
  type LoadProgress,
  loadModel,
  type Message,
  type Model,
  type ModelSource,
  type Session,
  type SessionOptions,
} from '../index.js';
import type { Chat, Loading, ModelOptions } from './react-types.js';

export type * from './react-types.js';

/** Loads a model, and frees it with the component. A new `source`, by identity, loads anew. */
export function useModel(source: ModelSource | undefined, options: ModelOptions = {}): Loading {
  const [loading, setLoading] = useState<Loading>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: options are those of the load
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const show = (next: Loading) => signal.aborted || setLoading(next);
    show({});
    if (source === undefined) return;
    const onProgress = (progress: LoadProgress) => show({ progress });
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
  const [shown, setShown] = useState<Shown>(NOTHING);
  const chat = useRef<Held>({ messages: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another model, another conversation
  useEffect(() => {
    const mine: Held = { messages: [] };
    chat.current = mine;
    setShown(NOTHING);
    return () => {
      mine.asking?.abort();
      mine.session?.then((session) => session.destroy()).catch(() => {});
    };
  }, [model]);

  async function send(text: string, generation: GenerationOptions = {}) {
    const mine = chat.current;
    if (!model || mine.asking) return;
    mine.asking = new AbortController();
    const { signal } = mine.asking;
    const before = mine.messages;
    const show = (busy: boolean, error?: unknown) =>
      chat.current === mine && setShown({ messages: mine.messages, busy, error });
    const write = (content: string) => {
      mine.messages = [...before, { role: 'user', content: text }, { role: 'assistant', content }];
      show(true);
    };
    let written = '';
    let failure: unknown;
    try {
      write(written);
      mine.session ??= model.createSession(options);
      const stream = (await mine.session).promptStreaming(text, { ...generation, signal });
      for await (const piece of stream) {
        written += piece;
        write(written);
      }
    } catch (error) {
      // A session that could not be made is made anew with the next question.
      await mine.session?.catch(() => {
        mine.session = undefined;
      });
      failure = signal.aborted ? undefined : error;
    }
    mine.asking = undefined;
    show(false, failure);
  }
  return { ...shown, send, stop: () => chat.current.asking?.abort() };
}

type Shown = Pick<Chat, 'messages' | 'busy' | 'error'>;
type Held = { messages: readonly Message[]; session?: Promise<Session>; asking?: AbortController };
const NOTHING: Shown = { messages: [], busy: false, error: undefined };
