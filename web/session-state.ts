// SPDX-License-Identifier: MIT
// What of a session's state is read, and the check of it.
import type { StateRequest } from './engine/session-state.js';
import { checkNames, type NamesOf } from './option-names.js';

/** What to read of a session's state; everything, if nothing is said. */
export interface StateOptions {
  /** Only this layer of the model, from 0. */
  layer?: number;
  /** Only this head, from 0, of each layer that is read. */
  head?: number;
  /** `false`: norms and gates alone, without states, keys and writes. Default true. */
  values?: boolean;
}

const STATE_NAMES: NamesOf<StateOptions> = { layer: true, head: true, values: true };

/** @throws TypeError or RangeError naming a wrong option */
export function checkStateOptions(options: StateOptions): StateRequest {
  checkNames(options, STATE_NAMES);
  const { layer, head, values } = options;
  for (const [name, index] of Object.entries({ layer, head })) {
    if (index === undefined || (Number.isInteger(index) && index >= 0)) continue;
    throw new RangeError(`${name} must be a whole number from 0 on`);
  }
  if (values !== undefined && typeof values !== 'boolean') {
    throw new TypeError('values must be true or false');
  }
  return { layer, head, values };
}
