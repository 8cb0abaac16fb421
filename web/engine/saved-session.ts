// SPDX-License-Identifier: MIT
// Fetched with the first state that is saved or restored.

import { ModelError } from '../errors.js';
import { type Precision, packer, unpack } from '../storage/compact.js';
import { opened, sealed } from '../storage/saved-file.js';
import type { WasmSession } from '../wasm/glue.js';
import type { Conversation } from './conversation.js';
import type { LoadedModel } from './loaded-model.js';
import type { PlaceSettings } from './rendered-text.js';
import { checkSaved, type SavedSession } from './saved-checks.js';
import { packDefaults } from './saved-defaults.js';
import {
  type MachineArrays,
  machineArrays,
  restoreMachine,
  savedMachine,
} from './saved-machine.js';
import type { Texts } from './texts.js';
import type { TextUse } from './types.js';

const kSaved = { magic: 'fwsessio', version: 2, name: 'session' };

/** Everything that `restoreConversation` needs, as bytes. */
export async function saveConversation(
  { fingerprint, facts }: LoadedModel,
  conversation: Conversation,
  own: object,
  precision: Precision,
): Promise<Uint8Array> {
  const print = await fingerprint.digest();
  const pack = packer(precision);
  const saved: SavedSession = {
    fingerprint: print,
    model: facts.name,
    conversation: conversation.snapshot(),
    ...savedMachine(conversation.machine),
    own: packDefaults(own),
  };
  return sealed(kSaved, saved, () => pack(machineArrays(conversation.machine)));
}

/**
 * Starts a session from what `saveConversation` gave.
 *
 * @throws ModelError `wrong_model`, `invalid_header`, `truncated`, `integrity`, `out_of_memory`
 */
export async function restoreConversation(
  texts: Texts,
  bytes: Uint8Array,
  places: PlaceSettings,
): Promise<{ session: number; use: TextUse; own: object }> {
  const saved = await openSaved(texts.model(), bytes);
  const { own, conversation: snapshot } = checkSaved(saved, texts.model());
  const { thinking, tools, toolFormat } = snapshot;
  const empty = await texts.chat({ seed: 0, thinking, tools, toolFormat, ...places });
  const restored = await texts.add(empty, (conversation) => {
    checkKv(saved, conversation.machine.session);
    restoreMachine(conversation.machine, saved);
    conversation.restore(snapshot);
  });
  return { ...restored, own };
}

function checkKv({ kv = 'f32', position }: SavedSession, session: WasmSession): void {
  if (position === 0 || session.pageFloats() === 0 || kv === session.kv()) return;
  throw new ModelError(
    'wrong_model',
    `the session was saved with kv '${kv}', and the model was loaded with kv '${session.kv()}'`,
  );
}

async function openSaved(
  { fingerprint, facts }: LoadedModel,
  bytes: Uint8Array,
): Promise<SavedSession & { arrays: MachineArrays }> {
  const saved = await opened<SavedSession>(kSaved, bytes);
  if (saved.fingerprint === (await fingerprint.digest())) {
    return { ...saved, arrays: unpack(saved.arrays) };
  }
  const theirs = typeof saved.model === 'string' ? saved.model : 'another model';
  const ours = facts.name ?? 'this one';
  throw new ModelError(
    'wrong_model',
    `the session was saved from ${theirs}, whose weights are not those of ${ours}`,
  );
}
