// SPDX-License-Identifier: MIT
import type { ResponsePart } from '../../response-stream.js';
import { newId } from './event-stream.js';
import type { UnnumberedEvent } from './response-event-types.js';
import type {
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseOutputText,
  ResponseReasoningItem,
  ResponseReasoningText,
} from './response-types.js';

/** Makes items of the parts of an answer, and tells of each piece. */
export class ResponseWriter {
  readonly #response: Response;
  /** The item that is being written: the last one. */
  #item: ResponseOutputItem | undefined;

  /** @param response its output is written here */
  constructor(response: Response) {
    this.#response = response;
  }

  push(part: ResponsePart): UnnumberedEvent[] {
    switch (part.type) {
      case 'reasoning':
        return this.#reasoning(part.text);
      case 'text':
        return this.#text(part.text);
      case 'tool-call-delta':
        return this.#call(part.id, part.name, part.delta);
      case 'tool-call':
        return this.#end('completed');
      case 'finish':
        return this.#finish(part.reason === 'length' ? 'incomplete' : 'completed');
    }
  }

  #reasoning(delta: string): UnnumberedEvent[] {
    const events = this.#item?.type === 'reasoning' ? [] : this.#begin(reasoningItem());
    const { content } = this.#item as ResponseReasoningItem;
    (content[0] as ResponseReasoningText).text += delta;
    const type = 'response.reasoning_text.delta';
    return [...events, { type, ...this.#place, content_index: 0, delta }];
  }

  #text(delta: string): UnnumberedEvent[] {
    const events = this.#item?.type === 'message' ? [] : this.#begin(messageItem());
    const { content } = this.#item as ResponseOutputMessage;
    (content[0] as ResponseOutputText).text += delta;
    this.#response.output_text += delta;
    const type = 'response.output_text.delta';
    return [...events, { type, ...this.#place, content_index: 0, delta, logprobs: [] }];
  }

  #call(id: string, name: string, delta: string): UnnumberedEvent[] {
    const events = this.#item?.type === 'function_call' ? [] : this.#begin(callItem(id, name));
    (this.#item as ResponseFunctionToolCall).arguments += delta;
    return [...events, { type: 'response.function_call_arguments.delta', ...this.#place, delta }];
  }

  // An answer of nothing is a message too.
  #finish(status: 'completed' | 'incomplete'): UnnumberedEvent[] {
    const isEmpty = this.#response.output.every(({ type }) => type === 'reasoning');
    const isThought = this.#item?.type === 'reasoning' && status === 'incomplete';
    const events = isEmpty && !isThought ? this.#begin(messageItem()) : [];
    return [...events, ...this.#end(status)];
  }

  get #place() {
    const { output } = this.#response;
    const item_id = (this.#item as ResponseOutputItem).id;
    return { item_id, output_index: output.length - 1 };
  }

  #begin(item: ResponseOutputItem): UnnumberedEvent[] {
    const events = this.#end('completed');
    this.#response.output.push(item);
    this.#item = item;
    const { item_id, output_index } = this.#place;
    events.push({ type: 'response.output_item.added', output_index, item: structuredClone(item) });
    if (item.type === 'function_call') return events;
    const part: ResponseOutputText | ResponseReasoningText =
      item.type === 'message'
        ? { type: 'output_text', text: '', annotations: [] }
        : { type: 'reasoning_text', text: '' };
    (item.content as (typeof part)[]).push(part);
    const place = { item_id, output_index, content_index: 0 };
    events.push({ type: 'response.content_part.added', ...place, part: { ...part } });
    return events;
  }

  #end(status: 'completed' | 'incomplete'): UnnumberedEvent[] {
    const item = this.#item;
    if (!item) return [];
    const place = this.#place;
    this.#item = undefined;
    item.status = status;
    const events = ended(item, place);
    const { output_index } = place;
    events.push({ type: 'response.output_item.done', output_index, item: structuredClone(item) });
    return events;
  }
}

// What is in it is complete.
function ended(
  item: ResponseOutputItem,
  place: { item_id: string; output_index: number },
): UnnumberedEvent[] {
  if (item.type === 'function_call') {
    const { name, arguments: json, status } = item;
    if (status === 'incomplete') return [];
    return [{ type: 'response.function_call_arguments.done', ...place, name, arguments: json }];
  }
  const [part] = item.content as [ResponseOutputText | ResponseReasoningText];
  const { text } = part;
  const at = { ...place, content_index: 0 };
  return [
    part.type === 'output_text'
      ? { type: 'response.output_text.done', ...at, text, logprobs: [] }
      : { type: 'response.reasoning_text.done', ...at, text },
    { type: 'response.content_part.done', ...at, part: { ...part } },
  ];
}

function reasoningItem(): ResponseReasoningItem {
  return { type: 'reasoning', id: newId('rs_'), summary: [], content: [], status: 'in_progress' };
}

function messageItem(): ResponseOutputMessage {
  const id = newId('msg_');
  return { type: 'message', id, role: 'assistant', content: [], status: 'in_progress' };
}

function callItem(call_id: string, name: string): ResponseFunctionToolCall {
  const id = newId('fc_');
  return { type: 'function_call', id, call_id, name, arguments: '', status: 'in_progress' };
}
