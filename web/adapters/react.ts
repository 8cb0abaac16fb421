// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from 'react';
import { loadModel, type Model, type ModelSource, type SessionOptions } from '../index.js';
import { NOTHING, ShownChat } from './react/shown-chat.js';
import type { Chat, Loading, ModelOptions } from './react/types.js';

export type * from './react/types.js';

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
  const chat = useRef<ShownChat>(undefined);
  useEffect(() => {
    const mine = model && new ShownChat(model, setShown);
    chat.current = mine;
    setShown(NOTHING);
    return () => mine?.end();
  }, [model]);
  return {
    ...shown,
    send: async (text, generation) => chat.current?.send(text, options, generation),
    stop: () => chat.current?.stop(),
  };
}
