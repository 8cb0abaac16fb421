// SPDX-License-Identifier: MIT
// The first file of an engine's worker. It imports nothing before it runs, and keeps what it is told until
// the engine is there: so all files of a load are asked for at once, not each by the one before it.
import type { InspectionSettings } from '../engine/inspection.js';
import type { EngineOptions } from '../engine/types.js';
import { glueOf } from '../wasm/glue-of.js';
import type { Request } from './protocol.js';

const scope = globalThis as unknown as Worker;
const told: MessageEvent[] = [];
const keep = (event: MessageEvent) => {
  told.push(event);
  ask(event.data as Request | undefined);
};
scope.addEventListener('message', keep);

import('./engine.js').then(
  ({ answerCalls }) => {
    scope.removeEventListener('message', keep);
    answerCalls(scope, told);
  },
  // Out of the promise, so that whoever has started this worker hears of it.
  (error: unknown) => setTimeout(() => reportError(error)),
);
quietly(import('../errors.js'));

// Asks for what the engine will ask for; whatever fails here fails there again.
function ask(message: Request | undefined): void {
  if (message?.kind !== 'call') return;
  const { method, args } = message;
  if (method !== 'load' && method !== 'inspect') return;
  const { wasm, cache } = args[1] as InspectionSettings & Pick<EngineOptions, 'cache'>;
  quietly(glueOf(wasm.build, wasm.threads));
  if (!cache?.packed) return;
  quietly(import('../engine/packed.js'));
  quietly(import('../storage/models.js'));
  quietly(import('../storage/sha256.js'));
  quietly(import('../storage/open-files.js'));
}

function quietly(work: Promise<unknown>): void {
  work.catch(() => {});
}
