// SPDX-License-Identifier: MIT
// Fetched with the first model that is kept.

import { ModelError } from '../errors.js';
import type { Release } from '../storage/locks.js';
import type { FileFacts, HeldFile } from '../storage/models.js';
import type { ByteSource } from './byte-source.js';
import type { CacheSettings } from './cache-settings.js';
import { ForwardSource } from './forward-source.js';
import { type HttpSource, openHttp } from './http-source.js';
import type { Keeper, Keeping } from './keeper.js';
import { Copy, channelOf, Download, Failed, Luck, type Turn } from './keepers.js';
import { type Asking, openPart } from './open-part.js';
import { ResumedFeed } from './resumed-feed.js';
import { SyncFeed } from './sync-feed.js';

interface Kept {
  source: ByteSource;
  keeper: Keeper | undefined;
}

/**
 * Opens a kept copy, or a download that is being kept. Where another tab downloads the file it is
 * waited for, and its copy taken. A cache that fails is as none, unless it is required.
 *
 * @throws what opening a URL does; ModelError `cache_unavailable` where the cache is required; the
 * signal's reason
 */
export async function openKept(url: string, keeping: Keeping, asking: Asking): Promise<Kept> {
  const { cache, key, settings, peek } = keeping;
  const luck = new Luck(settings.required);
  for (;;) {
    const held = await luck.try(() => cache.find(key));
    const fresh = await ifNeeded(url, held, settings, asking);
    if (held && !fresh) {
      const source = await openHeld(held, asking);
      return { source, keeper: new Copy(cache, held) };
    }
    held?.release();
    let turn: Release | undefined;
    try {
      if (!peek) turn = await luck.try(() => cache.turn(key, { ifFree: true }));
      // Another tab may have finished before it gave the turn back.
      const later = turn && (await luck.try(() => cache.find(key)));
      later?.release();
      if (peek || luck.failure) {
        turn?.();
        const source = fresh ?? (await openHttp(url, asking));
        return { source, keeper: luck.failure && new Failed(luck.failure) };
      }
      if (turn && (!later || later.version.id === held?.version.id)) {
        return await download(url, keeping, { fresh, luck, turn, asking });
      }
      turn?.();
      // Servers drop connections that wait.
      await fresh?.close();
      if (!turn) (await waitForTurn(keeping, asking.signal))();
    } catch (error) {
      turn?.();
      await fresh?.close();
      throw error;
    }
  }
}

async function openHeld(held: HeldFile, asking: Asking): Promise<ByteSource> {
  const file = await held.openSync();
  if (!file) return openPart(held.file, asking);
  return new ForwardSource(new SyncFeed(held.facts.key, file), asking.signal);
}

// A download where the kept copy is missing or old.
async function ifNeeded(
  url: string,
  held: HeldFile | undefined,
  { revalidate }: CacheSettings,
  asking: Asking,
): Promise<HttpSource | undefined> {
  if (!held || !revalidate) return undefined;
  const { facts, version } = held;
  const unlessStill = { ...facts, bytes: version.bytes };
  try {
    return await openHttp(url, { ...asking, httpCache: 'no-store', unlessStill });
  } catch (error) {
    // Offline: the kept copy is what there is.
    if (error instanceof ModelError && error.code === 'network') return undefined;
    held.release();
    throw error;
  }
}

interface Own extends Turn {
  /** A download that has begun. */
  fresh: HttpSource | undefined;
  asking: Asking;
}

async function download(url: string, keeping: Keeping, own: Own): Promise<Kept> {
  const { cache, key } = keeping;
  const { fresh, luck, turn, asking } = own;
  let from: HeldFile | undefined;
  let http = fresh;
  try {
    from = fresh ? undefined : await luck.try(() => cache.interrupted(key));
    const resume = from && {
      at: from.version.bytes,
      version: { ...from.facts, bytes: from.facts.of },
    };
    const source = fresh ?? (await openHttp(url, { ...asking, httpCache: 'no-store', resume }));
    http = source;
    if (from && source.position === 0) {
      const old = from;
      from = undefined;
      old.release();
      await luck.try(() => cache.drop(old));
    }
    const facts = (): FileFacts => {
      const { etag, lastModified } = source.version;
      return { key, url, date: new Date().toISOString(), etag, lastModified, of: source.size };
    };
    const keeper = new Download(keeping, { http, from, luck, turn });
    if (http.size !== undefined) await keeper.makeRoom(http.size);
    keeper.fill = await luck.try(() => cache.fill(key, facts, from));
    const feed = from && new ResumedFeed(await openPart(from.file, asking), http);
    return { source: feed ? new ForwardSource(feed, asking.signal) : http, keeper };
  } catch (error) {
    from?.release();
    await http?.close();
    throw error;
  }
}

/** Waits until another tab has the file, or has given up, and says how far it is. */
async function waitForTurn(
  { cache, key, onWait }: Keeping,
  signal: AbortSignal | undefined,
): Promise<Release> {
  onWait(0, undefined);
  const channel = channelOf(key);
  if (channel) channel.onmessage = ({ data }) => onWait(data.loaded, data.total);
  try {
    return await cache.turn(key, { signal });
  } finally {
    channel?.close();
  }
}
