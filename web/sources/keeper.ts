// SPDX-License-Identifier: MIT

import type { ModelCache } from '../storage/models.js';
import type { CacheSettings } from './cache-settings.js';

/** Where and how a file is kept. */
export interface Keeping {
  cache: ModelCache;
  settings: CacheSettings;
  /** What it is called there. */
  key: string;
  /** Whether only its header is read now: then it is not stored. */
  peek: boolean;
  /** Hears of the download by another tab that is waited for. */
  onWait(loaded: number, total: number | undefined): void;
}

/** What becomes of a file in the cache while it is read. */
export interface Keeper {
  readonly kept: boolean;
  readonly notKept: string | undefined;
  /** Tells what is kept from what may be kept in its place later. */
  readonly keptAs?: string | undefined;
  /** Is given every byte, in order, if it wants them. */
  take?(bytes: Uint8Array): Promise<void>;
  /** The file is read and is what it should be. */
  finish(sha256: string | undefined): Promise<void>;
  forget(): Promise<void>;
  close(): Promise<void>;
}
