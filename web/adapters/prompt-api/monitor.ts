// SPDX-License-Identifier: MIT
import type { LoadProgress } from '../../index.js';
import type { CreateMonitor } from './types.js';

/** Tells a `monitor` how much has been loaded: 0 first and 1 last, whatever comes between. */
export class Monitor extends EventTarget implements CreateMonitor {
  ondownloadprogress: CreateMonitor['ondownloadprogress'] = null;
  #last = -1;

  readonly onProgress = ({ loaded, total }: LoadProgress): void => {
    if (total && loaded < total) this.tell(loaded / total);
  };

  tell(loaded: number): void {
    // Fewer events than chunks: as browsers do, and 1 once, when the model is there.
    if (loaded < 1 && loaded > 0 && loaded < this.#last + 1 / 256) return;
    if (loaded <= this.#last) return;
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
