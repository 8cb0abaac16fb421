// SPDX-License-Identifier: MIT
// The site without a network, whole versions of it only: all files of one version lie in one cache,
// and a page gets everything from the version that it began with. The build writes SITE before this,
// the files with the beginnings of their SHA-256; the browser takes another SITE for another worker.

const worker = /** @type {ServiceWorkerScope} */ (/** @type {unknown} */ (self));
const scope = new URL(worker.registration.scope);
const family = `site ${scope.pathname} `;
const place = family + SITE.version;
const HASH = 'x-content-hash';

// What lets a page share memory with its threads, also where the host of these files does not say it.
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

/** Weights are large, and documents many: they come after the rest, so that the pages need not wait. */
const isLater = (/** @type {string} */ name) => /\.gguf$|^docs\//.test(name);

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(scope.href)) return;
  const name = nameOf(request.url);
  if (name in SITE.files) event.respondWith(kept(event, name));
  else if (request.mode === 'navigate') event.respondWith(fetch(request).then(isolated));
});
worker.addEventListener('message', (event) => event.waitUntil(hear(event)));

async function install() {
  const before = await others();
  const names = Object.keys(SITE.files);
  // A few at a time, as a page would.
  const next = names.values();
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (const name of next) {
        if (!(await copied(name, before)) && !isLater(name)) await keep(name);
      }
    }),
  );
}

async function activate() {
  for (const name of await others()) await caches.delete(name);
  await worker.clients.claim();
}

/** Caches of other versions. */
async function others() {
  return (await caches.keys()).filter((name) => name.startsWith(family) && name !== place);
}

/** @param {string} url */
function nameOf(url) {
  const name = decodeURIComponent(new URL(url).pathname.slice(scope.pathname.length));
  return name === '' || name.endsWith('/') ? `${name}index.html` : name;
}

/** @param {string} name */
const addressOf = (name) => new URL(name, scope).href;

// What has not changed since another version need not come again.
/** @type {(name: string, places: string[]) => Promise<boolean>} */
async function copied(name, places) {
  for (const from of [place, ...places]) {
    const response = await (await caches.open(from)).match(addressOf(name));
    if (response?.headers.get(HASH) !== SITE.files[name]) continue;
    if (from !== place) await (await caches.open(place)).put(addressOf(name), response);
    return true;
  }
  return false;
}

/**
 * Puts a file into the cache of this version.
 *
 * @param {string} name
 * @param {Response} [response] of the network, asked for here if not given
 * @throws TypeError where the host has another version of it than this, or none
 */
async function keep(name, response) {
  const answer = response ?? (await fetch(addressOf(name), { cache: 'no-cache' }));
  if (answer.status !== 200) throw new TypeError(`${name} was answered with ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (!hash.startsWith(SITE.files[name])) {
    throw new TypeError(`${name} is of another version than the rest: the host is being updated`);
  }
  const headers = new Headers(answer.headers);
  for (const coded of ['content-encoding', 'transfer-encoding']) headers.delete(coded);
  headers.set('content-length', String(bytes.byteLength));
  headers.set(HASH, SITE.files[name]);
  for (const [key, value] of Object.entries(ISOLATION)) headers.set(key, value);
  await (await caches.open(place)).put(addressOf(name), new Response(bytes, { headers }));
}

/** @type {(event: FetchEvent, name: string) => Promise<Response>} */
async function kept(event, name) {
  const { request } = event;
  const found = await (await caches.open(place)).match(addressOf(name));
  if (found) return part(found, request.headers.get('range'));
  const response = await fetch(request);
  // What somebody asks for before that is kept on its way.
  if (isLater(name) && response.status === 200) {
    event.waitUntil(keep(name, response.clone()).catch(() => {}));
  }
  return isolated(response);
}

/** The part of a file that a Range header asks for. @type {(whole: Response, range: string | null) => Promise<Response>} */
async function part(whole, range) {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined) return whole;
  const body = await whole.blob();
  const start = Number(from);
  const end = Math.min(to === '' ? body.size : Number(to) + 1, body.size);
  const headers = new Headers(whole.headers);
  headers.set('content-range', `bytes ${start >= end ? '*' : `${start}-${end - 1}`}/${body.size}`);
  headers.delete('content-length');
  if (start >= end) return new Response(null, { status: 416, headers });
  return new Response(body.slice(start, end), { status: 206, headers });
}

/** @param {Response} response */
function isolated(response) {
  // Redirections and what is opaque cannot be made anew.
  if (response.type !== 'basic' || response.redirected || response.status === 0) return response;
  const headers = new Headers(response.headers);
  for (const [key, value] of Object.entries(ISOLATION)) headers.set(key, value);
  const { status, statusText } = response;
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : response.body, { status, statusText, headers });
}

/** @param {MessageEvent} event */
async function hear({ data, ports: [port] }) {
  try {
    if (data === 'keep all') port.postMessage({ bytes: await keepAll() });
    if (data === 'take over') port.postMessage({ tabs: await takeOver() });
  } catch (error) {
    port.postMessage({ error: String(error instanceof Error ? error.message : error) });
  }
}

/** Everything of this version; how many bytes that is. */
async function keepAll() {
  for (const name of Object.keys(SITE.files)) if (!(await copied(name, []))) await keep(name);
  const cache = await caches.open(place);
  let bytes = 0;
  for (const request of await cache.keys()) {
    bytes += Number((await cache.match(request))?.headers.get('content-length'));
  }
  return bytes;
}

// Another tab has begun with the version before, and may fetch more of it: with one open, wait.
async function takeOver() {
  const { length } = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (length <= 1) await worker.skipWaiting();
  return length;
}
