// SPDX-License-Identifier: MIT
import type { GenerationOptions, LoadOptions, LoadProgress, Message, Model } from '../../index.js';

/** A model on its way; in the end there is either `model` or `error`. */
export interface Loading {
  model?: Model;
  progress?: LoadProgress;
  error?: unknown;
}

/** What the hook has no use for itself: a component's model is freed with the component. */
export type ModelOptions = Omit<LoadOptions, 'signal' | 'onProgress'>;

/** A conversation, its last message growing as it is written. */
export interface Chat {
  messages: readonly Message[];
  busy: boolean;
  /** What the last answer failed with. */
  error: unknown;
  /** Asks; not taken while an answer is being written. Resolves when the answer is complete. */
  send(text: string, options?: GenerationOptions): Promise<void>;
  /** Ends the answer; what is written stays. */
  stop(): void;
}
