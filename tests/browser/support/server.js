// SPDX-License-Identifier: MIT
import { text } from 'node:stream/consumers';
import { policyOf, serve } from '../../../tools/serve.mjs';

const REPORTS = '/policy-violations';

/**
 * tools/serve.mjs with a log, and with connections that fail as an address asks: `?cut=N` and
 * `?stall=N` send N bytes on the first request of that address and then end the connection or say
 * no more. Requests that `refuses` picks are answered with 404. `violations` lists what its policy
 * forbade, also in workers, where only the browser's own reports tell.
 */
export async function serveFlawed(folder, { refuses = () => false, ...options } = {}) {
  const log = [];
  const seen = new Set();
  const violations = [];
  const server = await serve(folder, {
    port: 0,
    ...options,
    onRequest(request, response) {
      if (request.url === REPORTS) {
        takeReport(request, response, violations);
        return true;
      }
      const [path] = request.url.split('?');
      const policy = `${policyOf(path)}; report-uri ${REPORTS}`;
      response.setHeader('content-security-policy-report-only', policy);
      log.push({ url: request.url, range: request.headers.range, response });
      if (refuses(request)) {
        response.writeHead(404).end();
        return true;
      }
      const query = new URLSearchParams(request.url.split('?')[1]);
      const flaw = ['cut', 'stall'].find((name) => query.has(name));
      if (!flaw || seen.has(request.url)) return false;
      seen.add(request.url);
      limit(response, Number(query.get(flaw)), flaw);
      return false;
    },
  });
  return {
    ...server,
    violations,
    /** Requests of one address so far. */
    requestsOf: (path) => log.filter(({ url }) => url === path),
  };
}

async function takeReport(request, response, violations) {
  violations.push(await text(request));
  response.writeHead(204).end();
}

function limit(response, bytes, flaw) {
  const write = response.write.bind(response);
  let left = bytes;
  response.write = (chunk, ...rest) => {
    if (left <= 0) return false;
    const part = chunk.subarray(0, left);
    left -= part.length;
    if (left > 0) return write(part, ...rest);
    // Only what has been taken by the client counts: a reset discards the rest.
    write(part, () => flaw === 'cut' && response.socket.end());
    return false;
  };
}
