// SPDX-License-Identifier: MIT
// Keeps the site for when there is no network, and lets it have threads where its host sends no
// headers for that: the service worker adds them, so the page comes once more. Any page may import it;
// one that has no use for threads says so by `data-threads="none"`, and is left as it is.

/** Weights are left until the page has what it needs itself. */
const LATER_MS = 2000;
/** How often the other tabs are counted, once somebody wants a new version. */
const ASK_AGAIN_MS = 500;
const RELOADED = 'reloaded for isolation';

const line = document.getElementById('offline') ?? addLine();

/** @type {(...parts: (Node | string)[]) => void} */
const say = (...parts) => line.replaceChildren(...parts);

/** Below all else, on a page that has no place of its own for it. */
function addLine() {
  const made = document.createElement('p');
  made.className = 'aside offline';
  made.role = 'status';
  document.querySelector('main')?.append(made);
  return made;
}

/**
 * @param {ServiceWorker} worker
 * @param {string} message
 * @returns {Promise<{ bytes?: number, tabs?: number, error?: string }>}
 */
function ask(worker, message) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    worker.postMessage(message, [port2]);
  });
}

// Somebody may have begun what a reload would lose.
let isTouched = false;
for (const kind of ['pointerdown', 'keydown', 'click', 'input', 'drop']) {
  addEventListener(
    kind,
    () => {
      isTouched = true;
    },
    { once: true, capture: true },
  );
}

/** @returns {boolean} whether the page comes again */
function reloadIfThatIsolates() {
  // Once: where it did not help, it never will.
  if (crossOriginIsolated || isTouched || sessionStorage.getItem(RELOADED)) return false;
  if (document.documentElement.dataset.threads === 'none') return false;
  sessionStorage.setItem(RELOADED, 'yes');
  location.reload();
  return true;
}

/** @param {ServiceWorker} waiting */
function offer(waiting) {
  const take = document.createElement('button');
  take.type = 'button';
  take.textContent = 'Take it';
  take.addEventListener('click', () => takeWhenAlone(waiting));
  say('There is a new version of this site. ', take);
}

/**
 * Other tabs have begun with the version before: once they are closed, this page comes again by itself. A
 * browser counts a tab for a while after it was closed.
 *
 * @param {ServiceWorker} waiting
 */
async function takeWhenAlone(waiting) {
  let said = 1;
  for (;;) {
    const { tabs = 0, error } = await ask(waiting, 'take over');
    if (error) return say(`The new version was not taken: ${error}`);
    if (tabs <= 1 || waiting.state !== 'installed') return;
    if (tabs !== said) {
      say(`Close the other tabs of this site: ${tabs - 1} of them began before. Then it is taken.`);
    }
    said = tabs;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** @param {ServiceWorkerRegistration} registration */
function watchForUpdates(registration) {
  if (registration.waiting) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && registration.active) offer(installing);
    });
  });
}

async function start() {
  let hasController = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // The first one has the files that this page came with, a later one another version.
    if (hasController) location.reload();
    hasController = true;
  });
  const registration = await navigator.serviceWorker.register('sw.js', { updateViaCache: 'none' });
  const { active } = await navigator.serviceWorker.ready;
  if (!active || reloadIfThatIsolates()) return;
  watchForUpdates(registration);
  await new Promise((resolve) => setTimeout(resolve, LATER_MS));
  // Somebody who pays for each megabyte gets the model when it is wanted.
  const { connection } = /** @type {{ connection?: { saveData?: boolean } }} */ (navigator);
  if (connection?.saveData) return say('The model is kept for use without a network once loaded.');
  const { bytes, error } = await ask(active, 'keep all');
  if (registration.waiting) return;
  if (bytes)
    say(`Works without a network: all ${(bytes / 1e6).toFixed(0)} MB of the site are kept.`);
  else say(`Not kept for use without a network: ${error}`);
}

if ('serviceWorker' in navigator) {
  start().catch((error) => say(`Not kept for use without a network: ${error.message}`));
} else {
  say('This browser keeps no site for use without a network.');
}
