// SPDX-License-Identifier: MIT
import type { Conversation, SavedConversation } from './conversation.js';
import { ModelError } from './errors.js';
import type { LoadedModel } from './loaded-model.js';

const kSaved = { magic: 'fwsessio', version: 1, name: 'session' };

/** A saved session: what its conversation needs, and what its caller gave. */
export interface SavedSession {
  /** Of the model that it goes with. */
  fingerprint: string;
  model: string | undefined;
  facts: SavedConversation;
  own: object;
}

// Fetched with the first session that is saved or restored.
async function files() {
  const [{ decodeSaved, encodeSaved }, { Sha256 }] = await Promise.all([
    import('./saved-file.js'),
    import('./sha256.js'),
  ]);
  return { decodeSaved, encodeSaved, Sha256 };
}

export async function saveConversation(
  { fingerprint, facts }: LoadedModel,
  conversation: Conversation,
  own: object,
): Promise<Uint8Array> {
  const { encodeSaved, Sha256 } = await files();
  const print = await fingerprint.digest();
  const saved = conversation.save();
  const header: SavedSession = {
    fingerprint: print,
    model: facts.name,
    facts: saved.facts,
    own,
  };
  return encodeSaved(kSaved, header, saved.arrays, Sha256);
}

/** @throws ModelError `wrong_model`, `invalid_header`, `truncated`, `integrity` */
export async function openSaved(
  { fingerprint, facts }: LoadedModel,
  bytes: Uint8Array,
): Promise<SavedSession & { arrays: Map<string, Float32Array> }> {
  const { decodeSaved, Sha256 } = await files();
  const saved = decodeSaved<SavedSession>(kSaved, bytes, Sha256);
  if (saved.fingerprint === (await fingerprint.digest())) return saved;
  throw new ModelError(
    'wrong_model',
    `the session was saved from ${saved.model ?? 'another model'}, whose weights are not those of ${facts.name ?? 'this one'}`,
  );
}
