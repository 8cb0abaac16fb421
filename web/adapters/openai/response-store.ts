// SPDX-License-Identifier: MIT
import type { Message } from '../../text/message.js';
import { APIError } from './error.js';
import type { Response } from './response-types.js';

// Each has the texts of its conversation, no state of the model.
const MOST_RESPONSES = 100;

interface Stored {
  response: Response;
  /** Its conversation, itself included, without instructions. */
  turns: readonly Message[];
}

/** The latest responses, which can be gone on from. */
export class ResponseStore {
  readonly #stored = new Map<string, Stored>();

  add(response: Response, turns: readonly Message[]): void {
    this.#stored.set(response.id, { response, turns });
    for (const id of this.#stored.keys()) {
      if (this.#stored.size <= MOST_RESPONSES) return;
      this.#stored.delete(id);
    }
  }

  /** @throws APIError 404 where there is none of this id; `param` names where it was given */
  find(id: unknown, param?: string): Stored {
    const found = this.#stored.get(id as string);
    if (found) return found;
    throw new APIError(
      404,
      `there is no response '${id}': the latest ${MOST_RESPONSES} are kept, but for those with store: false`,
      { param, code: param ? `${param.replace(/_id$/, '')}_not_found` : 'response_not_found' },
    );
  }

  delete(id: string): void {
    this.find(id);
    this.#stored.delete(id);
  }
}
