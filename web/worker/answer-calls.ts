// SPDX-License-Identifier: MIT
// The worker's side: it answers the calls of `hosts.ts` with an engine of its own.
import { Engine } from '../engine/engine.js';
import type { Inspected } from '../engine/inspection.js';
import type { SessionState } from '../engine/session-state.js';
import type { EngineOptions } from '../engine/types.js';
import { startThreadsBy } from '../wasm/thread-workers.js';
import type { Methods } from './calls.js';
import { type Posted, received as receivedSource } from './posted-source.js';
import { type Reply, type Request, received, send, toPlain } from './protocol.js';
import { workersByPage } from './threads-by-page.js';

/** Answers what `scope` is told from now on, and before that what it was `told` already. */
export function answerCalls(scope: Worker, told: readonly MessageEvent[]): void {
  const engine = new Engine() as unknown as Methods;
  const calls = new Map<number, AbortController>();
  startThreadsBy(workersByPage(scope));

  const reply = (message: Reply, transfer?: Transferable[]) => send(scope, message, transfer);
  const hear = (event: MessageEvent) => {
    const message = received<Request>(event);
    if (message?.kind === 'ping') reply({ kind: 'ready' });
    if (message?.kind === 'abort') calls.get(message.call)?.abort();
    if (message?.kind === 'call') void answer(message);
  };
  const answer = async ({ call, method, args, heard }: Request & { kind: 'call' }) => {
    const controller = new AbortController();
    calls.set(call, controller);
    const { signal } = controller;
    const tell = (progress: unknown) => {
      if (heard && !signal.aborted) reply({ kind: 'progress', call, progress });
    };
    const given = argumentsOf(method, args);
    try {
      const value = await engine[method]?.(...given, { signal, tell });
      reply({ kind: 'value', call, value }, buffersOf(value));
    } catch (error) {
      reply({ kind: 'error', call, error: toPlain(error) });
    } finally {
      calls.delete(call);
    }
  };

  for (const event of told) hear(event);
  scope.addEventListener('message', hear);
}

// Sources have come in parts.
function argumentsOf(method: string, args: unknown[]): unknown[] {
  const [source, options] = args;
  if (method === 'inspect') return [receivedSource(source as Posted), options];
  if (method !== 'load') return args;
  const settings = options as Omit<EngineOptions, 'draft'> & { draft?: { source: unknown } };
  const { draft } = settings;
  const opened = draft && { ...draft, source: receivedSource(draft.source as Posted) };
  return [receivedSource(source as Posted), { ...settings, draft: opened }];
}

// Logits and saved sessions are megabytes that the engine has no more use for; so are states, whose
// arrays are views of one buffer, and the texts of a header.
function buffersOf(value: unknown): Transferable[] {
  const { metadata } = (value ?? {}) as Partial<Inspected>;
  if (metadata) {
    const texts = [...metadata.values()].filter((one) => typeof one === 'object' && 'ends' in one);
    return texts.flatMap(({ bytes, ends }) => [bytes.buffer, ends.buffer] as ArrayBuffer[]);
  }
  const state = (value as SessionState | undefined)?.layers?.[0];
  if (state) return [state.norms.buffer as ArrayBuffer];
  if (!ArrayBuffer.isView(value) || !(value.buffer instanceof ArrayBuffer)) return [];
  return value.byteLength === value.buffer.byteLength ? [value.buffer] : [];
}
