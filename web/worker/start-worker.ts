// SPDX-License-Identifier: MIT
import { ModelError } from '../errors.js';
import { isUrl } from '../sources/parts.js';

/** What a page's policy forbade last, for the message of a worker that did not start. */
let forbidden: string | undefined;

/**
 * Starts the worker of an engine.
 *
 * @param given the caller's own worker of `fastweights/worker`, its address, or undefined for the
 * package's
 * @param options of one at an address
 * @returns `name` is what messages call it
 * @throws ModelError `worker` where the page may not start it
 */
export function startWorker(
  given: Worker | string | URL | undefined,
  options: WorkerOptions = { type: 'module' },
): { worker: Worker; name: string } {
  listenToPolicy();
  if (given !== undefined && typeof given !== 'string' && !isUrl(given)) {
    return { worker: given, name: 'the worker of the option `worker`' };
  }
  const name = given === undefined ? 'the worker of fastweights' : `the worker ${given}`;
  try {
    // Bundlers look for this very expression.
    if (given === undefined) {
      return {
        worker: new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
        name,
      };
    }
    return { worker: new Worker(given, options), name };
  } catch (cause) {
    const address =
      given === undefined
        ? import.meta.url.replace(/[^/]*$/, 'worker.js')
        : new URL(given, globalThis.document?.baseURI ?? globalThis.location?.href).href;
    const worker = isCrossOrigin(cause, address) ? importingWorker(address) : undefined;
    if (worker) return { worker, name };
    throw new ModelError('worker', `${name} may not be started: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** Why a worker failed, as far as browsers tell. */
export function failureOf(event: Event): ModelError {
  const { message, filename, lineno } = event as ErrorEvent;
  const why =
    message ||
    forbidden ||
    'its file could not be fetched, is no module, or may not be run here: see the option `worker`';
  const where = filename ? ` (${filename}:${lineno})` : '';
  return new ModelError('worker', `the worker failed: ${why}${where}`);
}

function isCrossOrigin(cause: unknown, address: string): boolean {
  const { name } = (cause ?? {}) as Error;
  return name === 'SecurityError' && new URL(address).origin !== globalThis.location?.origin;
}

// Workers start only from files of the page's own origin; one made here may import the other file,
// where its server allows that (CORS).
function importingWorker(address: string): Worker | undefined {
  const script = new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' });
  const url = URL.createObjectURL(script);
  try {
    return new Worker(url, { type: 'module' });
  } catch {
    return undefined;
  } finally {
    // It is fetched when the worker starts, a task or more from now.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }
}

function listenToPolicy(): void {
  if (forbidden !== undefined || typeof document !== 'object') return;
  forbidden = '';
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    if (!/^(worker|child|script)-src/.test(effectiveDirective)) return;
    forbidden = `the page's Content-Security-Policy forbids ${blockedURI} by ${effectiveDirective}`;
  });
}
