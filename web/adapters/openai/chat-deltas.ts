// SPDX-License-Identifier: MIT
import type { ResponsePart } from '../../response-stream.js';
import type { ChatCompletionDelta } from './chat-types.js';

/** The deltas that the parts of one choice make. */
export class ChoiceDeltas {
  #opening: { role?: 'assistant' } = { role: 'assistant' };
  /** The JSON of each call's arguments so far, in the order of their indices. */
  readonly #calls = new Map<string, string>();

  push(part: ResponsePart): ChatCompletionDelta[] {
    switch (part.type) {
      case 'text':
        return [{ ...this.opening(), content: part.text }];
      case 'reasoning':
        return [{ ...this.opening(), reasoning_content: part.text }];
      case 'tool-call-delta':
        return this.#call(part);
      default:
        return [];
    }
  }

  /** What the first delta says beside its own. */
  opening(): { role?: 'assistant' } {
    const opening = this.#opening;
    this.#opening = {};
    return opening;
  }

  /** The JSON of a call's arguments, as they were written. */
  json(id: string): string {
    return this.#calls.get(id) ?? '';
  }

  // A call's first delta names it, and those after it have its arguments.
  #call({ id, name, delta }: Extract<ResponsePart, { type: 'tool-call-delta' }>) {
    const deltas: ChatCompletionDelta[] = [];
    if (!this.#calls.has(id)) {
      const call = { id, type: 'function' as const, function: { name, arguments: '' } };
      const index = this.#calls.size;
      deltas.push({ ...this.opening(), tool_calls: [{ index, ...call }] });
    }
    this.#calls.set(id, this.json(id) + delta);
    const index = [...this.#calls.keys()].indexOf(id);
    deltas.push({ tool_calls: [{ index, function: { arguments: delta } }] });
    return deltas;
  }
}
