// SPDX-License-Identifier: MIT
import type { SessionStore, StoredSession } from './sessions.js';

/** Where this browser keeps sessions; fetched when first needed. */
export async function openSessionStore(): Promise<SessionStore> {
  const [{ SessionStore }, { openFiles }] = await Promise.all([
    import('./sessions.js'),
    import('./open-files.js'),
  ]);
  return new SessionStore(() => openFiles('sessions'));
}

/**
 * The sessions that {@link Session.persist} has kept in this browser, in the origin private file
 * system or else the Cache API. Each call throws ModelError `cache_unavailable` where there is
 * neither.
 */
export const storedSessions = {
  /** All of them. */
  async list(): Promise<StoredSession[]> {
    return (await openSessionStore()).list();
  },
  /** Removes one; false when there was none of that name. */
  async delete(name: string): Promise<boolean> {
    return (await openSessionStore()).delete(name);
  },
  /** Removes all. */
  async clear(): Promise<void> {
    await (await openSessionStore()).clear();
  },
};
