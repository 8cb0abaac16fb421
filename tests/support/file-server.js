// SPDX-License-Identifier: MIT
// An HTTP server on this machine that serves bytes and misbehaves as asked.
import { createServer } from 'node:http';

/**
 * Files by path; without any, nobody is answered. A file is { bytes, etag?, lastModified?, ranges = true,
 * dropAfter?, status?, lengthKnown = true, rangeTold = true, contentRange?, encoding?, stallAfter?,
 * onRequest? }; `dropAfter` is a list: how many bytes each connection in turn delivers before it is
 * cut. With `encoding` the bytes are compressed already, and what asks for ranges of them, which it
 * means of others, gets none.
 */
export async function serve(files) {
  const requests = [];
  const server = createServer((request, response) => {
    if (files === undefined) return;
    const file = files[request.url];
    requests.push({ url: request.url, headers: request.headers });
    file?.onRequest?.(request, requests.length);
    const status = typeof file?.status === 'function' ? file.status(requests.length) : file?.status;
    if (!file || status) {
      response.writeHead(status ?? 404).end('nothing here');
      return;
    }
    respond(file, request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    requests,
    url: (path) => origin + path,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(file, request, response) {
  const { bytes, etag, lastModified } = file;
  const headers = {};
  if (etag) headers.etag = etag;
  if (lastModified) headers['last-modified'] = lastModified;
  if (file.encoding) headers['content-encoding'] = file.encoding;
  if (etag && request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const condition = request.headers['if-range'];
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const honoured =
    range &&
    file.ranges !== false &&
    !file.encoding &&
    (!condition || [etag, lastModified].includes(condition));
  const from = honoured ? Number(range[1]) : 0;
  const to = honoured && range[2] ? Math.min(Number(range[2]) + 1, bytes.length) : bytes.length;
  const body = bytes.subarray(from, to);
  if (file.lengthKnown !== false) headers['content-length'] = body.length;
  if (honoured && file.rangeTold !== false) {
    headers['content-range'] = file.contentRange ?? `bytes ${from}-${to - 1}/${bytes.length}`;
  }
  response.writeHead(honoured ? 206 : 200, headers);
  const cut = file.dropAfter?.shift();
  if (cut !== undefined && cut < body.length) {
    // Give the client time to take what was sent: a reset discards what it has not read yet.
    response.write(body.subarray(0, cut), () => setTimeout(() => response.destroy(), 30));
    if (cut === 0) response.flushHeaders();
  } else if (file.stallAfter !== undefined) {
    response.write(body.subarray(0, file.stallAfter));
    if (file.stallAfter === 0) response.flushHeaders();
  } else {
    response.end(body);
  }
}
