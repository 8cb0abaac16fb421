// SPDX-License-Identifier: MIT
import type { EventStream } from './event-stream.js';
import type {
  Response,
  ResponseOutputItem,
  ResponseOutputText,
  ResponseReasoningText,
} from './response-types.js';

/** What a response has become. */
export interface ResponseLifecycleEvent {
  type:
    | 'response.created'
    | 'response.in_progress'
    | 'response.completed'
    | 'response.incomplete'
    | 'response.failed';
  response: Response;
}

export interface ResponseItemEvent {
  type: 'response.output_item.added' | 'response.output_item.done';
  output_index: number;
  item: ResponseOutputItem;
}

/** Where a piece of an item belongs. */
export interface ResponseItemPlace {
  output_index: number;
  item_id: string;
}

export interface ResponseContentPartEvent extends ResponseItemPlace {
  type: 'response.content_part.added' | 'response.content_part.done';
  content_index: number;
  part: ResponseOutputText | ResponseReasoningText;
}

export interface ResponseTextDeltaEvent extends ResponseItemPlace {
  type: 'response.output_text.delta';
  content_index: number;
  delta: string;
  logprobs: never[];
}

export interface ResponseTextDoneEvent extends ResponseItemPlace {
  type: 'response.output_text.done';
  content_index: number;
  text: string;
  logprobs: never[];
}

export interface ResponseReasoningTextDeltaEvent extends ResponseItemPlace {
  type: 'response.reasoning_text.delta';
  content_index: number;
  delta: string;
}

export interface ResponseReasoningTextDoneEvent extends ResponseItemPlace {
  type: 'response.reasoning_text.done';
  content_index: number;
  text: string;
}

export interface ResponseFunctionCallArgumentsDeltaEvent extends ResponseItemPlace {
  type: 'response.function_call_arguments.delta';
  delta: string;
}

/** Comes only where the arguments are whole. */
export interface ResponseFunctionCallArgumentsDoneEvent extends ResponseItemPlace {
  type: 'response.function_call_arguments.done';
  name: string;
  arguments: string;
}

/** An event before it has its number. */
export type UnnumberedEvent =
  | ResponseLifecycleEvent
  | ResponseItemEvent
  | ResponseContentPartEvent
  | ResponseTextDeltaEvent
  | ResponseTextDoneEvent
  | ResponseReasoningTextDeltaEvent
  | ResponseReasoningTextDoneEvent
  | ResponseFunctionCallArgumentsDeltaEvent
  | ResponseFunctionCallArgumentsDoneEvent;

/** A piece of a response; numbers count from 0. */
export type ResponseStreamEvent = UnnumberedEvent & { sequence_number: number };

export type ResponseEventStream = EventStream<ResponseStreamEvent>;
