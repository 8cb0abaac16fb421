// SPDX-License-Identifier: MIT
import type { GenerationOptions, LoadProgress, Message, Model } from '../../index.js';
import type { SharedLoadOptions } from '../shared-model.js';

export type { SharedLoadOptions };

/** A model on its way; in the end there is either `model` or `error`. */
export interface Loading {
  model?: Model;
  progress?: LoadProgress;
  error?: unknown;
}

/**
 * How a model is loaded: as the first of the components that share it says. It is freed with the last,
 * not by a signal.
 */
export type ModelOptions = SharedLoadOptions;

/** A conversation, its last message growing as it is written. */
export interface Chat {
  messages: readonly Message[];
  busy: boolean;
  /** What the last answer failed with. */
  error: unknown;
  /**
   * Asks; not taken while an answer is being written. Resolves when the answer is complete. A question
   * that could not be read to its end is no part of the conversation, and leaves `messages` again.
   * The same function for as long as the component lives, as is `stop`.
   */
  send(text: string, options?: GenerationOptions): Promise<void>;
  /** Ends the answer, or the reading before it; what is written stays. */
  stop(): void;
}
