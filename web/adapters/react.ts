// SPDX-License-Identifier: MIT
/**
 * Hooks for React: a model that components share, and a conversation with it.
 *
 * @module fastweights/react
 */
'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { Model, ModelSource, RespondOptions } from '../index.js';
import { NOTHING, ShownChat } from './react/shown-chat.js';
import type { Chat, ChatOptions, Loading, ModelOptions, ToolResult } from './react/types.js';
import { SharedModel, sourceKey } from './shared-model.js';

export type * from './react/types.js';

/**
 * Loads a model, or takes part in one that another component has loaded from the same `source`; it is
 * freed with the last of them. Another source, by identity or as an address, is another model.
 */
export function useModel(source: ModelSource | undefined, options: ModelOptions = {}): Loading {
  const [loading, setLoading] = useState<Loading>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: options are those of the load
  useEffect(() => {
    setLoading({});
    if (source === undefined) return;
    const left = new AbortController();
    const { signal } = left;
    const show = (next: Loading) => signal.aborted || setLoading(next);
    const shared = SharedModel.of(source, options);
    const taken = shared.take(signal, (progress) => void show({ progress }));
    taken.then(
      (model) => show({ model }),
      (error) => show({ error }),
    );
    return () => {
      left.abort();
      taken.then(
        () => shared.release(),
        () => {},
      );
    };
  }, [sourceKey(source)]);
  return loading;
}

/**
 * A conversation with `model`, by `options` as they are at its first question. Where `tools` have an
 * `execute`, what the model calls is run in the page, and the model goes on with what that gives.
 */
export function useChat(model: Model | undefined, options: ChatOptions = {}): Chat {
  const [shown, setShown] = useState(NOTHING);
  const chat = useRef<ShownChat>(undefined);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const mine = model && new ShownChat(model, setShown);
    chat.current = mine;
    setShown(NOTHING);
    return () => mine?.end();
  }, [model]);
  const send = useCallback(
    async (input: string | readonly ToolResult[], respond?: RespondOptions) =>
      chat.current?.send(input, latest.current, respond),
    [],
  );
  const stop = useCallback(() => chat.current?.stop(), []);
  return { ...shown, send, stop };
}
