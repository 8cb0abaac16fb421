// SPDX-License-Identifier: MIT
import { type ChatTool, useChat, useModel } from '../../web/adapters/react.js';

const weather: ChatTool = {
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  // Arguments are what the schema says.
  execute: ({ city }: { city: string }, { signal }) => fetch(`/weather/${city}`, { signal }),
};

/** A component's body. */
export function Story() {
  const { model, progress, error } = useModel('/models/model.gguf', { cache: true });
  const { messages, busy, send, stop } = useChat(model, { temperature: 0.7, tools: [weather] });
  // @ts-expect-error A component's model is freed with the component, not by a signal.
  useModel('/models/model.gguf', { signal: AbortSignal.abort() });
  // @ts-expect-error There is no such part.
  const found = messages[0]?.parts.filter(({ type }) => type === 'image');
  return { found, loaded: progress?.loaded, error, messages, busy, send, stop };
}
