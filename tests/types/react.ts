// SPDX-License-Identifier: MIT
import { useChat, useModel } from '../../web/adapters/react.js';

/** A component's body. */
export function Story() {
  const { model, progress, error } = useModel('/models/model.gguf', { cache: true });
  const { messages, busy, send, stop } = useChat(model, { temperature: 0.7 });
  // @ts-expect-error A component's model is freed with the component, not by a signal.
  useModel('/models/model.gguf', { signal: AbortSignal.abort() });
  return { loaded: progress?.loaded, error, messages, busy, send, stop };
}
