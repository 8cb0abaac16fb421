// SPDX-License-Identifier: MIT
import type { LoadProgress } from '../../index.js';
import type { CreateMonitor } from './types.js';

// As in the standard, so that nobody learns the size of what is loaded.
const STEPS = 65_536;

/**
 * Tells a `monitor` how much has been loaded: 0 first and 1 last, whatever comes between; nothing any
 * more once the signal has fired.
 */
export class Monitor extends EventTarget {
  ondownloadprogress: CreateMonitor['ondownloadprogress'] = null;
  readonly #signal: AbortSignal | undefined;
  #last = -1;

  constructor(signal: AbortSignal | undefined) {
    super();
    this.#signal = signal;
  }

  readonly onProgress = ({ loaded, total }: LoadProgress): void => {
    if (total && loaded < total) this.tell(Math.floor((loaded / total) * STEPS) / STEPS);
  };

  tell(loaded: number): void {
    // Fewer events than chunks: as browsers do, and 1 once, when the model is there.
    if (loaded < 1 && loaded > 0 && loaded < this.#last + 1 / 256) return;
    if (loaded <= this.#last || this.#signal?.aborted) return;
    this.#last = loaded;
    const event = progressEvent(loaded);
    this.dispatchEvent(event);
    this.ondownloadprogress?.call(this, event);
  }
}

function progressEvent(loaded: number): ProgressEvent {
  const facts = { lengthComputable: true, loaded, total: 1 };
  // Node has no ProgressEvent.
  if (typeof ProgressEvent === 'function') return new ProgressEvent('downloadprogress', facts);
  return Object.assign(new Event('downloadprogress'), facts) as ProgressEvent;
}
