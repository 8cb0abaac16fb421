// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from 'react';
import type {
  GenerationOptions,
  LoadOptions,
  LoadProgress,
  Message,
  Model,
  ModelSource,
  Session,
  SessionOptions,
} from '../index.js';
import { loadModel } from '../index.js';

/** A model on its way; in the end there is either `model` or `error`. */
export type Loading = { model?: Model; progress?: LoadProgress; error?: unknown };

/** Loads a model, and frees it with the component. A new `source`, by identity, loads anew. */
export function useModel(
  source: ModelSource | undefined,
  options: Omit<LoadOptions, 'signal'> = {},
): Loading {
  const [loading, setLoading] = useState<Loading>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: options are those of the first load
  useEffect(() => {
    if (source === undefined) return;
    const left = new AbortController();
    const show = (next: Loading) => left.signal.aborted || setLoading(next);
    const onProgress = (progress: LoadProgress) => {
      options.onProgress?.(progress);
      show({ progress });
    };
    show({});
    const loaded = loadModel(source, { ...options, onProgress, signal: left.signal });
    loaded.then(
      (model) => show({ model }),
      (error) => show({ error }),
    );
    return () => {
      left.abort();
      loaded.then(
        (model) => model.dispose(),
        () => {},
      );
    };
  }, [source]);
  return loading;
}

/** A conversation, its last message growing as it is written. */
export interface Chat {
  messages: readonly Message[];
  busy: boolean;
  error: unknown;
  /** Asks; ignored while an answer is being written. Resolves when the answer is complete. */
  send(text: string, options?: GenerationOptions): Promise<void>;
  /** Ends the answer; what is written stays. */
  stop(): void;
}

/** A conversation with `model`, from `options` as they are at the first message. */
export function useChat(model: Model | undefined, options: SessionOptions = {}): Chat {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const history = useRef<readonly Message[]>([]);
  const session = useRef<Promise<Session>>(undefined);
  const stopping = useRef<AbortController>(undefined);
  const stop = () => stopping.current?.abort();

  async function send(text: string, generation: GenerationOptions = {}) {
    if (!model || stopping.current) return;
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    const before = history.current;
    const write = (content: string) => {
      if (signal.aborted) return;
      history.current = [
        ...before,
        { role: 'user', content: text },
        { role: 'assistant', content },
      ];
      setMessages(history.current);
    };
    setBusy(true);
    setError(undefined);
    let content = '';
    try {
      write(content);
      session.current ??= model.createSession(options);
      const live = await session.current.catch((failure) => {
        session.current = undefined;
        throw failure;
      });
      const stream = live.promptStreaming(text, { ...generation, signal });
      for await (const piece of stream) {
        content += piece;
        write(content);
      }
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      stopping.current = undefined;
      setBusy(false);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another model, another conversation
  useEffect(() => {
    history.current = [];
    setMessages(history.current);
    return () => {
      stopping.current?.abort();
      session.current?.then(
        (old) => old.destroy(),
        () => {},
      );
      session.current = undefined;
    };
  }, [model]);
  return { messages, busy, error, send, stop };
}
